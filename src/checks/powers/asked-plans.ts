import type { Slot } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { type CodeEntry, entryOf, hiddenWritesOf, isOwnFunction } from './hidden-entries.js'
import type { ActingHolder, HolderFinder } from './holders.js'
import { planOf } from './plan-of-entry.js'
import { ownPlans, type Plan } from './plans.js'
import { readContracts } from './read-contracts.js'
import type { Stage } from './stage.js'

/** Contracts that guards ask, whose functions are looked for when a refusal names them. */
const MAX_ASKED = 2
/** Functions that write one word and are of no use but for that. */
const MAX_PREPARING = 4

/** Functions by which what a refusal asked for may be written. */
export type AskedPlans = (word: Slot) => readonly Plan[]

/**
 * Functions that are no powers themselves: of a contract that is none of the token's, and that no
 * sale asks, each read once; and those that do nothing but write the word, as a first step of two.
 */
export function createAskedPlans(stage: Stage, plans: readonly Plan[], finder: HolderFinder): AskedPlans {
  const known = new Map<Address, readonly Plan[]>()
  const preparing = new Map<string, readonly Plan[]>()
  const isListed = (address: Address) => plans.some(({ contract }) => contract === address)
  const ofContract = (word: Slot) => {
    const { address } = word
    const before = known.get(address)
    if (before || isListed(address) || stage.exchange.has(address) || known.size >= MAX_ASKED) return before ?? []
    const read = readContracts(stage.fork, address).flatMap((code) => ownPlans(stage, code, finder, [word]))
    known.set(address, read)
    return read
  }
  return (word) => {
    if (stage.exchange.has(word.address)) return []
    const name = `${word.address} ${word.slot}`
    const others = ofContract(word)
    const found = preparing.get(name) ?? preparingPlans(stage, [...plans, ...others], word)
    preparing.set(name, found)
    return [...others, ...found]
  }
}

/** Who may call it is not asked: the account of the next step tries. */
const NEXT: ActingHolder = { kind: 'unknown', delaySeconds: 0, isHidden: true }

function preparingPlans(stage: Stage, plans: readonly Plan[], word: Slot): Plan[] {
  const isKnown = ({ contract, selector }: CodeEntry) =>
    !isOwnFunction(selector) || plans.some((plan) => plan.contract === contract && plan.selector === selector)
  return readContracts(stage.fork, word.address)
    .flatMap((code) => code.facts.functions.flatMap((fn) => entryOf(code, fn) ?? []))
    .filter((entry) => !isKnown(entry) && hiddenWritesOf(entry, word).length > 0)
    .slice(0, MAX_PREPARING)
    .flatMap((entry) => planOf(entry, [word], { holders: [NEXT], kinds: new Set(['other']) }) ?? [])
}
