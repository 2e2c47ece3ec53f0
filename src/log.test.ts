import { expect, test } from 'vitest'
import { createTestApp, request, SIMULATE } from '../test/http/test-app.js'
import { BaseError } from './errors.js'
import { createLog } from './log.js'

const capture = () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') }
}

test('one line per request says who asked for what and how it went', async () => {
  const { post, keyId, logLines } = await createTestApp()
  const { headers } = await post(request(), { url: `${SIMULATE}?note=private` })
  const { time, durationMs, ...line } = JSON.parse(logLines.at(-1) ?? '{}')
  expect(line).toEqual({
    level: 'info',
    msg: 'answered',
    requestId: headers['x-request-id'],
    method: 'POST',
    route: SIMULATE,
    keyId,
    status: 200,
  })
  expect(durationMs).toBeGreaterThanOrEqual(0)
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT/)
})

test('nothing that the caller sent is in the log', async () => {
  const { post, app, key, logLines } = await createTestApp()
  await post(
    { ...request(), note: 'private-body' },
    { url: `${SIMULATE}?note=private-query`, headers: { cookie: 'private-cookie' } },
  )
  await app.inject({ url: '/private-path', headers: { 'user-agent': 'private-agent' } })
  await post('{private-broken')
  expect(logLines.join('')).not.toMatch(/private|0x514910/)
  expect(logLines.join('')).not.toContain(key)
})

test('an error is logged with its stack, its cause and what only the log may see', () => {
  const { log, last } = capture()
  const cause = new TypeError('the cause')
  log.error({ error: new BaseError('The node did not answer', { cause, details: 'https://node' }) }, 'failed')
  expect(last().error.details).toBe('https://node')
  expect(last().error.stack).toContain('The node did not answer')
  expect(last().error.stack).toContain('TypeError: the cause')
  log.error({ error: 'thrown text' }, 'failed')
  expect(last().error).toEqual({ message: 'thrown text' })
})

test('the usual names of secrets are blanked', () => {
  const { log, lines } = capture()
  log.info({
    authorization: 'private',
    headers: { authorization: 'private', cookie: 'private' },
    body: { apiKey: 'private', key: 'private' },
  })
  expect(lines.join('')).not.toContain('private')
})

test('8: text with line ends stays one line', () => {
  const { log, lines } = capture()
  log.info({ note: 'a\nb\r\n{"level":"fatal"}\u2028' }, 'x\ny')
  expect(lines.length).toBe(1)
  expect(lines[0]?.trimEnd()).not.toMatch(/[\n\r]/)
})
