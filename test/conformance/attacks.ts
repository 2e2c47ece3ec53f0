import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { chains } from '../../src/chains/index.js'
import type { Evm } from '../../src/evm/evm.js'
import { createCallTraceInspector } from '../../src/evm/inspectors/call-trace.js'
import { AnalysisResistedError } from '../../src/evm/limits.js'
import { type Address, type Hex, hexToBytes } from '../../src/hex.js'
import { defineScenario } from '../../src/simulation/scenario.js'
import { type Simulator, StateUnsettledError } from '../../src/simulation/simulator.js'
import { createMemoryStateSource } from '../../src/state/memory-state-source.js'

/** Code that is written to exhaust whoever analyses it. */
export interface Attack {
  name: string
  code: Hex
  /**
   * What may end it: a bound of ours, `halt` where its gas is gone in time, `success` where it is
   * over by itself. Several where the machine's speed decides.
   */
  ends: readonly string[]
}

export const ATTACK_TARGET: Address = '0x00000000000000000000000000000000000a77ac'
const ATTACKER: Address = '0x00000000000000000000000000000000000a77ad'
/**
 * What a block of Ethereum let one transaction use before EIP-7825: the worst that a caller could
 * ask of us.
 */
export const ATTACK_GAS = 60_000_000n

const word = (value: bigint | number, bytes = 32) => value.toString(16).padStart(bytes * 2, '0')
const ones = (bytes: number) => 'ff'.repeat(bytes)
/** JUMPDEST, body, PUSH0, JUMP. */
const endless = (body: string): Hex => `0x5b${body}5f56`
const CALL_NOBODY = '5f5f5f5f5f61dead5af150'

/** Copies `input` from behind the code to memory, and calls the precompile with it for ever. */
function flood(precompile: number, input: string): Hex {
  const size = word(input.length / 2, 3)
  const target = word(precompile, 2)
  const start = word(0x20, 3)
  return `0x62${size}62${start}5f395b5f5f62${size}5f5f61${target}5af150600a565b5b5b5b${input}`
}

/** The generator of bn254's G2 as the pairing check reads it (EIP-197). */
const BN254_G2 =
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa'
const BN254_PAIR = word(1) + word(2) + BN254_G2
const G1 = bls12_381.G1.Point.BASE.toAffine()
const G2 = bls12_381.G2.Point.BASE.toAffine()
const BLS_G1 = word(G1.x, 64) + word(G1.y, 64)
const BLS_G2 = word(G2.x.c0, 64) + word(G2.x.c1, 64) + word(G2.y.c0, 64) + word(G2.y.c1, 64)
const MESSAGE = Buffer.alloc(32, 7)
const KEY = Buffer.alloc(32, 9)

function signedForRecovery(): string {
  const signature = Buffer.from(secp256k1.sign(MESSAGE, KEY, { prehash: false, format: 'recovered' })).toString('hex')
  return MESSAGE.toString('hex') + word(27 + Number.parseInt(signature.slice(0, 2), 16)) + signature.slice(2)
}

function signedWithP256(): string {
  const parts = [MESSAGE, p256.sign(MESSAGE, KEY, { prehash: false }), p256.getPublicKey(KEY, false).subarray(1)]
  return parts.map((part) => Buffer.from(part).toString('hex')).join('')
}

/** The zero polynomial is zero at zero, and the point at infinity proves it. */
function pointEvaluation(): string {
  const infinity = `c0${'00'.repeat(47)}`
  const hash = createHash('sha256').update(Buffer.from(infinity, 'hex')).digest('hex')
  return `01${hash.slice(2)}${word(0)}${word(0)}${infinity}${infinity}`
}

const blakeRounds = (rounds: number) => `${word(rounds, 4)}${'00'.repeat(208)}01`
const modexp = (size: number) => word(size) + word(size) + word(size) + ones(size * 3)

