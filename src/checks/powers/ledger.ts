import { callData, readWords } from '../../dex/read-contract.js'
import type { Inspector } from '../../evm/inspector.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import type { Address, Hex } from '../../hex.js'
import { opcodeByName } from '../../instructions/opcodes.js'
import { MARK, MARK_ANSWER } from './hostile-code.js'
import type { Stage } from './stage.js'

/** The token's books, as far as buyers care. What the token refuses to tell is `undefined`. */
export interface Ledger {
  buyer: bigint | undefined
  bystander: bigint | undefined
  pool: bigint | undefined
  /** The account that acts; absent where none does yet. */
  holder: bigint | undefined
  fresh: bigint | undefined
  hostile: bigint | undefined
  supply: bigint | undefined
  /** What the holder, and the account not met before, may take of the buyer and of the pool. */
  allowances: readonly (bigint | undefined)[]
}

type Staged = Pick<Stage, 'fork' | 'token' | 'buyer' | 'bystander' | 'market' | 'fresh' | 'hostile'>

/** The books as they were, and as they are whenever they are asked for. */
export interface Books {
  before: Ledger
  read(): Ledger
}

/**
 * Reads the books on the fork as it is. They are the same as long as every word of storage and all
 * code that the answers came from are, and are not asked again then: most calls of a holder change
 * a setting alone.
 */
export function openBooks(stage: Staged, holder: Address | undefined): Books {
  const { evm } = stage.fork
  const access = createStorageAccessInspector()
  const origins = createOrigins()
  const before = readLedger(stage, holder, [access, origins])
  const { reads, isTruncated } = access.finish()
  const { asked, isOfSurroundings } = origins.finish()
  const codes = [...asked].map((address) => [address, evm.account(address).codeHash] as const)
  const isSame = () =>
    !isTruncated &&
    !isOfSurroundings &&
    codes.every(([address, hash]) => evm.account(address).codeHash === hash) &&
    [...reads].every(([address, slots]) => [...slots].every(([slot, value]) => evm.storage(address, slot) === value))
  return { before, read: () => (isSame() ? before : readLedger(stage, holder)) }
}

function readLedger(
  { fork, token, buyer, bystander, market, fresh, hostile }: Staged,
  holder: Address | undefined,
  watch: readonly Inspector[] = [],
): Ledger {
  const ask = (selector: Hex, ...accounts: readonly Address[]) =>
    readWords(fork, token, callData(selector, accounts), { watch })?.[0]
  const [own, pool] = [buyer.context.trader.address, market.pool.address]
  const takers = holder === undefined ? [fresh] : [holder, fresh]
  return {
    buyer: ask(BALANCE_OF, own),
    bystander: ask(BALANCE_OF, bystander.context.trader.address),
    pool: ask(BALANCE_OF, pool),
    holder: holder && ask(BALANCE_OF, holder),
    fresh: ask(BALANCE_OF, fresh),
    hostile: ask(BALANCE_OF, hostile),
    supply: ask(TOTAL_SUPPLY),
    allowances: takers.flatMap((taker) => [ask(ALLOWANCE, own, taker), ask(ALLOWANCE, pool, taker)]),
  }
}

/** `balanceOf(address)`, `totalSupply()`, `allowance(address,address)` */
export const [BALANCE_OF, TOTAL_SUPPLY, ALLOWANCE] = ['0x70a08231', '0x18160ddd', '0xdd62ed3e'] as const

/** What an answer can come from besides storage, and can change while a holder acts. */
const SURROUNDINGS = [
  ...['BALANCE', 'SELFBALANCE', 'EXTCODESIZE', 'EXTCODECOPY', 'EXTCODEHASH', 'BLOCKHASH', 'COINBASE', 'TIMESTAMP'],
  ...['NUMBER', 'SLOTNUM', 'PREVRANDAO', 'GASLIMIT', 'BASEFEE', 'BLOBBASEFEE'],
].map((name) => opcodeByName(name))

/** Whose code answers, and whether something besides storage and code went into the answers. */
function createOrigins(): Inspector<{ asked: ReadonlySet<Address>; isOfSurroundings: boolean }> {
  const asked = new Set<Address>()
  let isOfSurroundings = false
  return {
    opcodes: SURROUNDINGS,
    onStep() {
      isOfSurroundings = true
    },
    onCall({ to, codeAddress }) {
      asked.add(to)
      asked.add(codeAddress)
    },
    finish: () => ({ asked, isOfSurroundings }),
  }
}

/** Words that the token answers from, with their values. */
export function wordsOf({ evm }: Stage['fork'], token: Address, data: Hex): [slot: bigint, value: bigint][] {
  const access = createStorageAccessInspector()
  evm.read({ to: token, data }, [access])
  return [...(access.finish().reads.get(token) ?? [])]
}

/** Whether the token runs code that we put in its place. */
export function runsHostileCode({ fork, token }: Pick<Stage, 'fork' | 'token'>): boolean {
  return readWords(fork, token, MARK)?.[0] === MARK_ANSWER
}
