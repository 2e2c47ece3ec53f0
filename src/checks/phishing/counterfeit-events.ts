import { callData, readWords } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

/** `Transfer(address,address,uint256)` */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const BALANCE_OF = '0x70a08231'
const EMPTY_WORD = `0x${'0'.repeat(64)}`

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
 * Whom the target says that it took from, where that is not the caller. New tokens come from the
 * zero address.
 */
function claimedSender({ target }: Stage, { from }: Attempt, { logs }: Outcome): Address | undefined {
  for (const { address, topics, data } of logs) {
    const [topic, sender, receiver] = topics
    if (address !== target || topic !== TRANSFER || topics.length !== 3 || data === EMPTY_WORD) continue
    if (sender === undefined || sender === EMPTY_WORD || sender === receiver) continue
    const who: Address = `0x${sender.slice(-40)}`
    if (who !== from && who !== target) return who
  }
  return undefined
}
