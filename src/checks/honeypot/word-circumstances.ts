import { buy, type TradeContext } from '../../dex/legs.js'
import { balanceOf, callData } from '../../dex/read-contract.js'
import { evaluatorOf } from '../../evm/inspectors/evaluator-of.js'
import type { Slot, Term } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { createTrader, send } from '../../simulation/trader.js'
import { keyOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import type { Candidate, Circumstance, Sale, Setting } from './circumstance.js'
import type { ProbeFacts } from './honeypot-facts.js'
import { turnsOf } from './motions.js'
import { openWritesOf } from './open-writes.js'
import { pass } from './pass.js'

/**
 * How a word of storage comes to be one with which the formula answers otherwise: by more trades,
 * by calls that any address may make, by commands hidden in transfers, by tokens that are sent to
 * the pool, or by liquidity.
 */
export function candidatesForWord(setting: Setting, leaf: Slot, formula: Term): Candidate[] {
  const isWord = ({ address, slot }: { address: Address; slot: bigint }) =>
    address === leaf.address && slot === leaf.slot
  const moved = setting.motions.filter(isWord)
  const motions = moved.length > 0 ? moved : setting.openCalls(leaf.address).filter(isWord)
  const found = motions.flatMap((motion) =>
    turnsOf(motion, formula).map((turn) => {
      const turns = turned(leaf, formula)
      const comesAbout = (context: TradeContext) => motion.comesAbout?.(context, turn, turns) ?? true
      const word = playedWord(setting, leaf, turn.word, turns)
      return candidate(leaf, word, { ...setWord(motion.by, leaf, word), comesAbout })
    }),
  )
  if (found.length > 0) return found
  const commanded = setting.isMoved(leaf) ? [] : commandedWords(setting, leaf, formula)
  if (commanded.length > 0)
    return commanded.map((value) => candidate(leaf, value, setWord('hidden-command', leaf, value)))
  const writes = openWritesOf(setting.context, leaf)
  const open = writes.length === 0 ? [] : solved(leaf, formula).filter((value) => writes.some((canBe) => canBe(value)))
  if (open.length > 0) return open.map((value) => candidate(leaf, value, setWord('open-call', leaf, value)))
  if (isSendable(setting.context, leaf))
    return solved(leaf, formula)
      .filter((value) => value > leaf.value)
      .map((value) => candidate(leaf, value, setWord('sent-tokens', leaf, value)))
  const { address } = setting.context.market.pool
  return leaf.address === address ? [candidate(leaf, leaf.value, moreLiquidity(setting))] : []
}

/**
 * A word for another condition that is nearly the same and turns this one too, or the word itself:
 * a threshold that several branches ask about is played once.
 */
function playedWord({ words }: Setting, leaf: Slot, word: bigint, turns: (word: bigint) => boolean): bigint {
  const played = words.get(keyOf(leaf)) ?? []
  const near = played.find((each) => turns(each) && isNear(each, word))
  if (near !== undefined) return near
  words.set(keyOf(leaf), [...played, word])
  return word
}

/** Two words that are apart by less than this part of them are near. */
const NEAR = 20n
const isNear = (a: bigint, b: bigint) => (a > b ? a - b : b - a) < (a > b ? a : b) / NEAR

/** Whether a word makes the formula answer otherwise than now. */
function turned(leaf: Slot, formula: Term): (word: bigint) => boolean {
  const valueAt = evaluatorOf(formula, (each) => keyOf(each) === keyOf(leaf))
  const truth = formula.value !== 0n
  return (word) => (valueAt(word) !== 0n) !== truth
}

/** What a command hidden in a transfer or an approval may write, with which the formula turns. */
function commandedWords({ hiddenCommands }: Setting, leaf: Slot, formula: Term): bigint[] {
  const commands = hiddenCommands(leaf)
  if (commands.length === 0) return []
  const constants = commands.flatMap(({ constant }) => (constant === undefined ? [] : [constant]))
  const found = [...constants, ...solved(leaf, formula).filter((value) => commands.some(({ canBe }) => canBe(value)))]
  return [...new Set(found)].filter(turned(leaf, formula)).slice(0, MAX_COMMANDED)
}

/** Words that are tried for one leaf. */
const MAX_COMMANDED = 3

const solved = (leaf: Slot, formula: Term) => solveLeaf(formula, (each) => keyOf(each) === keyOf(leaf), leaf.value)

const candidate = (leaf: Slot, value: bigint, circumstance: Circumstance): Candidate => ({
  ...{ leaf: keyOf(leaf), is: (each) => keyOf(each) === keyOf(leaf), value, circumstance },
})

function setWord(name: ProbeFacts['name'], { address, slot }: Slot, value: bigint): Circumstance {
  const enter = (sale: Sale) => {
    sale.context.fork.evm.setStorage(address, slot, value)
    return sale
  }
  return { name, key: `${address} ${slot} ${value}`, enter }
}

/**
 * The balance of the pool in another token, which any holder of that token can raise: told by what
 * `balanceOf` answers with the word as it is and with another one. An entry of the pool in a list
 * is none.
 */
function isSendable({ fork, market: { pool, via } }: TradeContext, { address, slot, entry, value }: Slot): boolean {
  const exchange = [pool.token, pool.address, pool.quote, via?.address, via?.token]
  if (entry?.key !== BigInt(pool.address) || exchange.includes(address)) return false
  const more = value + 1n
  return (
    balanceOf(fork, address, pool.address) === value &&
    onBranch({ fork }, () => {
      fork.evm.setStorage(address, slot, more)
      return balanceOf(fork, address, pool.address) === more
    })
  )
}

const MINT = '0x6a627842'
const TRANSFER = '0xa9059cbb'
const DEPOSIT = '0xd0e30db0'

/** Another buys for a quarter of the pool's depth and adds all of it (pools of the V2 family). */
function moreLiquidity({ random }: Setting): Circumstance {
  return {
    name: 'added-liquidity',
    key: 'liquidity',
    enter(sale) {
      const { fork, market } = sale.context
      const { pool, depth } = market
      const provider = createTrader(fork, random, 'provider', depth * 4n)
      const own = { ...sale.context, trader: provider }
      const bought = buy(own, depth / 4n)
      if (!bought.success || bought.tokenDelta <= 0n) return undefined
      pass(fork, 0)
      const held = balanceOf(fork, pool.token, provider.address) ?? 0n
      const [coinsThere = 0n, tokensThere = 0n] = [pool.quote, pool.token].map((each) =>
        balanceOf(fork, each, pool.address),
      )
      if (tokensThere === 0n) return undefined
      // A little more coins than the price asks for, so that rounding leaves the price where it is.
      const coins = (coinsThere * held) / tokensThere + 1n
      const steps = [
        { to: pool.quote, value: coins, data: DEPOSIT },
        { to: pool.token, data: callData(TRANSFER, [pool.address, held]) },
        { to: pool.quote, data: callData(TRANSFER, [pool.address, coins]) },
        { to: pool.address, data: callData(MINT, [provider.address]) },
      ] as const
      return steps.every((step) => send(fork, provider, step).result.status === 'success') ? sale : undefined
    },
  }
}
