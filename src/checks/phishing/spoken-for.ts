import { findCandidateSelectors } from '../../bytecode/candidate-selectors.js'
import { readFacts } from '../../bytecode/facts.js'
import { type ForwarderKind, readForwarder } from '../../bytecode/forwarder.js'
import type { Address, Hex } from '../../hex.js'
import { createCountedLru } from '../../scheduling/lru.js'
import { dataOf } from './call-data.js'
import { type Act, mastersOf } from './deposit-acts.js'
import { type Taking, takerIn } from './deposit-takers.js'
import { isEntryPoint } from './entry-points.js'
import { backOf, type Deposit, type Exit, entryOf, withdrawals } from './exits.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'

/** Contracts that the target treats otherwise than others, and codes of them seen last, by hash. */
const [MAX_CONTRACTS, MAX_CACHED] = [2, 32]
const kinds = createCountedLru<string, ForwarderKind>(MAX_CACHED)

/**
 * How an account takes the deposit that the contract believes to speak for its depositor: the last
 * 20 bytes of its calls name the sender (ERC-2771). Either no signature was asked for, for it has
 * no code, or its code passes on what any account wants, or what its own operator signs or sends.
 */
export function takeAsSpeaker(stage: Stage, deposit: Deposit, exit: Exit, notes: EntryNotes): Taking | undefined {
  const { attempt } = exit
  const entry = entryOf(stage, exit)
  if (attempt === undefined || entry === undefined) return undefined
  for (const from of mastersOf(stage, notes)) {
    const taken = takenBy(stage, deposit, { attempt, entry, from, by: 'holder' })
    if (taken !== undefined) return taken
  }
  for (const from of contractsOf(stage, notes)) {
    const taken = takenBy(stage, deposit, { attempt, entry, from, by: 'holder' })
    // Reading the code costs more than seeing whether it is believed.
    const kind = taken && kindOf(stage, from)
    if (taken !== undefined && kind !== 'signed')
      return { ...taken, acts: taken.acts.map((act) => ({ ...act, by: kind === 'open' ? 'anyone' : 'holder' })) }
  }
  return undefined
}

const contractsOf = ({ fork, target }: Stage, { holders }: EntryNotes): Address[] =>
  [...holders]
    .filter((each) => each !== target && fork.evm.code(each).length > 0 && !isEntryPoint(each))
    .slice(0, MAX_CONTRACTS)

function kindOf({ fork: { evm } }: Stage, contract: Address): ForwarderKind {
  return kinds.getOrMake(evm.account(contract).codeHash, () => {
    const code = evm.code(contract)
    return readForwarder(readFacts(code, { candidates: findCandidateSelectors(code) }))
  })
}

/** The way out in the depositor's name, with another receiver. */
function takenBy(
  stage: Stage,
  deposit: Deposit,
  { attempt, entry, from, by }: Pick<Act, 'attempt' | 'entry' | 'by'> & { from: Address },
): Taking | undefined {
  const { target, thief } = stage
  const inItsName = (data: Hex) => ({ from, to: target, data: spokenFor(data, stage.victim.address) })
  // Where it may only do what pays the depositor, it takes nothing.
  if (backOf(stage, deposit, stage.play(inItsName(attempt.data))) <= 0n) return undefined
  for (const values of withdrawals(stage, deposit, entry, thief)) {
    const made = inItsName(dataOf(entry, values))
    const outcome = stage.play(made)
    const to = takerIn(stage, deposit, outcome)
    if (to !== undefined) return { acts: [{ entry, attempt: made, by, outcome }], noticeMs: 0, to }
  }
  return undefined
}

/** The call with the account at its end, as a forwarder of ERC-2771 makes it. */
const spokenFor = (data: Hex, sender: Address): Hex => `${data}${sender.slice(2)}`
