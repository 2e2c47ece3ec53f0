import { disassemble, sweep } from '../../bytecode/disassemble.js'
import { ADDRESS_MASK, type Address, wordToAddress } from '../../hex.js'
import { opcodeByName } from '../../instructions/opcodes.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import { PAYMENT_GAS } from './books.js'
import { dataOf, distinctData, LEAST_ADDRESS } from './call-data.js'
import { type Deposit, withdrawals } from './exits.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/** What lots are drawn by. */
const CHANCE: ReadonlySet<number> = new Set(['BLOCKHASH', 'PREVRANDAO'].map(opcodeByName))
/** Calls of a row: lots are announced, and drawn. */
const MAX_ROW = 2
/** Plays that rows may take, and accounts that are tried as winners behind each call. */
const MAX_PLAYS = 300
const MAX_WINNERS = 6
const MAX_FUNCTIONS = 24
/** How far apart two entries of one list lie at most. */
const MAX_LIST_SLOTS = 1n << 32n
/** Blocks between two calls: more than a draw is put off by, fewer than hashes are known of. */
const BLOCKS_BETWEEN = 50

/**
 * Whether what was paid in is the stake of a game: once the sale is over, any address can have
 * lots drawn, and one account that is on the list of those who paid in has what is there.
 */
export function isStake(stage: Stage, deposit: Deposit, afterMs: number): boolean {
  if (deposit.holding?.kind === 'nft' || !drawsLots(stage)) return false
  const places = placesOf(stage, deposit)
  if (places.length === 0) return false
  const last = stage.left - MAX_PLAYS
  const { fork, secondOutsider, target } = stage
  const isDrawn = (row: number): boolean =>
    stage.entries.slice(0, MAX_FUNCTIONS).some((entry) => {
      if (entry.selector === undefined) return false
      const ways = [stage.marks.valuesFor(entry.template), ...withdrawals(stage, deposit, entry, secondOutsider)]
      return distinctData(entry, ways).some((data) => {
        if (stage.left < last) return false
        const attempt = { from: secondOutsider, to: target, data }
        const outcome = stage.play(attempt)
        if (!outcome.success || outcome.storage.writes.size === 0) return false
        return branch(fork, () => {
          sendAs(fork, { ...attempt, gasLimit: PAYMENT_GAS })
          wait(fork, BLOCKS_BETWEEN * fork.chain.blockTimeMs)
          if (winnersIn(stage, outcome, places).some((who) => isPaid(stage, deposit, who, outcome))) return true
          return row < MAX_ROW && isDrawn(row + 1)
        })
      })
    })
  return branch(fork, () => {
    wait(fork, afterMs)
    return isDrawn(1)
  })
}

const drawsLots = ({ fork, target }: Stage): boolean =>
  [...sweep(disassemble(fork.evm.code(target)))].some(({ opcode }) => CHANCE.has(opcode))

/** Slots of the list in which the target writes down who paid in, as it does for the victim. */
function placesOf({ play, victim, target }: Stage, { attempt }: Deposit): bigint[] {
  const written = [...(play(attempt).storage.writes.get(target) ?? [])]
  return written.flatMap(([slot, { after }]) => (after === BigInt(victim.address) ? [slot] : []))
}

/** Accounts without code that the call met on the list of those who paid in. */
function winnersIn({ fork, target }: Stage, { storage }: Outcome, places: readonly bigint[]): Address[] {
  const isOnList = (slot: bigint) =>
    places.some((place) => (place > slot ? place - slot : slot - place) < MAX_LIST_SLOTS)
  const met = [...(storage.reads.get(target) ?? [])].filter(([slot]) => isOnList(slot)).map(([, word]) => word)
  const accounts = met.filter((word) => word >= LEAST_ADDRESS && word <= ADDRESS_MASK).map(wordToAddress)
  return [...new Set(accounts)].slice(0, MAX_WINNERS).filter((each) => fork.evm.code(each).length === 0)
}

/** Whether the account has got as much as the deposit by the call, or takes it out now. */
function isPaid(stage: Stage, deposit: Deposit, who: Address, drawn: Outcome): boolean {
  const { target, entries } = stage
  const isEnough = ({ success, native, tokens }: Outcome) => {
    const changes = deposit.holding === undefined ? native : tokens.get(deposit.holding.token)
    return success && (changes?.get(who) ?? 0n) >= deposit.amount
  }
  const takeOut = (data: Attempt['data']) => stage.play({ from: who, to: target, data })
  return (
    isEnough(drawn) ||
    entries.slice(0, MAX_FUNCTIONS).some((entry) => {
      return isEnough(takeOut(dataOf(entry, stage.marks.valuesFor(entry.template))))
    })
  )
}
