import { z } from 'zod'
import { DefinitionError } from '../errors/definition-error.ts'
import { sentencesFor } from '../language/sentences.ts'
import { completePack, type Pack } from '../pack/pack.ts'
import { createRedactor } from '../present/redact.ts'
import { ToolRegistry } from '../registry/tool-registry.ts'
import type { Tool } from '../tool/tool.ts'
import type { GovernedPack } from './gate-context.ts'

/**
 * Checks packs before anything is offered and derives what the gate needs of each.
 *
 * @throws DefinitionError with every problem of every pack: a bad tool stops the start
 */
export function govern(packs: readonly Pack[]): ReadonlyMap<string, GovernedPack> {
  const governed = new Map<string, GovernedPack>()
  const problems: string[] = []
  for (const pack of packs) {
    if (governed.has(pack.name)) problems.push(`pack \`${pack.name}\` is given twice`)
    problems.push(...undeclaredRoles(pack).map((problem) => `pack \`${pack.name}\`: ${problem}`))
    try {
      new ToolRegistry(pack.tools)
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error
      problems.push(...error.problems.map((problem) => `pack \`${pack.name}\`: ${problem}`))
    }
    governed.set(pack.name, governedPack(pack))
  }
  if (problems.length > 0) throw new DefinitionError('the packs', problems)
  return governed
}

/** Stands for "no pack" in the record of a call that named no tool we know. */
export function unknownPack(language: 'en' | 'de'): GovernedPack {
  return governedPack(
    completePack({
      name: 'unknown',
      title: 'unknown',
      description: '',
      language,
      tools: [],
      scopeSchema: z.record(z.string(), z.string()),
      roles: {},
      services: { readers: () => ({}), writers: () => ({}) },
      instructions: () => '',
    }),
  )
}

function governedPack(pack: Pack): GovernedPack {
  const tools = new Map<string, Tool>(pack.tools.map((tool) => [tool.name, tool]))
  return { pack, tools, redact: createRedactor(pack.redaction), say: sentencesFor(pack.language) }
}

/** A tool that nobody is named for would be closed to all: said at the start rather than at each call. */
function undeclaredRoles(pack: Pack): string[] {
  const known = Object.keys(pack.roles)
  if (known.length > 0) {
    return pack.tools.flatMap((tool) =>
      (tool.roles ?? [])
        .filter((role) => !known.includes(role))
        .map((role) => `tool \`${tool.name}\` names the role \`${role}\`, which the pack does not have`),
    )
  }
  return pack.tools.length > 0 ? ['no `roles` are declared, so nobody could call its tools'] : []
}
