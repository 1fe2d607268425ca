/** The first service function that ran, by its path below `services`, and what it was given. */
export interface ServiceCall {
  service: string
  payload: unknown
}

/**
 * Wraps services so that the ledger can name what really ran, and hands out the first call noted.
 *
 * @example
 * const recording = recordServiceCalls(services)
 * await recording.services.gameSystems.delete('id')
 * recording.first() // { service: 'gameSystems.delete', payload: 'id' }
 */
export function recordServiceCalls<Services>(services: Services): {
  services: Services
  first(): ServiceCall | undefined
} {
  let first: ServiceCall | undefined
  const note = (service: string, payload: unknown) => {
    first ??= { service, payload }
  }
  return { services: wrap(services, '', note, 0), first: () => first }
}

/** Services and the groups in them are looked into; what lies deeper is handed on as it is. */
const deepest = 1

function wrap<T>(target: T, path: string, note: (service: string, payload: unknown) => void, depth: number): T {
  if (typeof target !== 'object' || target === null || depth > deepest) return target
  return new Proxy(target, {
    get(object, property) {
      const value: unknown = Reflect.get(object, property)
      if (typeof property === 'symbol') return value
      const name = path === '' ? property : `${path}.${property}`
      if (typeof value !== 'function') return wrap(value, name, note, depth + 1)
      return (...args: unknown[]) => {
        note(name, args.length <= 1 ? args[0] : args)
        return Reflect.apply(value, object, args)
      }
    },
  })
}
