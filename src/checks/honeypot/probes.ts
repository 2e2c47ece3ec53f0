import { maxUint256 } from 'viem'
import { largerOf } from '../../bigints.js'
import { approve, buy, sell, type TradeContext } from '../../dex/legs.js'
import type { Slot } from '../../evm/inspectors/term.js'
import type { SeededRandom } from '../../simulation/random.js'
import { type Trader, WALLET_GAS_LIMIT } from '../../simulation/trader.js'
import { conditionsOf, slotsIn } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import { sellPatiently } from '../trade/patient-sell.js'
import { sellAsContractAfterCall, sellAsOtherAccounts } from './account-kinds.js'
import type { CodeReads } from './code-reads.js'
import type { SaleConditions } from './condition-facts.js'
import { createIsCoupled } from './coupled-words.js'
import { sellAmongOthers, watchOwnSales, worst } from './crowd.js'
import { sellAsMostDo, withEstimatedGas } from './everyday-sale.js'
import { explainSale, type UsualSale } from './explain-sale.js'
import { sellGift } from './free-calls.js'
import { createHiddenCommands } from './hidden-commands.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { sellAfterLaterCode } from './later-code.js'
import { sellAfterLongCrowd } from './long-crowd.js'
import { sellAfterMoves } from './market-moves.js'
import { createOpenCalls } from './open-calls.js'
import { sellAfterPurchases, sellAfterReturning, sellInParts } from './own-trades.js'
import type { PartialWork } from './partial-work.js'
import { pass } from './pass.js'
import { playSell, toSellFacts } from './play-window.js'
import { sellByOtherRoutes } from './routes.js'
import { allowOthers } from './seller-words.js'

/** Wei per gas: more than wallets offer on a quiet day, less than a bot at a launch. */
const HIGH_TIP_PER_GAS = 30_000_000_000n
/** More gas than a wallet sends. */
const PLENTIFUL_GAS = 5_000_000n

/** What all ways to sell have in common: the ordinary purchase and sale. */
export interface Holding extends UsualSale {
  held: bigint
  /** Wei that it was bought for. */
  amount: bigint
  /** What the token asked about the account that trades. */
  asksCode: CodeReads
}

/** What the other ways to sell showed. */
export interface Probed {
  probes: readonly ProbeFacts[]
  /** Absent where a bound of ours ended the work before. */
  conditions: SaleConditions | undefined
}

/**
 * Ways to sell that an ordinary round trip does not take: by wallets that were given the tokens,
 * after others traded, in parts, at other gas prices and limits, and in whatever circumstances a
 * condition of the sale asks for. Each is played on a branch of the fork on which `context.trader`
 * holds `held` tokens.
 */
export function playProbes(plain: TradeContext, random: SeededRandom, holding: Holding, work: PartialWork): Probed {
  const { held, asksTime } = holding
  const context = { ...plain, trader: { ...plain.trader, mostGas: mostGasFor(plain, held) } }
  const as = (different: Partial<Trader>) => ({ ...context, trader: { ...context.trader, ...different } })
  const plays: [ProbeFacts['name'], () => SellFacts | undefined][] = [
    ['second-sell', () => sellInParts(context, holding)],
    ['small-sell', () => (held > SMALL_PART * FINE_UNITS ? playSell(context, held / SMALL_PART) : undefined)],
    ['second-purchase', () => sellAfterPurchases(context, holding)],
    ['second-purchase', () => (asksTime ? sellAfterLaterPurchase(context, holding) : undefined)],
    ['second-purchase', () => sellAfterReturning(context, holding)],
    ['unlimited-approval', () => sellApprovedWithoutLimit(context, held)],
    ['other-approval', () => sellAfterOtherApprovals(context, held)],
    ['no-tip', () => playSell(as({ tipPerGas: 0n }), held)],
    ['high-gas-price', () => playSell(as({ tipPerGas: HIGH_TIP_PER_GAS }), held)],
    ['plentiful-gas', () => playSell(as({ gasLimit: PLENTIFUL_GAS }), held)],
    ['estimated-gas', () => sellApprovedAsEstimated(context, held)],
  ]
  const played = plays.flatMap(([name, play]) => {
    const sold = work.play('circumstances', () => onBranch(context, play))
    return sold ? [{ name, sold }] : []
  })
  const gift = work.play('circumstances', () =>
    onBranch(context, () => sellGift(context, random, { amount: held / 2n, usual: holding.sold })),
  )
  const routes = work.play('circumstances', () => sellByOtherRoutes(context, held, holding))
  const crowd = work.play('circumstances', () => onBranch(context, () => sellAmongOthers(context, random, holding)))
  const long = crowd?.movesSale
    ? work.play('circumstances', () => onBranch(context, () => sellAfterLongCrowd(context, random, holding)))
    : []
  const later = work.play('circumstances', () => sellAfterLaterCode(context, held, holding.observed))
  const moved = work.play('circumstances', () => sellAfterMoves(context, random, holding, work))
  const own = work.play('circumstances', () => onBranch(context, () => watchOwnSales(context, held, holding)))
  const slots = slotsIn(conditionsOf(context, holding.observed))
  const openCalls = createOpenCalls(context, random, slots)
  const isCoupled = createIsCoupled(context, crowd?.motions ?? [], { keepsHolding: crowd?.keepsHolding === true })
  const setting = {
    context,
    random,
    held,
    amount: holding.amount,
    motions: [...(crowd?.motions.filter((motion) => !isCoupled(motion)) ?? []), ...(own ?? [])],
    isMoved: ({ address, slot }: Slot) => holding.stored.some((each) => each.address === address && each.slot === slot),
    openCalls,
    hiddenCommands: createHiddenCommands(context),
    words: new Map(),
  }
  const accounts = work.play('circumstances', () => sellAsOtherAccounts(setting, holding.asksCode))
  const explained = work.play('circumstances', () => explainSale(setting, holding))
  const alone = [
    ...(gift ? [gift] : []),
    ...played,
    ...(routes ?? []),
    ...(crowd?.probes ?? []),
    ...(long ?? []),
    ...(later ?? []),
    ...(moved ?? []),
    ...(accounts ?? []),
    ...(explained?.probes ?? []),
  ]
  // A condition that would do harm, and that nothing brings about by itself, may need company.
  const isOpen = explained?.conditions.others.some(({ isHarmful }) => isHarmful) === true
  const everyday = isOpen ? work.play('circumstances', () => sellAsMostDo(setting, holding, alone)) : undefined
  const probes = [...alone, ...(everyday ?? [])]
  // A wallet that is a contract can call as well as trade; what is refused otherwise is not mended.
  const ofWallet = probes.some(isRefusedWallet)
    ? work.play('circumstances', () => sellAsContractAfterCall(setting, holding.sold))
    : undefined
  return {
    probes: ofWallet ? probes.map((each) => (isRefusedAs(ofWallet, each) ? ofWallet : each)) : probes,
    conditions: explained?.conditions,
  }
}

