import { BaseError } from '../errors.js'
import { toPaddedHex } from '../hex.js'
import type { Code } from './code.js'
import type { Word } from './word.js'

/** What a chain runs that is not EVM code, so that this engine must decline instead of answering emptily. */
export interface ChainExtras {
  /** Why a call to this account cannot be run here; `undefined` when it can. `code` is what the account holds. */
  unsupported(address: Word, code: Code): string | undefined
  /** BLOCKHASH answers with made-up hashes here, on the real chain too, so that nobody need be asked for them. */
  madeUpBlockHashes?: boolean
}

/** Facts of single chains; Ethereum and unknown chains have none. */
export function chainExtras(chainId: number): ChainExtras | undefined {
  return EXTRAS.get(chainId)
}

const EXTRAS = new Map<number, ChainExtras>([
  // Light client, BLS and evidence precompiles 0x64 to 0x69, the millisecond clock 0x70 (BEP-126, BEP-299 and others).
  [56, { unsupported: (address) => inRange(address, 0x64, 0x70, 'BSC precompile') }],
  [8453, { unsupported: (address) => nativeToken(address) }],
  [
    42161,
    {
      unsupported: (address, code) => inRange(address, 0x64, 0x74, 'ArbOS precompile', 0xff) ?? stylus(code),
      madeUpBlockHashes: true,
    },
  ],
])

function inRange(address: Word, first: number, last: number, what: string, ...more: number[]): string | undefined {
  if (typeof address !== 'number') return undefined
  if ((address < first || address > last) && !more.includes(address)) return undefined
  return `${what} 0x${address.toString(16)}`
}

/** Base's B20 tokens are precompiles at addresses that begin with 0xb200, their factory with 0xb20f. */
function nativeToken(address: Word): string | undefined {
  if (typeof address === 'number') return undefined
  const prefix = address >> 144n
  if (prefix !== 0xb200n && prefix !== 0xb20fn) return undefined
  return `native token contract ${toPaddedHex(address, 20)}`
}

/** Stylus programs are WASM behind the prefix 0xeff000. */
function stylus({ bytes }: Code): string | undefined {
  return bytes[0] === 0xef && bytes[1] === 0xf0 && bytes[2] === 0x00 ? 'Stylus program' : undefined
}

/** The run met something that only the chain's own node can execute. The whole run is void: ask the node instead. */
export class UnsupportedExecutionError extends BaseError {
  override readonly name = 'UnsupportedExecutionError'
  readonly what: string

  constructor(what: string) {
    super(`Cannot be simulated locally: ${what}`, { docs: 'engine.md' })
    this.what = what
  }
}
