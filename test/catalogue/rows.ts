const ROUTE = 'src/http/routes/execute-simulation'
const SOCKETS = 'src/http/sockets.test.ts'
const PROCESS = 'test/catalogue/process-faults.service.test.ts'
const ATTACKS = 'test/conformance/attacks.ts'
const TARGETS = 'test/targets.service.test.ts'
const HOSTILE = 'test/catalogue/hostile-code.service.test.ts'
const SIGN_IN = 'src/accounts/sign-in.test.ts'
const FAULTS = 'test/fault-proxy/node-faults.ts'
const FAULT_RUNS: Proof = [
  'test/fault-proxy/service-faults.devnet.test.ts',
  '%s: a valid answer in time, and never a false verdict',
]
const FAULT_MATRIX: Proof = ['test/fault-proxy/fault-matrix.devnet.test.ts', '%s: never a wrong answer, nor none']

/** A file, and words of a test in it. */
type Proof = readonly [file: string, words: string]

export interface CatalogueRow {
  row: number
  name: string
  proofs: readonly Proof[]
}

/**
 * The catalogue of fault and bad-input cases: each row with the tests that hold the service to it.
 * Numbers stay what they are.
 */
export const CATALOGUE: readonly CatalogueRow[] = [
  { row: 1, name: 'no authorization', proofs: [[`${ROUTE}/401.test.ts`, '1: no Authorization header']] },
  { row: 2, name: 'empty authorization', proofs: [[`${ROUTE}/401.test.ts`, '2: an empty header (%j) is no header']] },
  { row: 3, name: 'other scheme, or Bearer without token', proofs: [[`${ROUTE}/401.test.ts`, "'3: %j'"]] },
  {
    row: 4,
    name: 'lower-case scheme, extra spaces',
    proofs: [[`${ROUTE}/403.test.ts`, '4: %j before the key is accepted']],
  },
  { row: 5, name: 'unknown key', proofs: [[`${ROUTE}/403.test.ts`, '5: 32 random bytes']] },
  {
    row: 6,
    name: 'revoked key',
    proofs: [
      [`${ROUTE}/403.test.ts`, '6: a revoked key is refused within the second'],
      ['src/keys/keys.test.ts', '6: refuses a revoked key within the second'],
    ],
  },
  { row: 7, name: 'two Authorization headers', proofs: [[SOCKETS, '7: two headers are refused']] },
  {
    row: 8,
    name: 'hostile key text',
    proofs: [
      [`${ROUTE}/403.test.ts`, '8: 4,000 characters'],
      [SOCKETS, '8: %s in a key injects nothing'],
      ['src/log.test.ts', '8: text with line ends stays one line'],
    ],
  },
  {
    row: 9,
    name: 'key in query or body',
    proofs: [[`${ROUTE}/401.test.ts`, '9: a key in the query or the body is no key']],
  },
  { row: 10, name: 'key that looks like SQL', proofs: [[`${ROUTE}/403.test.ts`, "'10: SQL'"]] },
  { row: 11, name: 'address missing', proofs: [[`${ROUTE}/400.test.ts`, '11: absent']] },
  { row: 12, name: 'chain missing', proofs: [[`${ROUTE}/400.test.ts`, '12: absent']] },
  { row: 13, name: 'both missing', proofs: [[`${ROUTE}/400.test.ts`, '13: absent, and the chain too']] },
  { row: 14, name: 'wrong type of address', proofs: [[`${ROUTE}/400.test.ts`, '14: a list']] },
  { row: 15, name: 'malformed address', proofs: [[`${ROUTE}/400.test.ts`, '15: 39 digits']] },
  {
    row: 16,
    name: 'wrong EIP-55 checksum',
    proofs: [
      [`${ROUTE}/400.test.ts`, '16: mixed case with a wrong checksum'],
      [`${ROUTE}/200.test.ts`, '16: mixed case with the right checksum'],
    ],
  },
  {
    row: 17,
    name: 'special addresses',
    proofs: [
      [`${ROUTE}/200.test.ts`, '17: the zero address'],
      [TARGETS, 'a precompile'],
    ],
  },
  {
    row: 18,
    name: 'chain variants',
    proofs: [
      [`${ROUTE}/400.test.ts`, '18: %s'],
      [`${ROUTE}/200.test.ts`, '18: %s is chain 1'],
    ],
  },
  {
    row: 19,
    name: 'duplicate keys',
    proofs: [[`${ROUTE}/200.test.ts`, '19: of a repeated field the last one counts']],
  },
  {
    row: 20,
    name: 'prototype keys',
    proofs: [
      [`${ROUTE}/200.test.ts`, '20, 21: fields that mean nothing are ignored, and no prototype is changed'],
      [`${ROUTE}/400.test.ts`, '20: only in the prototype'],
    ],
  },
  { row: 21, name: 'extra fields', proofs: [[`${ROUTE}/200.test.ts`, '20, 21: fields that mean nothing are ignored']] },
  { row: 22, name: 'body is not an object', proofs: [[`${ROUTE}/400.test.ts`, '22: %s is no object']] },
  { row: 23, name: 'broken JSON', proofs: [[`${ROUTE}/400.test.ts`, '23: %s']] },
  {
    row: 24,
    name: 'broken text',
    proofs: [
      [`${ROUTE}/400.test.ts`, '24: half a character'],
      [`${ROUTE}/400.test.ts`, '24: UTF-16'],
    ],
  },
  { row: 25, name: 'content type', proofs: [[`${ROUTE}/413-415.test.ts`, '25: %j']] },
  {
    row: 26,
    name: 'large body',
    proofs: [
      [SOCKETS, '26: a megabyte is answered with 413'],
      [SOCKETS, '26: chunks without a length are answered with 413 after 8 KB'],
    ],
  },
  { row: 27, name: 'compressed bomb', proofs: [[SOCKETS, '27: a bomb is refused by its headers']] },
  { row: 28, name: 'deep nesting', proofs: [[`${ROUTE}/400.test.ts`, '28: thousands of nested lists']] },
  {
    row: 29,
    name: 'wrong method',
    proofs: [
      [`${ROUTE}/404-405.test.ts`, '29: 405'],
      [SOCKETS, '29: methods that Fastify does not know'],
    ],
  },
  {
    row: 30,
    name: 'unknown route',
    proofs: [
      [`${ROUTE}/404-405.test.ts`, '30: 404'],
      [SOCKETS, '30: a path of 10 KB'],
    ],
  },
  {
    row: 31,
    name: 'slow headers',
    proofs: [
      [SOCKETS, '31: headers that do not end are cut off with 408'],
      [SOCKETS, '31: others are served meanwhile'],
    ],
  },
  { row: 32, name: 'slow body', proofs: [[SOCKETS, '32: a body that does not end is cut off with 408']] },
  { row: 33, name: 'request smuggling', proofs: [[SOCKETS, '33: request smuggling']] },
  { row: 34, name: 'pipelining', proofs: [[SOCKETS, '34: a hundred requests on one connection']] },
  {
    row: 35,
    name: 'client leaves',
    proofs: [
      [SOCKETS, '35: the client leaves'],
      ['src/scheduling/concurrency-limit.test.ts', '35: a job that no caller waits for any more'],
      ['src/simulation/simulator.test.ts', 'a client who leaves frees the thread'],
    ],
  },
  {
    row: 36,
    name: 'rate limit',
    proofs: [[`${ROUTE}/429.test.ts`, '36: the eleventh analysis in a minute is refused']],
  },
  {
    row: 37,
    name: 'burst at the window edge',
    proofs: [
      [`${ROUTE}/429.test.ts`, '37: fifty at the same time'],
      ['src/limits/memory-limiter.test.ts', '37: no sliding window ever holds more than the limit'],
    ],
  },
  {
    row: 38,
    name: 'clock step',
    proofs: [
      [`${ROUTE}/429.test.ts`, '38: a clock that is set by %d ms changes nothing'],
      ['src/limits/memory-limiter.test.ts', '38: a wall clock that jumps by %d ms changes nothing'],
    ],
  },
  {
    row: 39,
    name: 'sharing of the counter',
    proofs: [
      [`${ROUTE}/429.test.ts`, '39: the analysis prefixes share one counter'],
      [`${ROUTE}/429.test.ts`, '39: the two classes are counted apart'],
    ],
  },
  {
    row: 40,
    name: 'address rotation',
    proofs: [
      [`${ROUTE}/429.test.ts`, '40: is the same caller with every address of its /64'],
      ['src/limits/caller-address.test.ts', '40: every address of one /64 is the same caller'],
    ],
  },
  {
    row: 41,
    name: 'limiter store down',
    proofs: [
      ['src/limits/guarded-limiter.test.ts', '41: the store goes down'],
      ['src/limits/guarded-limiter.test.ts', '41: a Redis that is not there leaves the limits as they are'],
      ['src/limits/redis-limiter.service.test.ts', '41: a connection that falls silent is left for a new one'],
      ['src/state/redis-fact-store.service.test.ts', '41: a connection that falls silent is left for a new one'],
      ['src/batches/job-queue.service.test.ts', '41: connections that fall silent are left for new ones'],
      ['src/keys/sql-key-store.service.test.ts', '41: survives connections that fall silent'],
    ],
  },
  {
    row: 42,
    name: 'key store damaged',
    proofs: [
      ['src/keys/sql-key-store.service.test.ts', '42: a damaged file is an error that names no content'],
      [`${ROUTE}/403.test.ts`, 'the key store fails: 500 in the envelope, and all is well when it is back'],
      ['test/catalogue/full-disk.service.test.ts', '42: a full disk'],
    ],
  },
  {
    row: 43,
    name: 'sign-in replay',
    proofs: [
      [SIGN_IN, 'a replay, also at the same time'],
      ['src/http/routes/auth/auth.test.ts', 'a replay'],
    ],
  },
  {
    row: 44,
    name: 'sign-in mismatch',
    proofs: [
      [SIGN_IN, 'a nonce of one of our sites at another'],
      [SIGN_IN, 'another chain than the nonce is for'],
      [SIGN_IN, 'what is past its time'],
      [SIGN_IN, 'a nonce that it never gave'],
    ],
  },
  {
    row: 45,
    name: 'sign-in signature',
    proofs: [
      [SIGN_IN, 'forms of one signature'],
      ['src/accounts/contract-wallet.devnet.test.ts', 'ERC-1271: the contract answers for its owner'],
      ['src/accounts/contract-wallet.devnet.test.ts', 'a contract that does not answer as it must'],
    ],
  },
  {
    row: 46,
    name: 'key flood',
    proofs: [
      ['src/accounts/wallet-keys.test.ts', 'a wallet has so many keys and no more'],
      ['src/accounts/wallet-keys.test.ts', 'an address orders so many a day'],
    ],
  },
  {
    row: 47,
    name: 'target without code',
    proofs: [[TARGETS, '%s: no contract, nothing to simulate, and nobody accused']],
  },
  {
    row: 48,
    name: 'delegated account',
    proofs: [
      [HOSTILE, '48: an account that delegates'],
      ['src/evm/create-evm.test.ts', 'runs the delegate’s code on the account’s own storage'],
    ],
  },
  { row: 49, name: 'destroyed contract', proofs: [[HOSTILE, '49: a contract that was destroyed']] },
  { row: 50, name: 'endless loop in transfer', proofs: [[HOSTILE, '50: a loop without end']] },
  { row: 51, name: 'self-calling bomb', proofs: [[ATTACKS, 'two self-calls in 16 bytes']] },
  {
    row: 52,
    name: 'memory expansion',
    proofs: [
      [ATTACKS, 'memory of 2^32 bytes'],
      [ATTACKS, 'a store at 2^255'],
    ],
  },
  {
    row: 53,
    name: 'large return data',
    proofs: [
      [ATTACKS, 'return bomb of 1 MB'],
      [HOSTILE, '53: a megabyte of return data'],
    ],
  },
  { row: 54, name: 'log flood', proofs: [[ATTACKS, 'log bomb']] },
  {
    row: 55,
    name: 'trace flood',
    proofs: [
      [ATTACKS, 'trace bomb: calls with 1 MB of input'],
      ['src/evm/limits.test.ts', 'a call tree that outgrows its bound is marked'],
    ],
  },
  {
    row: 56,
    name: 'create flood',
    proofs: [
      [ATTACKS, 'create bomb, 48 KB of init code'],
      [ATTACKS, 'create bomb, code that begins with 0xef'],
    ],
  },
  {
    row: 57,
    name: 'precompile flood',
    proofs: [
      [ATTACKS, 'pairing of two points in a loop'],
      [ATTACKS, 'MODEXP of 1 KB'],
      [ATTACKS, 'BLAKE2F in a loop'],
      [ATTACKS, 'point evaluation'],
    ],
  },
  {
    row: 58,
    name: 'static bombs',
    proofs: [
      [HOSTILE, '58: 24 KB of jump destinations'],
      ['src/bytecode/facts-fuzz.test.ts', 'none throws, none takes a second, memory stays flat'],
      ['src/bytecode/interpret.test.ts', 'an exhausted budget is a gap'],
      ['src/bytecode/disassemble.test.ts', 'push data is no code'],
    ],
  },
  { row: 59, name: 'oversized code from the node', proofs: [[HOSTILE, '59: %s of code']] },
  { row: 60, name: 'proxy chains', proofs: [[HOSTILE, '60: %s']] },
  {
    row: 61,
    name: 'hostile metadata',
    proofs: [
      ['src/dex/token-metadata.test.ts', 'never throws on hostile bytes'],
      ['src/dex/token-metadata.test.ts', 'reads a bytes32'],
      ['src/untrusted-text.test.ts', 'drops terminal codes and direction overrides'],
    ],
  },
  { row: 62, name: 'extreme amounts', proofs: [['src/reports/simulation/to-report.test.ts', '62: ']] },
  {
    row: 63,
    name: 'extreme fees',
    proofs: [
      ['src/dex/tax.test.ts', 'stays between nothing and everything, and grows with what is kept back'],
      ['test/traps/expectations.ts', 'RebaseDivisor: later('],
    ],
  },
  {
    row: 64,
    name: 'pool problems',
    proofs: [
      [TARGETS, 'a token without a pool is no honeypot'],
      ['test/venues/odd-markets.devnet.test.ts', 'without a pool'],
      ['src/devnet/examples.ts', "name: 'v3-only'"],
    ],
  },
  { row: 65, name: 'reserve mismatch', proofs: [[HOSTILE, '65: a pool that has more than it knows']] },
  {
    row: 66,
    name: 'every technique and pill',
    proofs: [
      ['test/traps/techniques.test.ts', 'name nothing that has no trap and no twin'],
      ['test/traps/traps.devnet.test.ts', 'traps and their twins'],
    ],
  },
  {
    row: 67,
    name: 'time traps outside the windows',
    proofs: [
      ['test/traps/expectations.ts', 'TimeWindowSellWeekday: later()'],
      ['src/checks/honeypot/instants.test.ts', 'test('],
    ],
  },
  { row: 68, name: 'node unreachable', proofs: [[`${ROUTE}/500.test.ts`, '68: no node can be reached'], FAULT_RUNS] },
  { row: 69, name: 'node hangs or drips', proofs: [[FAULTS, 'no answer ever'], FAULT_MATRIX, FAULT_RUNS] },
  { row: 70, name: 'node refuses', proofs: [[FAULTS, 'HTTP 429, come back in an hour'], FAULT_MATRIX, FAULT_RUNS] },
  {
    row: 71,
    name: 'node sends garbage',
    proofs: [
      [FAULTS, 'an HTML page'],
      [FAULTS, 'text that is no hex'],
      ['src/rpc/node-replies.test.ts', 'test'],
      FAULT_MATRIX,
      FAULT_RUNS,
    ],
  },
  {
    row: 72,
    name: 'node lies',
    proofs: [
      [FAULTS, 'another chain'],
      [FAULTS, 'a head that is an hour old'],
      [FAULTS, 'overrides are ignored'],
      FAULT_MATRIX,
      FAULT_RUNS,
    ],
  },
  {
    row: 73,
    name: 'node lacks methods',
    proofs: [
      [FAULTS, 'missing trie node'],
      ['test/fault-proxy/fault-proxy.test.ts', 'a plainer node refuses what it does not have'],
      FAULT_MATRIX,
    ],
  },
  {
    row: 74,
    name: 'redirects and inner addresses',
    proofs: [
      [FAULTS, 'a redirect inwards'],
      ['src/rpc/rpc-client.devnet.test.ts', 'a redirect inwards'],
      ['test/traps/techniques.test.ts', 'nothing that handles what contracts say can open a connection'],
    ],
  },
  {
    row: 75,
    name: 'process faults',
    proofs: [
      [SOCKETS, '75: stopping'],
      ['src/main.service.test.ts', '75: a key survives the end of the process by SIGKILL'],
      ['test/catalogue/kill.service.test.ts', '75: no key, no revocation and no accepted batch is lost'],
      ['src/simulation/simulator.test.ts', 'a thread that does not come back is killed, and the next job is served'],
      [PROCESS, '75: a full disk for logs'],
      [PROCESS, '75: a reader of the log that hangs'],
      [PROCESS, '75: without file descriptors'],
    ],
  },
]
