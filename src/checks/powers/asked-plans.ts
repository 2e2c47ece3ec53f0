import type { Slot } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import type { HolderFinder } from './holders.js'
import { ownPlans, type Plan } from './plans.js'
import { readContracts } from './read-contracts.js'
import type { Stage } from './stage.js'

/** Contracts that guards ask, whose functions are looked for when a refusal names them. */
const MAX_ASKED = 2

/** Functions of the contract whose storage a refusal named. */
export type AskedPlans = (word: Slot) => readonly Plan[]

/** Functions of a contract that is none of the token's, and that no sale asks; each read once. */
export function createAskedPlans(stage: Stage, plans: readonly Plan[], finder: HolderFinder): AskedPlans {
  const known = new Map<Address, readonly Plan[]>()
  const isListed = (address: Address) => plans.some(({ contract }) => contract === address)
  return (word) => {
    const { address } = word
    const before = known.get(address)
    if (before || isListed(address) || stage.exchange.has(address) || known.size >= MAX_ASKED) return before ?? []
    const read = readContracts(stage.fork, address).flatMap((code) => ownPlans(stage, code, finder, [word]))
    known.set(address, read)
    return read
  }
}
