const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Does this request come from a page or program of this machine, as its own headers say? A page of another site that
 * had its name resolve to 127.0.0.1 (DNS rebinding) shows its own name in `Host`, and a foreign page in `Origin`.
 *
 * @param port the port the server listens on; undefined takes any, for requests that come over no network
 */
export function isFromThisMachine(request: Request, port: number | undefined): boolean {
  const host = request.headers.get('host') ?? new URL(request.url).host
  if (!isLoopback(`http://${host}`, port)) return false
  const origin = request.headers.get('origin')
  return origin === null || isLoopback(origin, port)
}

function isLoopback(origin: string, port: number | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  if (url.protocol !== 'http:' || url.origin !== origin.toLowerCase().replace(/:80$/, '')) return false
  return loopbackNames.includes(url.hostname) && (port === undefined || Number(url.port || 80) === port)
}
