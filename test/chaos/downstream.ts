import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { argv } from 'node:process'

// A service outside, in a process of its own: it notes every start on disk before it answers, and remembers keys.
// node downstream.ts <file>; prints its port.

const [, , file] = argv
if (file === undefined) throw new Error('downstream.ts <file>')
const log = openSync(file, 'a')
const seen = new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line).key))

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const { key, callId, tool } = JSON.parse(body)
    const isRepeat = seen.has(key)
    seen.add(key)
    writeSync(log, `${JSON.stringify({ key, callId, tool, isRepeat })}\n`)
    fsyncSync(log)
    // Some answers are slow, so that a kill may come between the effect and its record.
    setTimeout(() => response.end(JSON.stringify({ ok: true, isRepeat })), Number.parseInt(key.slice(-2), 16) % 40)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`ready ${typeof address === 'object' && address ? address.port : 0}`)
})
process.on('SIGTERM', () => {
  closeSync(log)
  process.exit(0)
})
