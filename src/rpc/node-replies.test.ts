import { expect, test } from 'vitest'
import { RpcRejectedError, translateReply } from './node-replies.js'

/** Words and codes as providers and clients are documented to use them. */
const REPLIES: [kind: string, method: string, status: number, code: number | undefined, message: string][] = [
  ['too-many', 'eth_call', 429, undefined, ''],
  ['too-many', 'eth_call', 429, 429, 'Your app has exceeded its compute units per second capacity'],
  ['too-many', 'eth_call', 402, -32005, 'daily request count exceeded, request rate limited'],
  ['too-many', 'eth_call', 403, -32004, 'monthly quota used up'],
  ['too-many', 'eth_call', 200, -32005, 'limit exceeded'],
  ['too-many', 'eth_call', 200, -32005, 'project ID request rate exceeded'],
  ['too-many', 'eth_call', 200, -32029, 'Too Many Requests'],
  ['too-many', 'eth_call', 200, -32007, '50/second request limit reached'],
  ['too-many', 'eth_call', 200, -32016, 'over rate limit'],
  ['too-many', 'eth_call', 200, -32090, 'Too many requests, reason: call rate limit exhausted, retry in 10s'],
  ['too-many', 'eth_call', 503, undefined, ''],
  ['forbidden', 'eth_call', 401, undefined, ''],
  ['forbidden', 'eth_call', 200, -32000, 'Unauthorized: You must authenticate your request with an API key'],
  ['unsupported', 'debug_traceCall', 200, -32601, 'the method debug_traceCall does not exist/is not available'],
  ['unsupported', 'debug_traceCall', 200, -32004, 'Method not supported'],
  ['unsupported', 'eth_call', 200, -32602, 'expected 3, actual 4'],
  ['unsupported', 'eth_call', 200, -32602, 'too many arguments, want at most 2'],
  ['reverted', 'eth_call', 200, 3, 'execution reverted: no'],
  ['reverted', 'eth_call', 200, -32000, 'execution reverted'],
  ['reverted', 'eth_call', 200, -32000, 'out of gas'],
  ['reverted', 'eth_call', 200, -32000, 'out of gas: gas required exceeds: 10000000'],
  ['reverted', 'eth_call', 200, -32000, 'invalid opcode: INVALID'],
  ['reverted', 'eth_call', 200, -32000, 'invalid jump destination'],
  ['reverted', 'eth_call', 200, -32000, 'stack limit reached 1024 (1023)'],
  ['reverted', 'eth_call', 200, -32000, 'write protection'],
  ['reverted', 'eth_call', 200, -32000, 'max call depth exceeded'],
  ['reverted', 'eth_call', 200, -32603, 'EVM error OutOfGas'],
  ['reverted', 'eth_call', 200, -32603, 'EVM error: InvalidFEOpcode'],
  ['reverted', 'eth_call', 200, -32015, 'VM execution error.'],
  ['broken', 'eth_call', 200, -32603, 'EVM error FatalExternalError'],
  ['broken', 'eth_getBalance', 200, -32000, 'out of gas'],
  ['block-unknown', 'eth_call', 200, -32000, 'header not found'],
  ['block-unknown', 'eth_call', 200, -32001, 'Resource not found'],
  ['block-unknown', 'eth_getBalance', 200, -32602, 'BlockOutOfRangeError: block height is 1 but requested was 153'],
  ['block-unknown', 'eth_call', 200, -32000, 'hash 0xaa is not currently canonical'],
  ['block-unknown', 'eth_call', 200, -39001, 'Unknown block'],
  ['state-missing', 'eth_call', 200, -32000, 'missing trie node 0a (path )'],
  ['state-missing', 'eth_call', 200, -32000, 'required historical state unavailable (reexec=128)'],
  ['state-missing', 'eth_call', 200, -32000, 'old data not available due to pruning'],
  ['range-too-wide', 'eth_getLogs', 200, -32005, 'query returned more than 10000 results. Try with this block range'],
  ['range-too-wide', 'eth_getLogs', 200, -32005, 'limit exceeded'],
  [
    'range-too-wide',
    'eth_getLogs',
    200,
    -32600,
    'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.',
  ],
  ['range-too-wide', 'eth_getLogs', 200, -32614, 'eth_getLogs is limited to a 10,000 range'],
  ['range-too-wide', 'eth_getLogs', 200, -32000, 'exceed maximum block range: 50000'],
  ['range-too-wide', 'eth_getLogs', 400, 35, 'ranges over 10000 blocks are not supported on freetier'],
  ['range-too-wide', 'eth_getLogs', 200, -32602, 'query exceeds max results 20000, retry with the range 1-2'],
  ['range-too-wide', 'eth_getLogs', 200, -32602, 'Log response size exceeded.'],
  ['too-many', 'eth_getLogs', 429, -32005, 'Too Many Requests'],
  ['batch-too-large', 'batch', 200, -32600, 'batch too large'],
  ['batch-too-large', 'batch', 200, -32014, 'maximum 10 calls in 1 batch'],
  ['batch-too-large', 'batch', 500, 31, 'Batch of more than 3 requests are not allowed on free tier'],
  ['batch-too-large', 'batch', 413, undefined, ''],
  ['slow', 'eth_call', 504, undefined, ''],
  ['slow', 'eth_call', 200, -32000, 'execution aborted (timeout = 5s)'],
  ['refused', 'eth_call', 200, -32602, 'invalid argument 0: hex string without 0x prefix'],
  ['refused', 'eth_call', 400, undefined, ''],
  ['broken', 'eth_call', 200, -32603, 'Internal error'],
  ['broken', 'eth_call', 500, undefined, ''],
  ['broken', 'eth_call', 200, -31337, 'words never seen before'],
]

test.each(REPLIES)('%s: %s answered by HTTP %s, code %s, "%s"', (kind, method, status, code, message) => {
  expect(translateReply({ method, status, message, ...(code !== undefined && { code }) })).toBe(kind)
})

test('of an endless message the beginning is read', () => {
  const read = (message: string) => translateReply({ method: 'eth_getLogs', status: 200, message })
  const words = 'query returned more than 10000 results'
  expect(read(words)).not.toBe('broken')
  expect(read(words + ' and so on'.repeat(1_000_000))).toBe(read(words))
  expect(read('and so on '.repeat(1_000_000) + words)).toBe('broken')
})

test("a client never sees the node's words", () => {
  const error = new RpcRejectedError({ method: 'eth_call', kind: 'broken', code: 1, message: 'key=secret' })
  expect(error.shortMessage).toBe('The chain node refused eth_call: broken')
  expect(error.details).toContain('secret')
})
