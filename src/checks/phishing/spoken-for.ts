import type { Address, Hex } from '../../hex.js'
import { dataOf } from './call-data.js'
import { mastersOf } from './deposit-acts.js'
import { type Taking, takerIn } from './deposit-takers.js'
import { backOf, type Deposit, type Exit, entryOf, withdrawals } from './exits.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'

/**
 * How an account takes the deposit that the contract believes to speak for its depositor: the last
 * 20 bytes of its calls name the sender (ERC-2771), and no signature was asked for, for it has no
 * code. One that is a contract is looked at by itself, in what its code passes on.
 */
export function takeAsSpeaker(stage: Stage, deposit: Deposit, exit: Exit, notes: EntryNotes): Taking | undefined {
  const { target, thief } = stage
  const { attempt } = exit
  const entry = entryOf(stage, exit)
  if (attempt === undefined || entry === undefined) return undefined
  for (const from of mastersOf(stage, notes)) {
    const inItsName = (data: Hex) => ({ from, to: target, data: spokenFor(data, stage.victim.address) })
    // Where it may only do what pays the depositor, it takes nothing.
    if (backOf(stage, deposit, stage.play(inItsName(attempt.data))) <= 0n) continue
    for (const values of withdrawals(stage, deposit, entry, thief)) {
      const made = inItsName(dataOf(entry, values))
      const outcome = stage.play(made)
      const to = takerIn(stage, deposit, outcome)
      if (to !== undefined) return { acts: [{ entry, attempt: made, by: 'holder', outcome }], noticeMs: 0, to }
    }
  }
  return undefined
}

/** The call with the account at its end, as a forwarder of ERC-2771 makes it. */
const spokenFor = (data: Hex, sender: Address): Hex => `${data}${sender.slice(2)}`
