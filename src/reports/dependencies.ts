import type { Dependencies, Word, WordRole } from '../checks/dependencies/trade-dependencies.js'
import type { LiquidityReport } from '../checks/liquidity/liquidity-report.js'
import { isFailed } from '../checks/settle.js'
import { ADDRESS_MASK } from '../hex.js'
import type { Assessment } from './assess.js'

/** What a verdict stands on, and when it is known to change by itself. */
export interface VerdictDependencies extends Dependencies {
  /** Seconds since 1970 at which the token announced a change; absent where it did not. */
  nextChange: number | undefined
  /** The same of when much of the pool's liquidity comes out of its lock. */
  nextUnlock?: number | undefined
}

/** A lock that holds less of the pool, in basis points, changes little when it ends. */
const TELLING_BPS = 1_000

/** Words of one verdict that are kept, those that decide first. */
const MAX_WORDS = 300

/**
 * The words, codes and dates that a verdict stands on; `undefined` where no trade was looked at,
 * so that nothing is known about what would change it.
 */
export function dependenciesOf({ honeypot }: Assessment): VerdictDependencies | undefined {
  if (honeypot === undefined || isFailed(honeypot) || honeypot.dependencies === undefined) return undefined
  const { dependencies: trade, sweep, nextChange, liquidity } = honeypot
  const words = mostTelling([...trade.words, ...(sweep?.guards ?? [])])
  return {
    words: words.slice(0, MAX_WORDS),
    codes: trade.codes,
    isTruncated: trade.isTruncated || words.length > MAX_WORDS || sweep?.unfinished !== undefined,
    nextChange: nextChange && Number(nextChange.timestamp),
    nextUnlock: nextUnlockOf(liquidity),
  }
}

function nextUnlockOf(liquidity: LiquidityReport | undefined): number | undefined {
  const telling = liquidity?.unlocks.filter(({ shareBps }) => shareBps >= TELLING_BPS) ?? []
  return telling.length === 0 ? undefined : Math.min(...telling.map(({ timestamp }) => timestamp))
}

const ORDER: Record<WordRole, number> = { decides: 0, guards: 1, liquidity: 2, moves: 3 }

/** Each word once, by the role that says most about who changes it. */
function mostTelling(words: readonly Word[]): Word[] {
  const found = new Map<string, Word>()
  for (const word of words) {
    const place = `${word.address} ${word.slot}`
    const known = found.get(place)
    if (!known || weightOf(word) < weightOf(known)) found.set(place, word)
  }
  return [...found.values()].toSorted((a, b) => ORDER[a.role] - ORDER[b.role])
}

/**
 * What each trade changes is told apart from the owner's acts. A word that a trade and a check of
 * the caller both read is the owner where it holds an address, and a switch where it does not.
 */
function weightOf({ role, value }: Word): number {
  if (role === 'liquidity') return 0
  if (role === 'moves') return 1
  if (role === 'guards') return accountsIn(value).length > 0 ? 2 : 4
  return 3
}

/** Accounts that a word may hold: alone, or beside flags as compilers pack them. */
export function accountsIn(value: bigint): bigint[] {
  return [value, value >> 8n].map((each) => each & ADDRESS_MASK).filter((each) => each >= LEAST_ADDRESS)
}

/** Smaller numbers are amounts. */
const LEAST_ADDRESS = 1n << 120n
