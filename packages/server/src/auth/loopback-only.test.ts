import { describe, expect, it } from 'vitest'
import { isFromThisMachine } from './loopback-only.ts'

const request = (headers: Record<string, string>) => new Request('http://127.0.0.1:4300/api/tools', { headers })

describe('isFromThisMachine', () => {
  it.each(['127.0.0.1:4300', 'localhost:4300', '[::1]:4300', 'LOCALHOST:4300'])('takes the host %s', (host) => {
    expect(isFromThisMachine(request({ host }), 4300)).toBe(true)
  })

  it.each([
    'rebound.example:4300',
    'localhost.example:4300',
    '127.0.0.1.example:4300',
    'localhost:4301',
    'localhost',
    'user@localhost:4300',
    'localhost:4300/x',
    '0.0.0.0:4300',
    '2130706433:4300',
    '',
  ])('refuses the host %j', (host) => {
    expect(isFromThisMachine(request({ host }), 4300)).toBe(false)
  })

  it('takes a page of its own, and refuses one of another origin', () => {
    const host = 'localhost:4300'
    expect(isFromThisMachine(request({ host, origin: 'http://localhost:4300' }), 4300)).toBe(true)
    for (const origin of [
      'null',
      'https://evil.example',
      'http://localhost:3000',
      'https://localhost:4300',
      'http://evil.example:4300',
    ]) {
      expect(isFromThisMachine(request({ host, origin }), 4300), origin).toBe(false)
    }
  })
})