/** The attacks of the exhaustion table, and their relatives. */
export const ATTACKS: readonly Attack[] = [
  { name: 'two self-calls in 16 bytes', code: '0x5f5f5f5f5f305af15f5f5f5f5f305af1', ends: ['call depth'] },
  { name: 'one self-call in 8 bytes', code: '0x5f5f5f5f5f305af1', ends: ['call depth'] },
  { name: 'two delegated self-calls', code: '0x5f5f5f5f305af4505f5f5f5f305af4', ends: ['call depth'] },
  {
    name: 'shallow tree of self-calls',
    code: '0x5a622dc6c01015600b57005b5f5f5f5f5f305a6002900a50',
    ends: ['success', 'halt'],
  },
  { name: 'calls to an account without code', code: endless(CALL_NOBODY), ends: ['call frames'] },
  {
    name: 'trace bomb: calls with 1 MB of input',
    code: endless('5f5f621000005f5f61dead5af150'),
    ends: ['call frames'],
  },
  { name: 'keccak over 32 KB', code: endless('6180005f2050'), ends: ['steps', 'halt'] },
  { name: 'keccak over 64 bytes', code: endless('60405f2050'), ends: ['steps', 'halt'] },
  {
    name: 'BLAKE2F, 50 million rounds at once',
    code: '0x6302faf0805f525f5f60d5601c5f60095af100',
    ends: ['precompiles'],
  },
  { name: 'BLAKE2F in a loop', code: flood(0x09, blakeRounds(50_000)), ends: ['precompiles'] },
  { name: 'pairing of two points in a loop', code: flood(0x08, BN254_PAIR.repeat(2)), ends: ['precompiles'] },
  { name: 'pairing of a hundred points at once', code: flood(0x08, BN254_PAIR.repeat(100)), ends: ['precompiles'] },
  { name: 'ECADD', code: flood(0x06, word(1) + word(2) + word(1) + word(2)), ends: ['precompiles', 'call frames'] },
  { name: 'ECMUL', code: flood(0x07, word(1) + word(2) + ones(32)), ends: ['precompiles'] },
  { name: 'ECRECOVER', code: flood(0x01, signedForRecovery()), ends: ['precompiles'] },
  { name: 'MODEXP of 32 bytes', code: flood(0x05, modexp(32)), ends: ['precompiles', 'call frames'] },
  { name: 'MODEXP of 1 KB', code: flood(0x05, modexp(1024)), ends: ['precompiles', 'halt'] },
  { name: 'point evaluation', code: flood(0x0a, pointEvaluation()), ends: ['precompiles'] },
  { name: 'BLS12-381 sum', code: flood(0x0c, (BLS_G1 + ones(32)).repeat(8)), ends: ['precompiles'] },
  { name: 'BLS12-381 pairing', code: flood(0x0f, (BLS_G1 + BLS_G2).repeat(2)), ends: ['precompiles'] },
  { name: 'BLS12-381 map to curve', code: flood(0x11, word(5, 64) + word(7, 64)), ends: ['precompiles'] },
  { name: 'P256VERIFY', code: flood(0x100, signedWithP256()), ends: ['precompiles', 'call frames'] },
  { name: 'SHA-256 of 1 KB', code: flood(0x02, ones(1024)), ends: ['call frames'] },
  { name: 'RIPEMD-160 of 1 KB', code: flood(0x03, ones(1024)), ends: ['precompiles', 'call frames'] },
  { name: 'identity of 16 KB', code: flood(0x04, ones(16_384)), ends: ['call frames', 'precompiles', 'halt'] },
  { name: 'ADD', code: endless('5f5f0150'), ends: ['steps'] },
  { name: 'MULMOD of large numbers', code: endless('6003195f19600719900950'), ends: ['steps'] },
  { name: 'EXP with large exponents', code: endless('5f1960035f190a5050'), ends: ['steps', 'halt'] },
  { name: 'JUMP', code: endless(''), ends: ['steps'] },
  { name: 'memory grown word by word', code: endless('5f5952'), ends: ['memory', 'halt'] },
  { name: 'memory of 2^32 bytes', code: '0x5f640100000000525f5f', ends: ['halt'] },
  { name: 'a store at 2^255', code: `0x5f7f80${'00'.repeat(31)}52`, ends: ['halt'] },
  { name: 'MCOPY of 1 MB', code: '0x5f62100000525b62100000602060405e600656', ends: ['halt', 'steps'] },
  { name: 'log bomb', code: endless('5f5fa0'), ends: ['logs'] },
  { name: 'log bomb with data', code: endless('6180005fa0'), ends: ['log data'] },
  { name: 'return bomb of 1 MB', code: '0x621000005ff3', ends: ['return data'] },
  { name: 'revert bomb of 1 MB', code: '0x621000005ffd', ends: ['return data'] },
  // Called by itself it answers 200 KB, called from outside it asks itself for that over and over.
  {
    name: 'returndata copied in a loop',
    code: '0x333014601957005b5f5f5f5f5f305af1503d5f5f3e600656005b6203200 05ff3'.replace(' ', '') as Hex,
    ends: ['call frames', 'halt', 'success'],
  },
  { name: 'create bomb', code: endless('5f5f5ff050'), ends: ['call frames', 'halt'] },
  { name: 'create bomb, 48 KB of init code', code: endless('61c0005f5ff050'), ends: ['steps', 'halt'] },
  {
    name: 'create bomb, code that begins with 0xef',
    code: endless('60ef5f5360015f5ff35f5f5ff050'),
    ends: ['success', 'halt'],
  },
  { name: 'CREATE2 bomb', code: endless('5a5f5f5ff550'), ends: ['call frames', 'halt'] },
  { name: 'transient storage with keys of one hash', code: endless('5a60401b5a905d'), ends: ['steps', 'halt'] },
  { name: 'storage with keys of one hash', code: endless('5a60401b5450'), ends: ['state', 'steps', 'halt'] },
  { name: 'accounts of one hash', code: endless('5a60401b3150'), ends: ['state', 'steps', 'halt'] },
  {
    name: 'code of 24 KB copied in a loop',
    code: `0x5b6160005f5f395f56${'5b'.repeat(24_000)}`,
    ends: ['steps', 'halt'],
  },
  { name: 'block hashes', code: endless('60014303405043600290034050'), ends: ['steps', 'state', 'halt'] },
]

