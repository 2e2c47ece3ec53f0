import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Fault, ProxyAnswer, ProxyCall } from './fault-proxy.js'

type Exchange = Extract<Fault, { exchange: unknown }>['exchange']
type Answer = Extract<Fault, { answer: unknown }>['answer']

/** Whole HTTP exchanges that go wrong (rows 68 to 71 and 74 of the fault catalogue). */
export const EXCHANGE_FAULTS: Record<string, Exchange> = {
  'the connection is closed without a word': (reply) => {
    reply.destroy()
  },
  'no answer ever': () => {},
  'headers, then silence': (reply) => {
    reply.writeHead(200, JSON_TYPE)
    reply.flushHeaders()
  },
  'one byte at a time': async (reply, honest) => {
    const text = await honest()
    reply.writeHead(200, JSON_TYPE)
    for (const byte of text) {
      if (reply.destroyed) return
      reply.write(byte)
      await sleep(DRIP_MS)
    }
    reply.end()
  },
  'cut in the middle': async (reply, honest) => {
    const text = await honest()
    reply.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(text) })
    reply.write(text.slice(0, text.length / 2))
    await sleep(DRIP_MS)
    reply.destroy()
  },
  'truncated JSON': async (reply, honest) => send(reply, 200, (await honest()).slice(0, -3)),
  'an HTML page': (reply) =>
    send(reply, 200, '<html><body>Welcome to nginx!</body></html>', { 'content-type': 'text/html' }),
  'an empty body': (reply) => send(reply, 200, ''),
  null: (reply) => send(reply, 200, 'null'),
  'an empty list': (reply) => send(reply, 200, '[]'),
  'a text': (reply) => send(reply, 200, '"ok"'),
  'an object of another kind': (reply) => send(reply, 200, '{"status":"up"}'),
  'very deep JSON': (reply) => send(reply, 200, '['.repeat(20_000) + ']'.repeat(20_000)),
  'a body without end': async (reply) => {
    reply.writeHead(200, JSON_TYPE)
    const chunk = Buffer.alloc(100_000, ' ')
    for (let sent = 0; sent < 100 && !reply.destroyed; sent += 1) if (!reply.write(chunk)) await sleep(DRIP_MS)
    reply.destroy()
  },
  'a length of 2 GB': (reply) => {
    reply.writeHead(200, { ...JSON_TYPE, 'content-length': 2_000_000_000 })
    reply.write('[')
  },
  'compressed although not asked for': async (reply, honest) => {
    reply.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(await honest()))
  },
  'HTTP 429, come back in an hour': (reply) => send(reply, 429, '{"error":"slow down"}', { 'retry-after': '3600' }),
  'HTTP 402': (reply) => send(reply, 402, 'payment required'),
  'HTTP 403': (reply) => send(reply, 403, '{"message":"quota"}'),
  'HTTP 401': (reply) => send(reply, 401, ''),
  'HTTP 404': (reply) => send(reply, 404, 'not here'),
  'HTTP 500': (reply) => send(reply, 500, 'oops'),
  'HTTP 503': (reply) => send(reply, 503, ''),
  'HTTP 500 with the right answer': async (reply, honest) => send(reply, 500, await honest()),
  'a redirect inwards': (reply) => send(reply, 307, '', { location: 'http://169.254.169.254/latest/meta-data/' }),
  'one error for the whole batch': (reply) =>
    send(reply, 200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"rate limit"}}'),
}

/** Single answers that go wrong. */
export const ANSWER_FAULTS: Record<string, Answer> = {
  'error -32005': refusal(-32005, 'limit exceeded'),
  'error -32004': refusal(-32004, 'quota'),
  'error -32029': refusal(-32029, 'too many requests'),
  'error -32601': refusal(-32601, 'method not found'),
  'error -32602': refusal(-32602, 'invalid params'),
  'error -32603': refusal(-32603, 'internal error'),
  'error 3': refusal(3, 'execution reverted'),
  'header not found': refusal(-32000, 'header not found'),
  'missing trie node': refusal(-32000, 'missing trie node 00 (path )'),
  'an error that is a text': ({ id }) => ({ jsonrpc: '2.0', id, error: 'no' }),
  'an error without members': ({ id }) => ({ jsonrpc: '2.0', id, error: {} }),
  'null result': result(() => null),
  'no result': ({ id }) => ({ jsonrpc: '2.0', id }),
  'result and error': (honest) => ({ ...honest, error: { code: -32000, message: 'both' } }),
  'an id nobody asked for': (honest) => ({ ...honest, id: 4_711 }),
  'an id as text': (honest) => ({ ...honest, id: String(honest.id) }),
  'the same id twice': (honest) => [honest, honest],
  'the answer is missing': () => [],
  'a bare 0x': result(() => '0x'),
  'half a byte': result((value) => mapText(value, (text) => (text.startsWith('0x') ? `${text}f` : text))),
  'upper case': result((value) => mapText(value, (text) => `0x${text.slice(2).toUpperCase()}`)),
  'a negative number': result(() => '-0x1'),
  'a JSON number': result(() => 1),
  'an object': result(() => ({ __proto__: { polluted: true }, constructor: 1 })),
  'a list': result(() => [[[]]]),
  'text that is no hex': result(() => 'zz'),
  '300 KB of zeroes': result(() => `0x${'0'.repeat(300_000)}`),
}

