import type { Slot } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { readParameters } from './choices.js'
import type { DecisiveWords } from './decisive-words.js'
import { APPROVE, TRANSFER } from './hidden-entries.js'
import { type HolderFinder, toAccount } from './holders.js'
import type { Plan } from './plans.js'
import type { Choice } from './power.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'
import { wantedOf } from './try-setting.js'
import { keysOfWord } from './writers.js'

/** Entries of the books that are tried; a sale asks for none but those of who trades. */
const MAX_ENTRIES = 4

/**
 * Approvals and transfers by accounts whose own entry in the books the sale of others asks for:
 * what such an account allows, or holds, is a switch in its hand that needs no function.
 */
export function bookPlans(
  stage: Stage,
  codes: readonly TokenCode[],
  finder: HolderFinder,
  { words, conditions }: Pick<DecisiveWords, 'words' | 'conditions'>,
): Plan[] {
  const [first] = codes
  const parameters = readParameters('address,uint256', [])
  if (first === undefined || parameters === undefined) return []
  const entries = words.flatMap((word) => entryOf(stage, codes, word) ?? []).slice(0, MAX_ENTRIES)
  return entries.flatMap(({ word, owner, spender }) => {
    const wanted = wantedOf({ writes: [{ ...WHOLE, variable: '' }], isHidden: true }, word, conditions)
    const choices = wanted.flatMap((value) => choiceFor(word, value, spender) ?? [])
    if (choices.length === 0) return []
    return [
      {
        ...{ contract: stage.token, selector: spender === undefined ? TRANSFER : APPROVE, parameters, choices },
        ...{ argumentTypes: 'address,uint256', arguments: [], isConventional: true, writes: [] },
        holders: [finder.describe(owner, false)],
        kinds: new Set(['transfer' as const]),
        contractHash: first.facts.normalisedHash,
        // Another token has other accounts.
        fingerprint: `${word.address} ${word.slot}`,
      },
    ]
  })
}

const WHOLE = { shift: 0, width: 256, constant: undefined }

interface BookEntry {
  word: Slot
  owner: Address
  /** Absent for a balance. */
  spender?: bigint
}

/** `undefined` for what is no entry of the books, or one of who trades. */
function entryOf(stage: Stage, codes: readonly TokenCode[], word: Slot): BookEntry | undefined {
  const { token, exchange, buyer, bystander, newcomer } = stage
  if (word.address !== token || word.entry === undefined) return undefined
  const [key = 0n, spender] = keysOfWord(word)
  const owner = toAccount(key)
  const traders = [buyer.context, bystander.context, newcomer].map(({ trader }) => trader.address)
  if (owner === undefined || owner === token || exchange.has(owner) || traders.includes(owner)) return undefined
  const { place } = word.entry.within ?? word.entry
  const isKeptIn = (kind: 'allowances' | 'balances', variable: string) =>
    codes.some(({ facts }) => facts.roles[kind].has(variable))
  const name = `0x${place.toString(16)}[]`
  if (spender === undefined) return isKeptIn('balances', name) ? { word, owner } : undefined
  return isKeptIn('allowances', `${name}[]`) ? { word, owner, spender } : undefined
}

/** A call that makes the entry that number; tokens of others are no matter of its owner. */
function choiceFor(word: Slot, value: bigint, spender: bigint | undefined): Choice | undefined {
  const choice = { address: 'fresh', others: 'fresh', flag: true } as const
  if (spender !== undefined)
    return {
      ...{ ...choice, number: value },
      fixed: [
        [0, spender],
        [1, value],
      ],
    }
  return value < word.value ? { ...choice, number: word.value - value, fixed: [[1, word.value - value]] } : undefined
}
