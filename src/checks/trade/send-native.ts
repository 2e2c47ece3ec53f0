import { createReentrancyInspector } from '../../evm/inspectors/reentrancy.js'
import type { Address } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import { send, type Trader } from '../../simulation/trader.js'
import { failureReason } from './failure-reason.js'
import { nothingHappened, type RoundTripFacts } from './round-trip-facts.js'
import { watchedDeltas } from './watched-tokens.js'

/** Wei: about what a claim page asks for. */
const LEAST_GIFT = 10n ** 15n

/**
 * Sends a little native coin to a contract that is no token, without calldata, as someone who
 * mistook it for a wallet would.
 */
export function sendNative(fork: Fork, trader: Trader, target: Address, random: SeededRandom): RoundTripFacts {
  const nativeBefore = fork.evm.account(trader.address).balance
  const reentrancy = createReentrancyInspector()
  const value = LEAST_GIFT + random.between('gift odds', 1n, 10n ** 14n)
  const { result, call, fee } = send(fork, trader, { to: target, value }, () => [reentrancy])
  const success = result.status === 'success'
  return {
    ...nothingHappened('contract', fork.chain),
    nativeDelta: fork.evm.account(trader.address).balance - nativeBefore + fee,
    returnData: result.output,
    gasUsed: result.gasUsed,
    watchedDeltas: watchedDeltas(fork, trader.address, result.logs),
    isReentrancy: reentrancy.finish().reentered,
    steps: [
      {
        name: 'send-native',
        branch: 'main',
        success,
        gasUsed: result.gasUsed,
        errorReason: failureReason(call, target, 'the contract'),
        waitedSeconds: 0,
      },
    ],
    calls: [call],
    logs: result.logs,
  }
}
