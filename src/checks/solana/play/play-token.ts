import { largerOf } from '../../../bigints.js'
import type { Hex } from '../../../hex.js'
import type { SolanaAddress } from '../../../solana/address.js'
import type { Pool } from '../../../solana/pools/pool.js'
import type { Fork } from '../../../solana/svm/fork.js'
import { defineSvmScenario } from '../../../solana/svm/svm-scenario.js'
import { type Mint, parseMint } from '../../../solana/token/mint.js'
import { amountIn } from '../../../solana/token/token-account.js'
import { createAssociatedAccount } from '../../../solana/token/token-instructions.js'
import { SOLANA_WINDOWS } from '../solana-windows.js'
import { deal, provePowers } from './authority-powers.js'
import { explainHook } from './explain-hook.js'
import { createPeople, type People } from './people.js'
import type { LegFacts, PlayFacts, Size, SizeFacts, WindowFacts } from './play-facts.js'
import { type Actor, failedLeg, give, hand, openAccount, openLike, transferOf, tryTransfer } from './play-stage.js'
import { playSwap, type SwapStage, setUpSwap } from './swaps.js'
import { traceTrade } from './trace.js'

export interface PlayInput {
  mint: SolanaAddress
  /** Of the invented people: another one in each answer, and not to be known beforehand. */
  seed: Hex
  /** A token account with much of the supply, to trade with; without one, an invented dealer's. */
  vault: { account: SolanaAddress; owner: SolanaAddress } | undefined
  pool: Pool | undefined
}

/** Buys, sells, waits, and acts as each account that has power over the token. */
export const playToken = defineSvmScenario<PlayInput, PlayFacts | undefined>({
  module: import.meta.url,
  name: 'playToken',
  run(fork, input) {
    const mint = parseMint(input.mint, fork.account(input.mint))
    return mint && play(fork, mint, input)
  },
})

function play(fork: Fork, mint: Mint, input: PlayInput): PlayFacts | undefined {
  const people = createPeople(input.seed)
  fork.dressAs(people.dress)
  const meet = (role: string) => ({ owner: people.wallet(role), lamports: people.lamports(role) })
  const trader = openAccount(fork, mint, meet('trader'))
  const stranger = openLike(fork, mint, meet('stranger'), trader)
  const vault = chooseVault(fork, mint, input, () => openLike(fork, mint, meet('dealer'), trader))
  const swap = setUpSwap(fork, input.pool, mint, { trader, people })
  const sizes = sizesFor(vault.amount, people)
  const plain = sizes.plain

  const reset = (amount: bigint) => {
    fork.restore()
    deal(fork, mint, trader, stranger, amount)
    if (vault.dealer !== undefined) give(fork, mint, vault.dealer, vault.amount)
  }
  const stage: Stage = { fork, mint, trader, stranger, vault, reset, swap }
  const bought = buyOnce(stage, plain)
  const held = SOLANA_WINDOWS.map(({ afterSeconds }) => sellWhatWasBought(stage, bought, afterSeconds))
  const [first, ...laterWindows] = SOLANA_WINDOWS
  const windowNow = playWindow(stage, { ...first, sizes, held: held[0] })
  reset(plain)
  const transfer = tryTransfer(fork, mint, { payer: trader.owner, from: trader, to: stranger, amount: plain }).leg
  // The run is void, and the rest of it names the same accounts.
  if (fork.misses.size > 0) return undefined
  const now = isTimeless(mint) ? windowNow : undefined
  const windows = [
    windowNow,
    ...laterWindows.map((plan, i) => playWindow(stage, { ...plan, sizes, held: held[i + 1], now })),
  ]
  const powers = trader.template
    ? provePowers({ fork, mint, holder: trader, stranger, vault, amount: plain, reset: () => reset(plain) })
    : []
  const program = mint.extensions.transferHook?.program
  const hook =
    program &&
    trader.template &&
    explainHook({
      ...{ fork, mint, program, trader, vault, people, plain },
      reset: () => reset(0n),
      buy: () => void bought.repeat(),
    })
  reset(plain)
  const trace = traceTrade(fork, mint, { trader, vault, amount: plain })
  return {
    trader: trader.owner,
    vault: { address: vault.account, owner: vault.owner, amount: vault.amount, synthetic: vault.dealer !== undefined },
    accountReason: trader.reason,
    windows,
    transfer,
    powers,
    hook,
    trace,
  }
}

interface Vault {
  account: SolanaAddress
  owner: SolanaAddress
  amount: bigint
  /** The invented owner, where the vault is invented. */
  dealer: Actor | undefined
}

interface Stage {
  fork: Fork
  mint: Mint
  trader: Actor
  stranger: Actor
  vault: Vault
  swap: SwapStage | undefined
  reset(amount: bigint): void
}

/**
 * The real vault when it holds enough to be traded with; else one of a dealer who holds a tenth of
 * the supply.
 */
function chooseVault(fork: Fork, mint: Mint, { vault }: PlayInput, openDealer: () => Actor): Vault {
  const amount = vault && amountIn(fork.account(vault.account)?.data)
  if (vault && amount !== undefined && amount >= MIN_VAULT_AMOUNT) return { ...vault, amount, dealer: undefined }
  const dealer = openDealer()
  const tenth = mint.supply / 10n
  return { ...dealer, amount: tenth >= MIN_VAULT_AMOUNT ? tenth : INVENTED_AMOUNT, dealer }
}

