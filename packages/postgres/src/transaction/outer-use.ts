import { AsyncLocalStorage } from 'node:async_hooks'
import { SetupError } from 'handrail'
import type { Engine } from '../engine/engine.ts'

interface Open {
  engine: Engine
  open: boolean
}

const insideOf = new AsyncLocalStorage<Open>()

/** Runs `work`, to which a transaction of `engine` was handed, so that use of the outer database in it is noticed. */
export async function inside<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
  const mark: Open = { engine, open: true }
  try {
    return await insideOf.run(mark, work)
  } finally {
    mark.open = false
  }
}

/** @throws {SetupError} `OUTER_DATABASE_IN_TRANSACTION` when a transaction of this engine is open around the caller. */
export function requireOutside(engine: Engine): void {
  const mark = insideOf.getStore()
  if (mark?.open && mark.engine === engine) {
    throw new SetupError(
      'OUTER_DATABASE_IN_TRANSACTION',
      'The outer database was used inside a handed transaction. Use the `db` that was handed over.',
    )
  }
}

/**
 * The same engine, but using it inside a handed transaction throws. On the embedded engine it would wait for ever
 * for that very transaction; on a server it would act outside of it, unnoticed.
 */
export function guardOuterUse(engine: Engine): Engine {
  const check = (): void => requireOutside(guarded)
  const guarded: Engine = {
    ...engine,
    async begin(opening, options) {
      check()
      return engine.begin(opening, options)
    },
    async query(statement) {
      check()
      return engine.query(statement)
    },
    async script(sql) {
      check()
      return engine.script(sql)
    },
  }
  return guarded
}