/**
 * Runs the code as an attacker would have us run it: in a worker thread, with the gas of a whole
 * block.
 */
export const attackScenario = defineScenario({
  module: import.meta.url,
  name: 'attackScenario',
  run: ({ evm }: { evm: Evm }, gasLimit: bigint) => {
    evm.setBalance(ATTACKER, 10n ** 24n)
    const fee = { maxFeePerGas: evm.block.baseFeePerGas, maxPriorityFeePerGas: 0n }
    const { status } = evm.transact({ from: ATTACKER, to: ATTACK_TARGET, gasLimit, ...fee }, [
      createCallTraceInspector(),
    ])
    return status
  },
})

/**
 * The last moment at which a transaction could have all of a block's gas and Prague's precompiles
 * (P256VERIFY came with Osaka).
 */
const BEFORE_OSAKA = 1_760_000_000n

/**
 * Lets a pool of workers suffer the attack; says in the words of {@link Attack.ends} what ended it.
 */
export async function sufferAttack(simulator: Simulator, { code }: Pick<Attack, 'code'>): Promise<string> {
  const chain = chains.find(({ id }) => id === 1)
  if (chain === undefined) throw new Error('Ethereum is missing')
  const state = createMemoryStateSource({
    block: { timestamp: BEFORE_OSAKA, gasLimit: ATTACK_GAS },
    accounts: { [ATTACK_TARGET]: { code: hexToBytes(code) } },
  })
  try {
    return await simulator.simulate({ scenario: attackScenario, input: ATTACK_GAS, chain, state })
  } catch (error) {
    if (error instanceof StateUnsettledError) return 'state'
    if (error instanceof AnalysisResistedError) return error.shortMessage.replace('Analysis resisted: ', '')
    throw error
  }
}