/** Things that are well-formed and untrue, and that can be told (row 72). */
export const LIES: (Fault & { method: string })[] = [
  { name: 'another chain', method: 'eth_chainId', answer: result(() => '0x38') },
  { name: 'a head that is an hour old', method: 'eth_getBlockByNumber', answer: header({ timestamp: -3_600 }) },
  { name: 'a head from the future', method: 'eth_getBlockByNumber', answer: header({ timestamp: 3_600 }) },
  {
    name: 'a head of another branch',
    method: 'eth_getBlockByNumber',
    answer: header({ hash: `0x${'ab'.repeat(32)}` }),
  },
  { name: 'another parent', method: 'eth_getBlockByNumber', answer: header({ parentHash: `0x${'cd'.repeat(32)}` }) },
  { name: 'overrides are ignored', method: 'eth_call', call: (call) => ({ ...call, params: call.params.slice(0, 2) }) },
  {
    name: 'the overrides of contracts are ignored',
    method: 'eth_call',
    call: (call) => ({ ...call, params: [call.params[0], call.params[1], keepLast(call.params[2])] }),
  },
  {
    name: 'calls run on the first block',
    method: 'eth_call',
    call: (call) => ({ ...call, params: swapBlock(call, '0x0') }),
  },
  {
    name: 'calls run on the block before',
    method: 'eth_call',
    call: (call) => ({ ...call, params: swapBlock(call, '0x1') }),
  },
  {
    name: 'calls answer zeroes',
    method: 'eth_call',
    answer: result((value) =>
      String(value)
        .replaceAll(/[1-9a-f]/g, '0')
        .replace('00', '0x'),
    ),
  },
  { name: 'calls answer a bit more', method: 'eth_call', answer: result((value) => `${value}${'00'.repeat(32)}`) },
  {
    name: 'too few values',
    method: 'eth_getStorageValues',
    answer: result((value) => mapLists(value, (list) => list.slice(1))),
  },
  { name: 'values of nobody', method: 'eth_getStorageValues', answer: result(() => ({})) },
  {
    name: 'traces of the first block',
    method: 'debug_traceCall',
    call: (call) => ({ ...call, params: swapBlock(call, '0x0') }),
  },
  { name: 'logs of another contract', method: 'eth_getLogs', answer: logs({ address: `0x${'ee'.repeat(20)}` }) },
  { name: 'logs of another block', method: 'eth_getLogs', answer: logs({ blockNumber: '0xffffff' }) },
  { name: 'logs that were removed', method: 'eth_getLogs', answer: logs({ removed: true }) },
  {
    name: 'every log twice',
    method: 'eth_getLogs',
    answer: result((value) => (Array.isArray(value) ? [...value, ...value] : value)),
  },
]

const JSON_TYPE = { 'content-type': 'application/json' }
const DRIP_MS = 20

function send(reply: ServerResponse, status: number, body: string, headers: Record<string, string> = JSON_TYPE): void {
  reply.writeHead(status, headers).end(body)
}

function refusal(code: number, message: string): Answer {
  return ({ id }: ProxyAnswer) => ({ jsonrpc: '2.0', id, error: { code, message } })
}

/** Changes results and leaves errors alone. */
function result(change: (value: unknown) => unknown): Answer {
  return (honest) => ('result' in honest ? { ...honest, result: change(honest.result) } : honest)
}

function header(changes: { timestamp?: number; hash?: string; parentHash?: string }): Answer {
  return result((value) => {
    const block = value as Record<string, string>
    const timestamp = `0x${(Number(block.timestamp) + (changes.timestamp ?? 0)).toString(16)}`
    return { ...block, ...changes, timestamp }
  })
}

function logs(changes: object): Answer {
  return result((value) => (Array.isArray(value) ? value.map((log: object) => ({ ...log, ...changes })) : value))
}

function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapText(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapText(member, change)]))
}

function mapLists(value: unknown, change: (list: unknown[]) => unknown[]): unknown {
  if (Array.isArray(value)) return change(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapLists(member, change)]))
}

/** Leaves the override of the program that asks, which is written last. */
function keepLast(overrides: unknown): unknown {
  return Object.fromEntries(Object.entries((overrides ?? {}) as object).slice(-1))
}

function swapBlock({ params }: ProxyCall, block: string): unknown[] {
  return [params[0], block, ...params.slice(2)]
}
