import type { TradeContext } from '../../dex/legs.js'
import type { BlockEnvironment } from '../../evm/block-environment.js'
import type { Leaf, Slot } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Moved } from './crowd.js'
import type { HiddenCommand } from './hidden-commands.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'

/** A sale that is about to be made, on a branch of the fork. */
export interface Sale {
  context: TradeContext
  /** Base units. */
  held: bigint
  /** What the block of the sale holds instead. */
  block: Partial<BlockEnvironment>
}

/** Something that wallets, markets, chains or time bring about before a sale. */
export interface Circumstance {
  name: ProbeFacts['name']
  /** Equal for two that would bring about the same. */
  key: string
  /** What a loss in it means, where that can be said more exactly than by the name. */
  meaning?(sold: SellFacts): string
  /** `undefined` where it cannot be brought about. */
  enter(sale: Sale): Sale | undefined
  /** Where it was only set: whether what is said to bring it about does so. Costs some trades. */
  comesAbout?(context: TradeContext): boolean
}

/** What circumstances are worked out from. */
export interface Setting {
  context: TradeContext
  random: SeededRandom
  held: bigint
  /** Wei that it was bought for. */
  amount: bigint
  motions: readonly Moved[]
  /** Words that they were carried on to for other conditions, by leaf. */
  words: Map<string, bigint[]>
  /** Whether an ordinary purchase or sale wrote the word. */
  isMoved(leaf: Slot): boolean
  /** Words of a contract that any address moves by calls. */
  openCalls(contract: Address): readonly Moved[]
  /** What commands hidden in transfers may make of a word. */
  hiddenCommands(leaf: Slot): readonly HiddenCommand[]
}

/** A circumstance, with what it makes of one leaf of a formula. */
export interface Candidate {
  leaf: string
  is(leaf: Leaf): boolean
  value: bigint
  circumstance: Circumstance
}
