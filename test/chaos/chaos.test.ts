import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Long enough for a machine that is busy with other tests; the harness itself is bounded more tightly. */
const timeoutMs = 240_000

describe('a fleet under kills, stops and a crashing database', () => {
  it.concurrent.each(['postgres', 'embedded'])('keeps every claim (%s)', { timeout: timeoutMs }, async (database) => {
    const { code, output } = await chaos('--database', database, '--seconds', '8', '--seed', '1', '--workers', '1')
    expect(code, output).toBe(0)
    expect(output).toContain('every claim held (seed 1)')
  })

  it('is not started with a flag that cannot be read', async () => {
    const { code, output } = await chaos('--seconds', 'many')
    expect(code).toBe(1)
    expect(output).toContain('--seconds takes a whole number')
  })
})

async function chaos(...args: string[]): Promise<{ code: number | null; output: string }> {
  const script = fileURLToPath(new URL('./chaos.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}
