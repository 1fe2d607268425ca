import { Writable } from 'node:stream'
import { APICallError } from 'ai'
import { describe, expect, it } from 'vitest'
import { createLogger, reportTo } from './logger.ts'

const logged = () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { logger: createLogger('info', stream), lines }
}

describe('createLogger', () => {
  it("says what failed and where, and nothing of what a provider's error carries along", () => {
    const { logger, lines } = logged()
    const error = new APICallError({
      message: 'Too many requests',
      url: 'https://provider.example/v1',
      requestBodyValues: { messages: ['canary: my salary'] },
      responseBody: 'canary',
      statusCode: 429,
    })
    reportTo(logger)({ code: 'MODEL_FAILED', message: 'no answer', error: new Error('gave up', { cause: error }) })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      code: 'MODEL_FAILED',
      msg: 'no answer',
      err: { message: 'gave up', cause: { message: 'Too many requests' } },
    })
    expect(lines.join()).not.toContain('canary')
  })

  it('withholds credentials and content wherever they are given', () => {
    const { logger, lines } = logged()
    logger.info(
      { headers: { cookie: 'canary', authorization: 'canary' }, call: { input: 'canary' }, apiKey: 'canary' },
      'x',
    )
    expect(lines.join()).not.toContain('canary')
  })
})
