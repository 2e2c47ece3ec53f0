import type { EngineFacts } from '../chains/chain.js'
import { BaseError } from '../errors.js'
import { toPaddedHex } from '../hex.js'
import type { Word } from '../instructions/word.js'
import type { Code } from './code.js'

/**
 * What a chain runs that is not EVM code, so that this engine must decline instead of answering
 * emptily.
 */
export interface ChainExtras {
  /**
   * Why a call to this account cannot be run here; `undefined` when it can. `code` is what the
   * account holds.
   */
  unsupported(address: Word, code: Code): string | undefined
  /**
   * BLOCKHASH answers with made-up hashes here, on the real chain too, so that no node is asked for
   * them.
   */
  madeUpBlockHashes?: boolean
}

/** Facts of the system that a chain runs; Ethereum has none. */
export function chainExtras({ system }: EngineFacts = {}): ChainExtras | undefined {
  return system && EXTRAS[system]
}

const EXTRAS: Record<NonNullable<EngineFacts['system']>, ChainExtras> = {
  bsc: { unsupported: (address) => named(address, BSC_PRECOMPILES, 'BSC precompile', [0x64, 0x70]) },
  base: { unsupported: (address) => nativeToken(address) },
  arbitrum: {
    unsupported: (address, code) => named(address, ARBOS_PRECOMPILES, 'ArbOS precompile', [0x64, 0x74]) ?? stylus(code),
    madeUpBlockHashes: true,
  },
}

/** BEP-126, BEP-221, BEP-274, BEP-299, BEP-333 and what came with Jenner. */
const BSC_PRECOMPILES = new Map([
  [0x64, 'tmHeaderValidate'],
  [0x65, 'iavlMerkleProofValidate'],
  [0x66, 'blsSignatureVerify'],
  [0x67, 'cometBFTLightBlockValidate'],
  [0x68, 'verifyDoubleSignEvidence'],
  [0x69, 'secp256k1SignatureRecover'],
  [0x70, 'block time in milliseconds'],
])
/** Arbitrum's precompile reference. */
const ARBOS_PRECOMPILES = new Map([
  [0x64, 'ArbSys'],
  [0x65, 'ArbInfo'],
  [0x66, 'ArbAddressTable'],
  [0x68, 'ArbFunctionTable'],
  [0x6b, 'ArbOwnerPublic'],
  [0x6c, 'ArbGasInfo'],
  [0x6d, 'ArbAggregator'],
  [0x6e, 'ArbRetryableTx'],
  [0x6f, 'ArbStatistics'],
  [0x70, 'ArbOwner'],
  [0x71, 'ArbWasm'],
  [0x72, 'ArbWasmCache'],
  [0xff, 'ArbDebug'],
])

/**
 * What a precompile is called; of those in the chain's range that have no name here, the address
 * is.
 */
function named(
  address: Word,
  names: ReadonlyMap<number, string>,
  what: string,
  [first, last]: readonly [number, number],
): string | undefined {
  if (typeof address !== 'number') return undefined
  const name = names.get(address)
  if (name === undefined && (address < first || address > last)) return undefined
  const place = `${what} 0x${address.toString(16)}`
  return name === undefined ? place : `${place} (${name})`
}

/**
 * Whether Base runs a B20 token itself at the address. Ten bytes of prefix, the variant, nine bytes
 * of hash (base-std, `IB20Factory.sol`): an attacker can find a contract address with a shorter
 * prefix, and would be spared the interpreter.
 */
export const isB20Address = (address: bigint): boolean => address >> 80n === 0xb200_0000_0000_0000_0000n

/** Base's native tokens, and the precompiles that make them and keep their lists. */
function nativeToken(address: Word): string | undefined {
  if (typeof address === 'number') return undefined
  if (!isB20Address(address) && !BASE_SINGLETONS.has(address)) return undefined
  return `native token contract ${toPaddedHex(address, 20)}`
}

/** Factory, activation registry and policy registry (base-std, `StdPrecompiles.sol`). */
const BASE_SINGLETONS: ReadonlySet<bigint> = new Set([
  0xb20f000000000000000000000000000000000000n,
  0x8453000000000000000000000000000000000001n,
  0x8453000000000000000000000000000000000002n,
])

/** Stylus programs are WASM behind the prefix 0xeff000. */
function stylus({ bytes }: Code): string | undefined {
  return bytes[0] === 0xef && bytes[1] === 0xf0 && bytes[2] === 0x00 ? 'Stylus program' : undefined
}

/**
 * The run met something that only the chain's own node can execute. The whole run is void: ask the
 * node instead.
 */
export class UnsupportedExecutionError extends BaseError {
  override readonly name = 'UnsupportedExecutionError'
  readonly what: string

  constructor(what: string) {
    super(`Cannot be simulated locally: ${what}`, { docs: 'engine.md' })
    this.what = what
  }
}