const isRefusedWallet = ({ name, sold }: ProbeFacts): boolean => name === 'contract-wallet' && !sold.success

const isRefusedAs = ({ sold }: ProbeFacts, each: ProbeFacts): boolean =>
  isRefusedWallet(each) && each.sold.errorReason === sold.errorReason

/**
 * What is paid for a sale in other circumstances: several times what the ordinary one takes. Work
 * that grows with what trades note would use up what the analysis may spend.
 */
function mostGasFor(context: TradeContext, held: bigint): bigint {
  const gasUsed = onBranch(context, () => {
    approve(context, held)
    pass(context.fork, 0)
    return sell(context, held).sent.result.gasUsed
  })
  return largerOf(2n * WALLET_GAS_LIMIT, GROWN_GAS * gasUsed)
}

const GROWN_GAS = 4n

/** What several plays of one name showed at worst, in the order of their first. */
export function worstOfEach(probes: readonly ProbeFacts[]): ProbeFacts[] {
  const found = new Map<ProbeFacts['name'], ProbeFacts>()
  for (const probe of probes) {
    const known = found.get(probe.name)
    found.set(probe.name, known ? { ...probe, sold: worst([known.sold, probe.sold]) } : probe)
  }
  return [...found.values()]
}

/** One part in so many: what a wallet sells that only tries. */
const SMALL_PART = 1_000n
/** Base units below which rounding looks like tax. */
const FINE_UNITS = 10_000n

/** Two purchases of one afternoon. */
const HOURS_BETWEEN = 2 * 3_600_000

function sellAfterLaterPurchase(context: TradeContext, { held, amount }: Holding): SellFacts | undefined {
  pass(context.fork, HOURS_BETWEEN)
  const again = buy(context, amount)
  if (!again.success || again.tokenDelta <= 0n) return undefined
  pass(context.fork, 0)
  return playSell(context, held + again.tokenDelta)
}

/** As most wallets approve, where the ordinary sale approves what it needs. */
function sellApprovedWithoutLimit(context: TradeContext, held: bigint): SellFacts | undefined {
  if (approve(context, maxUint256)?.success !== true) return undefined
  pass(context.fork, 0)
  return toSellFacts(context, sellPatiently(context, held).leg)
}

function sellAfterOtherApprovals(context: TradeContext, held: bigint): SellFacts {
  allowOthers(context)
  pass(context.fork, 0)
  return playSell(context, held)
}

/** With the gas that a wallet sends which asked a node for an estimate first. */
function sellApprovedAsEstimated(context: TradeContext, held: bigint): SellFacts | undefined {
  if (approve(context, held)?.success === false) return undefined
  pass(context.fork, 0)
  const estimated = withEstimatedGas(context, held)
  return estimated && playSell(estimated, held)
}
