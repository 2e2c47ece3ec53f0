import type { TradeContext } from '../../dex/legs.js'
import { balanceOf, balanceOnTrial } from '../../dex/read-contract.js'
import { onBranch } from '../on-branch.js'
import type { Motion } from './motions.js'

/** Words that are looked at. */
const MAX_WORDS = 24

/**
 * Tells words of which trades move several at once, and of which one step alone changes what the
 * trader has, as the two supplies and the excluded accounts of a reflection token. None of them
 * goes on without the others, so that one alone is taken no further. Where trades of others take
 * from who does not trade, or one word tells all balances, it is: a balance may melt.
 */
export function createIsCoupled(
  context: TradeContext,
  motions: readonly Motion[],
  { keepsHolding }: { keepsHolding: boolean },
): (motion: Motion) => boolean {
  let coupled: ReadonlySet<string> | undefined
  return (motion) => {
    coupled ??= keepsHolding ? readCoupled(context, motions) : new Set()
    return coupled.size > 1 && coupled.has(keyOf(motion))
  }
}

const keyOf = ({ address, slot }: Motion) => `${address} ${slot}`

function readCoupled(context: TradeContext, motions: readonly Motion[]): Set<string> {
  const { fork, market, trader } = context
  const { token } = market.pool
  const held = balanceOf(fork, token, trader.address)
  const steps = new Map(motions.map((motion) => [keyOf(motion), motion]))
  const moving = [...steps.values()].slice(0, MAX_WORDS).filter(({ address, slot, after }) => {
    const [now, next] = [after(0), after(1)]
    if (address !== token || now === undefined || next === undefined) return false
    const word = fork.evm.storage(address, slot) + next - now
    if (word < 0n || word >= WORD) return false
    return onBranch(context, () => {
      fork.evm.setStorage(address, slot, word)
      return balanceOnTrial(fork, token, trader.address) !== held
    })
  })
  return new Set(moving.map(keyOf))
}

const WORD = 2n ** 256n
