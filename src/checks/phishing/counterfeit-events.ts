import { callData, readWords } from '../../dex/read-contract.js'
import { type Address, ZERO_ADDRESS } from '../../hex.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

const BALANCE_OF = '0x70a08231'

/**
 * Notes when the target records a transfer of an account's tokens that did not happen: the sender
 * has as many after it as before.
 */
export function noteCounterfeits(stage: Stage, entry: EntryPoint, attempt: Attempt, outcome: Outcome): void {
  if (stage.findings.some(({ id }) => id === 'counterfeit-events')) return
  const sender = claimedSender(stage, attempt, outcome)
  if (sender === undefined) return
  const read = () => readWords(stage.fork, stage.target, callData(BALANCE_OF, [sender]))?.[0]
  const before = read()
  let after: bigint | undefined
  stage.play(attempt, () => {
    after = read()
  })
  if (before === undefined || after === undefined || after < before) return
  stage.findings.push({
    id: 'counterfeit-events',
    check: undefined,
    selector: entry.selector,
    by: attempt.from === stage.outsider ? 'anyone' : 'holder',
    caller: attempt.from,
    asset: undefined,
    amount: undefined,
    to: undefined,
    grantedTo: undefined,
    trace: outcome.trace,
    text: undefined,
  })
}

/**
 * The account that the target says it took from, all its records of the call together, where that
 * is not the caller: what is given and burnt in part is no loss. New tokens come from the zero
 * address.
 */
function claimedSender({ target }: Stage, { from }: Attempt, { tokens }: Outcome): Address | undefined {
  const others = [...(tokens.get(target) ?? [])].filter(([who]) => ![from, target, ZERO_ADDRESS].includes(who))
  return others.find(([, delta]) => delta < -MOST_ROUNDED)?.[0]
}

/** Base units: shares of an index that has grown are less than nothing of so little. */
const MOST_ROUNDED = 1_000n
