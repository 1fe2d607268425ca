import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { argv } from 'node:process'

// A service outside, in a process of its own: it notes every start on disk before it answers, and remembers keys.
// node downstream.ts <file>; prints its port.

/** A start, as the service noted it. */
export interface NotedStart {
  key: string
  callId: string
  tool: string
  note: string
  isRepeat: boolean
}

const [, , file] = argv
if (file === undefined) throw new Error('downstream.ts <file>')
const log = openSync(file, 'a')
const seen = new Set(
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).key),
)

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const { key, callId, tool, note } = JSON.parse(body)
    const isRepeat = seen.has(key)
    seen.add(key)
    const start: NotedStart = { key, callId, tool, note, isRepeat }
    writeSync(log, `${JSON.stringify(start)}\n`)
    fsyncSync(log)
    const behaviour = Number.parseInt(key.slice(-2), 16)
    // Some answers are lost, some come after the caller's deadline, the others take so long that a kill may come first.
    if (behaviour % 64 === 1) response.destroy()
    else
      setTimeout(
        () => response.end(JSON.stringify({ ok: true, isRepeat })),
        behaviour % 64 === 2 ? 2_000 : behaviour % 40,
      )
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`ready ${typeof address === 'object' && address ? address.port : 0}`)
})
// Its input closes when whoever started it ends, in whatever way.
process.stdin.resume()
process.stdin.on('close', () => {
  closeSync(log)
  process.exit(0)
})