/** Below this a percentage cannot be told from rounding. */
const MIN_VAULT_AMOUNT = 100_000n
const INVENTED_AMOUNT = 1_000_000_000n

/**
 * What is traded, in base units: about a thousandth of the vault, a little more than a hundredth,
 * and next to nothing.
 */
function sizesFor(vaultAmount: bigint, people: People): Record<Size, bigint> {
  const plain = largerOf(people.share('plain size', vaultAmount, 600n, 4_000n), 100n)
  const large = people.share('large size', vaultAmount, 80n, 100n)
  const wanted = people.between('dust size', LEAST_DUST, MOST_DUST)
  return { plain, large: largerOf(large, plain), dust: atMost(wanted, plain) }
}

/** So little that a cap on fees does not matter, and enough that rounding does not either. */
const LEAST_DUST = 700n
const MOST_DUST = 1_900n

const atMost = (amount: bigint, most: bigint) => (amount > most ? most : amount)

/** A purchase that stays: what the token remembers of it must not be forgotten before the sale. */
interface Purchase {
  leg: LegFacts
  /** Repeats the purchase on a fresh copy. */
  repeat(): LegFacts
}

function buyOnce({ fork, mint, trader, vault, reset }: Stage, amount: bigint): Purchase {
  const repeat = (): LegFacts => {
    if (trader.template === undefined) return failedLeg(trader.reason)
    reset(0n)
    const result = fork.send(trader.owner, [openAgain(mint, trader), transferOf(fork, mint, vault, trader, amount)])
    const received = amountIn(fork.account(trader.account)?.data) ?? 0n
    return { ...failedLeg(''), ok: result.ok, sent: amount, received }
  }
  return { leg: repeat(), repeat }
}

interface WindowPlan {
  label: WindowFacts['label']
  afterSeconds: number
  sizes: Record<Size, bigint>
  held: LegFacts | undefined
  /** The first window, of a token that knows no time. */
  now?: WindowFacts | undefined
}

/** Sales and purchases of all sizes start from the same state: each is undone by itself. */
function playWindow(stage: Stage, { label, afterSeconds, sizes, held, now }: WindowPlan): WindowFacts {
  const { fork, swap, reset } = stage
  reset(0n)
  fork.moveTo(afterSeconds)
  const plain = playSize(stage, 'plain', sizes.plain)
  const others = now?.sizes[0] && isAsBefore(plain, now.sizes[0]) ? now.sizes.slice(1) : undefined
  const facts = [plain, ...(others ?? OTHER_SIZES.map((size) => playSize(stage, size, sizes[size])))]
  if (swap === undefined) return { label, sizes: facts, held, swap: undefined }
  hand(fork, stage.mint, stage.trader, 0n)
  return { label, sizes: facts, held, swap: playSwap(fork, swap) }
}

const OTHER_SIZES = ['large', 'dust'] as const

/**
 * Whether no rule of the token asks what time it is. Without a program of its own the token program
 * decides alone, and of all that it knows a fee on transfers alone begins at some epoch.
 */
const isTimeless = ({ extensions, unknownExtensions, malformed }: Mint) =>
  extensions.transferHook === undefined &&
  extensions.transferFee === undefined &&
  unknownExtensions.length === 0 &&
  !malformed

/** Where a trade of the usual size comes out otherwise later, time matters after all. */
const isAsBefore = (later: SizeFacts, now: SizeFacts) =>
  (['buy', 'sell'] as const).every((way) => {
    const [a, b] = [later[way], now[way]]
    return a.ok === b.ok && a.received === b.received && a.reason === b.reason
  })

/**
 * Each leg alone, with balances put in place: with a tax of 100 % a purchase brings nothing, and
 * its sale would show nothing.
 */
function playSize({ fork, mint, trader, vault }: Stage, size: Size, amount: bigint): SizeFacts {
  if (trader.template === undefined) {
    return { size, amount, buy: failedLeg(trader.reason), sell: failedLeg(trader.reason) }
  }
  hand(fork, mint, trader, amount)
  const payer = trader.owner
  // Wallets open the account in the same transaction, whether it is there or not; sizes differ in
  // it, so that no shape is that of all purchases.
  const before = size === 'plain' ? [openAgain(mint, trader)] : []
  const buy = tryTransfer(fork, mint, { payer, from: vault, to: trader, amount, before }).leg
  const sell = tryTransfer(fork, mint, { payer, from: trader, to: vault, amount }).leg
  return { size, amount, buy, sell }
}

const openAgain = (mint: Mint, { owner, account }: Actor) =>
  createAssociatedAccount(mint, { payer: owner, owner, account })

/** On the fork as the purchase left it: the sale is undone. */
function sellWhatWasBought(
  { fork, mint, trader, vault }: Stage,
  { leg }: Purchase,
  afterSeconds: number,
): LegFacts | undefined {
  if (!leg.ok || leg.received === 0n) return undefined
  fork.moveTo(afterSeconds)
  return tryTransfer(fork, mint, { payer: trader.owner, from: trader, to: vault, amount: leg.received }).leg
}
