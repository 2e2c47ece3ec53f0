import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fields, list, oneOf, text } from '../../chains/check-json.js'
import { BaseError } from '../../errors.js'
import { PROGRAM_DATA_HEADER_BYTES, programDataAddress, type SolanaAccount, viewOf } from '../account.js'
import type { SolanaAddress } from '../address.js'
import type { Pool, VenueId } from './pool.js'
import { SWAP_ADAPTERS } from './swap.js'

/**
 * An exchange whose swaps an operator saw work with the real program of his own cluster (`assay
 * solana verify`).
 */
export interface ProvenSwap {
  venue: VenueId
  program: SolanaAddress
  /** The slot in which its code was deployed, decimal: other code is not proven. */
  deployedSlot: string
}

/** Accounts as one analysis knows them. */
type Accounts = ReadonlyMap<SolanaAddress, SolanaAccount | undefined>

/** Whether swaps in this pool were proven with the program as it is now. */
export function isProven(proven: readonly ProvenSwap[], { venue, program }: Pool, accounts: Accounts): boolean {
  const deployedSlot = deployedSlotOf(program, accounts)
  return proven.some((each) => each.venue === venue && each.program === program && each.deployedSlot === deployedSlot)
}

/**
 * The slot in which a program's code was deployed; `0` where it holds its own and cannot be
 * replaced. `undefined` when it is none.
 */
export function deployedSlotOf(program: SolanaAddress, accounts: Accounts): string | undefined {
  const account = accounts.get(program)
  if (account?.executable !== true) return undefined
  const code = programDataAddress(account)
  if (code === undefined) return '0'
  const data = accounts.get(code)?.data
  if (data === undefined || data.length < PROGRAM_DATA_HEADER_BYTES) return undefined
  return viewOf(data).getBigUint64(SLOT_AT, true).toString()
}

const SLOT_AT = 4

const parseSwap = fields<ProvenSwap, object>(
  {
    venue: oneOf(...(Object.keys(SWAP_ADAPTERS) as VenueId[])),
    program: text<SolanaAddress>(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'an address in base58'),
    deployedSlot: text(/^\d{1,20}$/, 'a slot in decimal'),
  },
  {},
)

const parseProven = fields<{ proven: ProvenSwap[] }, object>(
  {
    proven: list(parseSwap, 64),
  },
  {},
)

const fileIn = (dataDir: string) => join(dataDir, 'solana-proven.json')

/**
 * What was proven in this installation; nothing where no file is. Throws {@link ProvenFileError}
 * for one that cannot be read.
 */
export function readProven(dataDir: string): readonly ProvenSwap[] {
  const path = fileIn(dataDir)
  const problems: string[] = []
  try {
    const { proven } = parseProven(JSON.parse(readFileSync(path, 'utf8')), '', problems)
    if (problems.length === 0) return proven
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new ProvenFileError(path, 'no JSON that can be read', cause)
  }
  throw new ProvenFileError(path, problems.join('; '))
}

/**
 * Keeps what came of a verification: what was said of the same programs before gives way to it. The
 * file is exchanged whole, so that a service that starts meanwhile reads the one or the other.
 */
export function keepProven(dataDir: string, tried: readonly SolanaAddress[], proven: readonly ProvenSwap[]): string {
  const path = fileIn(dataDir)
  const others = readProven(dataDir).filter(({ program }) => !tried.includes(program))
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}`
  const file = openSync(unfinished, 'w', 0o600)
  writeSync(file, `${JSON.stringify({ proven: [...others, ...proven] }, undefined, 2)}\n`)
  fsyncSync(file)
  closeSync(file)
  renameSync(unfinished, path)
  return path
}

export class ProvenFileError extends BaseError {
  override readonly name = 'ProvenFileError'

  constructor(path: string, problem: string, cause?: unknown) {
    super(`${path}: ${problem}`, { cause, docs: 'docs/solana.md' })
  }
}
