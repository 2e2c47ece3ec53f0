import { createHash } from 'node:crypto'
import { PROGRAM_DATA_HEADER_BYTES, readUpgradeability, type SolanaAccount, viewOf } from './account.js'
import type { SolanaAddress } from './address.js'
import { PUMP_CURVE } from './pools/layouts.js'
import { readPool } from './pools/read-pool.js'
import { TOKEN_PROGRAMS, UPGRADEABLE_LOADER } from './programs.js'
import { type Mint, parseMint } from './token/mint.js'
import { parseTokenAccount } from './token/token-account.js'

/**
 * What an account says, as numbers that are compared: `STATE` is what decides about trades,
 * `HOLDERS` who may change that, `AMOUNT` what it holds.
 */
export const ACCOUNT_WORDS = { STATE: 0n, HOLDERS: 1n, AMOUNT: 2n } as const

/** What of an account is looked at: all of mints and pools, and the head of a program's code. */
export const WATCHED_BYTES = 2_048

/**
 * The words of an account, by number; what is not told is zero. Of accounts that are longer than
 * {@link WATCHED_BYTES} only the beginning counts, whether the rest is known or not.
 */
export function readAccountWords(
  address: SolanaAddress,
  account: SolanaAccount | undefined,
): ReadonlyMap<bigint, bigint> {
  if (account === undefined) return new Map()
  const cut = { ...account, data: account.data.subarray(0, WATCHED_BYTES) }
  if (TOKEN_PROGRAMS.includes(account.owner)) {
    const mint = parseMint(address, cut)
    if (mint !== undefined) return wordsOfMint(mint)
    const holding = parseTokenAccount(address, cut)
    if (holding !== undefined)
      return new Map<bigint, bigint>([
        [ACCOUNT_WORDS.STATE, holding.frozen ? 2n : 1n],
        [ACCOUNT_WORDS.AMOUNT, holding.amount],
      ])
  }
  if (account.owner === UPGRADEABLE_LOADER && cut.data.length >= PROGRAM_DATA_HEADER_BYTES) {
    const upgrade = readUpgradeability(account, cut)
    const holder = upgrade.kind === 'upgradeable' ? digest([upgrade.authority]) : 0n
    return new Map<bigint, bigint>([
      [ACCOUNT_WORDS.STATE, viewOf(cut.data).getBigUint64(DEPLOYED_AT, true)],
      [ACCOUNT_WORDS.HOLDERS, holder],
    ])
  }
  if (account.owner === PUMP_CURVE.program && cut.data.length >= PUMP_CURVE.minBytes)
    return new Map<bigint, bigint>([
      [ACCOUNT_WORDS.STATE, PUMP_CURVE.isComplete(cut.data) ? 2n : 1n],
      [ACCOUNT_WORDS.AMOUNT, PUMP_CURVE.realLamports(cut.data)],
    ])
  // Time alone changes nothing here: a pool counts as open once its time has come.
  const pool = readPool(address, cut, END_OF_TIME)
  if (pool !== undefined)
    return new Map<bigint, bigint>([
      [ACCOUNT_WORDS.STATE, digest([pool.status, pool.mints, pool.vaults, pool.vaultOwner])],
    ])
  return new Map<bigint, bigint>([
    [ACCOUNT_WORDS.STATE, digest([account.owner, Buffer.from(cut.data).toString('base64')])],
  ])
}

const DEPLOYED_AT = 4
const END_OF_TIME = 2n ** 62n

/** Keys of extensions under which a holder of a power stands. */
const HOLDER_KEYS = ['authority', 'withdrawAuthority', 'delegate', 'updateAuthority']
/** What transfers themselves change. */
const MOVING_KEYS = ['withheld']

/** Supply moves with each mint and burn, and is left out. */
function wordsOfMint({ decimals, mintAuthority, freezeAuthority, extensions, ...mint }: Mint) {
  const held: unknown[] = [mintAuthority ?? null, freezeAuthority ?? null]
  const rules = Object.entries(extensions).map(([name, extension]) => {
    const fields = Object.entries(extension as object)
    held.push(
      ...fields.filter(([key]) => HOLDER_KEYS.includes(key)).map(([key, holder]) => [name, key, holder ?? null]),
    )
    return [name, fields.filter(([key]) => !HOLDER_KEYS.includes(key) && !MOVING_KEYS.includes(key))]
  })
  return new Map<bigint, bigint>([
    [ACCOUNT_WORDS.STATE, digest([decimals, mint.extensionNames, mint.unknownExtensions, mint.malformed, rules])],
    [ACCOUNT_WORDS.HOLDERS, digest(held)],
  ])
}

/** 256 bits that stand for these values. */
function digest(values: readonly unknown[]): bigint {
  const text = JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
}
