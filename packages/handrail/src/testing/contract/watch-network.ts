import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** Node's own channels for requests by `fetch` and by `node:http`; a database's sockets are not among them. */
const channels = ['undici:request:create', 'http.client.request.start']

/** Notes which hosts this process sends requests to, until it is stopped. */
export function watchNetwork(): { hosts: string[]; stop(): void } {
  const hosts: string[] = []
  const note = (message: unknown) => {
    const request =
      typeof message === 'object' && message !== null && 'request' in message ? message.request : undefined
    hosts.push(hostOf(request))
  }
  for (const channel of channels) subscribe(channel, note)
  return {
    hosts,
    stop() {
      for (const channel of channels) unsubscribe(channel, note)
    },
  }
}

function hostOf(request: unknown): string {
  if (typeof request !== 'object' || request === null) return 'somewhere'
  if ('origin' in request) return String(request.origin)
  return 'host' in request ? String(request.host) : 'somewhere'
}
