import type { Slot } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { readParameters } from './choices.js'
import type { DecisiveWords } from './decisive-words.js'
import { APPROVE } from './hidden-entries.js'
import { type HolderFinder, toAccount } from './holders.js'
import type { Plan } from './plans.js'
import type { Choice } from './power.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'
import { wantedOf } from './try-setting.js'
import { keysOfWord } from './writers.js'

/** Allowances that are tried; a sale asks for none but those of who trades. */
const MAX_ENTRIES = 4

/**
 * Approvals by accounts whose own allowance the sale of others asks for: it is a switch in the hand
 * of such an account that needs no function.
 */
export function allowancePlans(
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
    if (wanted.length === 0) return []
    const choices = wanted.map((value) => choiceFor(value, spender))
    return [
      {
        ...{ contract: stage.token, selector: APPROVE, parameters, choices },
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

interface Allowance {
  word: Slot
  owner: Address
  spender: bigint
}

/** `undefined` for what is no allowance, or one of who trades. */
function entryOf(stage: Stage, codes: readonly TokenCode[], word: Slot): Allowance | undefined {
  const { token, exchange, buyer, bystander, newcomer } = stage
  if (word.address !== token || word.entry === undefined) return undefined
  const [key = 0n, spender] = keysOfWord(word)
  if (spender === undefined) return undefined
  const owner = toAccount(key)
  const traders = [buyer.context, bystander.context, newcomer].map(({ trader }) => trader.address)
  if (owner === undefined || owner === token || exchange.has(owner) || traders.includes(owner)) return undefined
  const { place } = word.entry.within ?? word.entry
  const name = `0x${place.toString(16)}[][]`
  return codes.some(({ facts }) => facts.roles.allowances.has(name)) ? { word, owner, spender } : undefined
}

/** An approval of that number. */
const choiceFor = (value: bigint, spender: bigint): Choice => ({
  ...{ address: 'fresh', others: 'fresh', number: value, flag: true },
  fixed: [
    [0, spender],
    [1, value],
  ],
})
