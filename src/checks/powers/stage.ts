import { approve, buy, sell, type TradeContext, transfer } from '../../dex/legs.js'
import { type Market, venuesOf } from '../../dex/venues.js'
import { createStorageAccessInspector, type StorageAccess } from '../../evm/inspectors/storage-access.js'
import { ADDRESS_MASK, type Address, toPaddedHex } from '../../hex.js'
import { nextBlock, travel } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import { createStranger, createTrader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { failureReason } from '../trade/failure-reason.js'
import { accompliceOf, HOSTILE_CODE } from './hostile-code.js'
import { type Ledger, openBooks } from './ledger.js'
import { marksBuyers } from './look-later.js'
import type { OwnCallers } from './own-callers.js'
import type { Effort, ProofStep, Scene } from './power.js'
import { createSentSteps, toScene } from './proof-scene.js'

/** A buyer that let the exchange take what was bought. */
export interface Buyer {
  context: TradeContext
  held: bigint
}

/**
 * The world after ordinary people have bought, in which each power is tried on a branch of its own.
 */
export interface Stage {
  fork: Fork
  market: Market
  token: Address
  buyer: Buyer
  /** Bought as well, and is named in no call. */
  bystander: Buyer
  /** Has not bought yet, makes no call and is named in none. */
  newcomer: TradeContext
  /** Wei of each purchase. */
  amount: bigint
  /** An account not met before. */
  fresh: Address
  /** Where {@link HOSTILE_CODE} lies. */
  hostile: Address
  /** Where code lies that is called back in its place. */
  accomplice: Address
  /** Sends for holders that are contracts. */
  operator: Address
  /** Pools, routers and factories: they hold no power, whatever the token compares them with. */
  exchange: ReadonlySet<Address>
  baseline: { ledger: Ledger; sellTaxBps: number; transferTaxBps: number | undefined }
  /** A purchase leaves a record of its buyer. */
  marksBuyers: boolean
  /** Small numbers that the buyer's purchase wrote or counted on from: its place in a list. */
  positions: readonly bigint[]
  /** Contracts that call the token in the name of their own callers alone; absent: none does. */
  ownCallers?: OwnCallers
  /** Storage that buying, selling and transferring read. */
  reads: ReadonlyMap<Address, ReadonlySet<bigint>>
  effort: Effort
  /** How a third party comes as far. */
  scene: Scene
}

/** Longer than the cooldowns of honest tokens. */
const HOLDING_MS = 3_600_000

/** Some tokens refuse to part with the last unit, which is no loss: a hundredth stays. */
const leaveSome = (buyer: Buyer): Buyer => ({ ...buyer, held: buyer.held - buyer.held / 100n })

/**
 * Buys twice and sells once to see what is usual. The reason why nothing can be tried where that
 * fails.
 */
export function setStage(
  fork: Fork,
  market: Market,
  others: readonly Market[],
  random: SeededRandom,
  amount: bigint,
): Stage | string {
  const { evm, chain } = fork
  const token = market.pool.token
  const trade = (name: string): TradeContext => ({
    fork,
    market,
    trader: createTrader(fork, random, `power ${name}`, amount * 2n),
  })
  const [one, other, newcomer] = [trade('buyer'), trade('bystander'), trade('newcomer')]
  const [fresh, hostile, accomplice, operator] = [
    createStranger(fork, random, 'power fresh'),
    createStranger(fork, random, 'power hostile'),
    createStranger(fork, random, 'power accomplice'),
    createStranger(fork, random, 'power operator'),
  ]
  evm.setCode(hostile, HOSTILE_CODE)
  evm.setCode(accomplice, accompliceOf(hostile))
  const begin = evm.block.timestamp
  const buyers: Buyer[] = []
  const noted = createStorageAccessInspector()
  const [bought, approved] = [createSentSteps(), createSentSteps()]
  for (const context of [one, other]) {
    const watch = () => (context === one ? [bought, noted] : [bought])
    const { success, tokenDelta, sent } = buy({ ...context, watch }, amount)
    if (!success || tokenDelta <= 0n) return `the token cannot be bought now: ${failureReason(sent.call, token)}`
    buyers.push({ context, held: tokenDelta })
    evm.setBlock(nextBlock(chain, evm.block))
  }
  evm.setBlock(travel(chain, evm.block, HOLDING_MS))
  for (const { context, held } of buyers) approve({ ...context, watch: () => [approved] }, held)
  evm.setBlock(nextBlock(chain, evm.block))
  const stageSeconds = Number(evm.block.timestamp - begin) + Math.ceil(chain.blockTimeMs / 1_000)
  const [first, second] = buyers
  if (first === undefined || second === undefined) return 'the token cannot be bought now'
  const access = createStorageAccessInspector()
  const watched = { ...first.context, watch: () => [access] }
  const whole = onBranch(watched, () => sell(watched, first.held))
  const [buyer, bystander] = whole.success ? [first, second] : [leaveSome(first), leaveSome(second)]
  const sold = whole.success ? whole : onBranch(watched, () => sell(watched, buyer.held))
  if (!sold.success) return `what was bought cannot be sold now: ${failureReason(sold.sent.call, token)}`
  const moved = onBranch(watched, () => transfer(watched, newcomer.trader.address, buyer.held))
  const purchase = createStorageAccessInspector()
  const last = onBranch(newcomer, () => buy({ ...newcomer, watch: () => [access, purchase] }, amount))
  const exchange = partsOf(fork, [market, ...others])
  const stage = {
    ...{ fork, market, token, buyer, bystander, newcomer, amount, fresh, hostile, accomplice, operator, exchange },
    positions: positionsIn(noted.finish(), token),
    marksBuyers: marksBuyers({ exchange }, purchase.finish(), last.tokenDelta),
    reads: new Map([...access.finish().reads].map(([address, slots]) => [address, new Set(slots.keys())])),
    effort: { calls: 0, trades: 3 },
    scene: toScene({ market, hostile, accomplice }, buyer, [
      ...bought.finish(),
      ...afterHolding(approved.finish(), stageSeconds),
    ]),
  }
  const { before: ledger } = openBooks(stage, undefined)
  return {
    ...stage,
    baseline: { ledger, sellTaxBps: sold.taxBps ?? 0, transferTaxBps: moved.success ? moved.taxBps : undefined },
  }
}

/** Accounts beside the one that was not met before, by number. */
export function freshBeside({ fork, fresh }: Pick<Stage, 'fork' | 'fresh'>, index: number): Address {
  const address: Address = toPaddedHex((BigInt(fresh) + BigInt(index)) & ADDRESS_MASK, 20)
  fork.evm.addStranger(address)
  return address
}

/** Larger numbers are amounts, moments and words of several fields. */
const LAST_POSITION = 1n << 20n
const MAX_POSITIONS = 3

function positionsIn({ writes }: StorageAccess, token: Address): bigint[] {
  const counted = [...(writes.get(token)?.values() ?? [])].filter(
    ({ before, after }) => after === before + 1n || before === 0n,
  )
  const found = counted.flatMap(({ after }) => [after - 1n, after])
  return [...new Set(found)].filter((value) => value > 1n && value < LAST_POSITION).slice(0, MAX_POSITIONS)
}

/**
 * The third party waits for all that passed on the stage at once, from the block of the report on:
 * its own blocks may come a second apart, and a proof that waits for a date would come too early.
 */
const afterHolding = ([first, ...rest]: readonly ProofStep[], stageSeconds: number): ProofStep[] =>
  first === undefined ? [] : [{ ...first, waitSeconds: stageSeconds }, ...rest]

/** All exchanges of the chain, for a token names more than the one that it is judged on. */
function partsOf({ chain }: Fork, markets: readonly Market[]): ReadonlySet<Address> {
  const pools = markets.flatMap(({ pool, via }) => [pool.address, pool.quote, ...(via ? [via.address] : [])])
  const parts = venuesOf(chain).flatMap(({ factory, router, spender }) => [factory, router, spender ?? router])
  return new Set([...pools, ...parts, chain.wrappedNative])
}
