import type { FunctionFacts } from '../../bytecode/facts.js'
import type { ChangeKind } from '../../bytecode/privileged-functions.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { balanceOf } from '../../dex/read-contract.js'
import type { Slot } from '../../evm/inspectors/term.js'
import type { Address, Hex } from '../../hex.js'
import { fixKeys, listChoices, readParameters } from './choices.js'
import { fingerprintOf } from './fingerprint.js'
import { entryOf, hiddenWritesOf, isOwnFunction, TRANSFER, TRANSFER_FROM } from './hidden-entries.js'
import type { ActingHolder, HolderFinder } from './holders.js'
import { planOf } from './plan-of-entry.js'
import { ownPlans, type Plan, toWrite } from './plans.js'
import type { Choice } from './power.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'
import { keysOfWord, writesOf } from './writers.js'

/** Types of the standard functions by which what belongs to one account comes to another. */
const HANDING_ON: Readonly<Record<Hex, string>> = {
  [TRANSFER]: 'address,uint256',
  [TRANSFER_FROM]: 'address,address,uint256',
}

const DECIDES: ReadonlySet<ChangeKind> = new Set(['transfer'])

/**
 * Functions of a contract that is none of the token's, as far as they write what a sale depends on:
 * those of its holders, and the standard ones, by which someone who has something there hands it
 * on.
 */
export function foreignPlans(stage: Stage, code: TokenCode, finder: HolderFinder, words: readonly Slot[]): Plan[] {
  const decides = (plan: Plan) => words.some((word) => writesOf(plan, word).length > 0)
  const own = ownPlans(stage, code, finder, words)
  return (
    [...own, ...standardPlans(stage, code, finder, words), ...openPlans(stage, code, own, words)]
      // What only the token may do there, it does by its own code, for each trader.
      .map((plan) => ({ ...plan, holders: plan.holders.filter(({ address }) => address !== stage.token) }))
      .filter(({ holders }) => holders.length > 0)
      // Of another contract, only what a sale depends on is anyone's matter here.
      .flatMap((plan) => (decides(plan) ? [{ ...plan, kinds: DECIDES }] : []))
  )
}

/** Functions that are open to all, and write what a sale depends on. */
function openPlans({ fresh }: Stage, code: TokenCode, own: readonly Plan[], words: readonly Slot[]): Plan[] {
  const holders: ActingHolder[] = [{ kind: 'anyone', address: fresh, delaySeconds: 0, isHidden: false }]
  return code.facts.functions
    .flatMap((fn) => entryOf(code, fn) ?? [])
    .filter(({ selector }) => isOwnFunction(selector) && !own.some((plan) => plan.selector === selector))
    .flatMap((entry) => {
      const written = words.filter((word) => hiddenWritesOf(entry, word).length > 0)
      return written.length === 0 ? [] : (planOf(entry, written, { holders, kinds: DECIDES }) ?? [])
    })
    .slice(0, MAX_OPEN)
}

/** Open functions of one contract that are tried. */
const MAX_OPEN = 8

function standardPlans(stage: Stage, code: TokenCode, finder: HolderFinder, words: readonly Slot[]): Plan[] {
  return code.facts.functions.flatMap((fn) => {
    const types = fn.selector === undefined ? undefined : HANDING_ON[fn.selector]
    const parameters = readParameters(types, [])
    if (fn.selector === undefined || types === undefined || parameters === undefined) return []
    const entry = {
      contract: code.account,
      selector: fn.selector,
      argumentTypes: types,
      writes: writesOfFunction(code, fn),
    }
    const decided = words.filter((word) => writesOf(entry, word).length > 0)
    if (decided.length === 0) return []
    const keys = decided.map(keysOfWord).slice(0, MAX_KEYS)
    const [first] = keys
    const { holders, amounts } = ownersOf(stage, code.account, finder)
    const whole = amounts.map((number): Choice => {
      const fixed = fixKeys(parameters, first ?? [])
      return { address: 'buyer', others: 'holder', number, flag: true, fixed }
    })
    return [
      {
        ...{ ...entry, parameters, arguments: [], isConventional: false, kinds: DECIDES, holders },
        choices: [...whole, ...listChoices(parameters, [], keys)],
        contractHash: code.facts.normalisedHash,
        fingerprint: fingerprintOf(code.subject, { fn }),
      },
    ]
  })
}

/** Entries that one standard function is tried with. */
const MAX_KEYS = 3

const writesOfFunction = (code: TokenCode, fn: FunctionFacts) =>
  fn.effects.flatMap((effect) =>
    effect.kind === 'write' ? toWrite(code, { effect, variable: classifyKey(effect.key).id }) : [],
  )

/** Accounts that are tried as owners of something there. */
const MAX_OWNERS = 2

/** Who has some of it among those with a say in the token; anyone where none of them has. */
function ownersOf(
  { fork, fresh }: Stage,
  contract: Address,
  finder: HolderFinder,
): { holders: ActingHolder[]; amounts: bigint[] } {
  const found = finder.candidates.flatMap((address) => {
    const amount = balanceOf(fork, contract, address) ?? 0n
    return amount > 0n ? [{ address, amount }] : []
  })
  const owners = found.slice(0, MAX_OWNERS)
  if (owners.length === 0)
    return { holders: [{ kind: 'anyone', address: fresh, delaySeconds: 0, isHidden: false }], amounts: [] }
  return {
    holders: owners.map(({ address }) => finder.describe(address, false)),
    amounts: owners.map(({ amount }) => amount),
  }
}
