import { findLiveNodes } from './graph.js'
import { storageKeyOf } from './guards.js'
import type { Run } from './interpret.js'
import { fromStorage, type Source, storageSource, variableOf } from './source.js'
import { classifyKey } from './storage-key.js'
import { type Term, walkTerm } from './terms.js'

/**
 * Selectors of ERC-20 (EIP-20) and of the owner's conventional getters (EIP-173). They are what
 * routers and wallets call, not a choice of the author.
 */
export const ERC20 = {
  totalSupply: 0x18160ddd,
  balanceOf: 0x70a08231,
  transfer: 0xa9059cbb,
  transferFrom: 0x23b872dd,
  approve: 0x095ea7b3,
  allowance: 0xdd62ed3e,
} as const

export const OWNER_GETTERS = [0x8da5cb5b, 0x893d20e8, 0xf851a440] as const

/**
 * Which variables play the standard parts, told from what the standard functions return. Ids of
 * storage classes and fields.
 */
export interface Roles {
  /** Mappings whose entry under the account is its balance; several for reflection tokens. */
  balances: ReadonlySet<string>
  /**
   * The fields of those that `balanceOf` answers from: what lies beside them in the same words is
   * no balance.
   */
  balanceFields: ReadonlySet<Source>
  allowances: ReadonlySet<string>
  supply: ReadonlySet<string>
  /** Stored terms that `owner()`, `getOwner()` or `admin()` returns. */
  owners: readonly Term[]
  /** Balances and allowances: mappings whose entry is no privilege. */
  holdings: ReadonlySet<string>
}

const ACCOUNT = 4n
const SECOND = 36n

export function readRoles(runs: readonly Run[]): Roles {
  const find = (selector: number) => runs.find(({ entry }) => entry.kind === 'function' && entry.selector === selector)
  const returned = (selector: number) => returnedTerms(find(selector))
  // Where paths meet, the answer is known by its sources only; what the function reads gives the
  // keys.
  const readClasses = (selector: number, fits: (keys: readonly Term[], id: string) => boolean) => {
    const sources = new Set(
      returned(selector).flatMap(({ taint }) => taint.sources.map((source) => source.split('.')[0])),
    )
    const effects = (find(selector)?.nodes ?? []).flatMap((node) => node.effects)
    const classes = effects.flatMap((effect) => (effect.kind === 'read' ? [classifyKey(effect.key)] : []))
    return new Set(
      classes.filter(({ id, keys }) => sources.has(storageSource(id)) && fits(keys, id)).map(({ id }) => id),
    )
  }
  const isArgument = (offset: bigint) => (term: Term) => term.op === 'calldata' && term.value === offset
  const isAccount = isArgument(ACCOUNT)
  // One entry for each account, or a list of entries, as dated balances are kept.
  const isOfAccount = ([account, index]: readonly Term[], id: string) =>
    account !== undefined && isAccount(account) && (index === undefined || id.includes('[](*)'))
  const balances = readClasses(ERC20.balanceOf, isOfAccount)
  const allowances = readClasses(ERC20.allowance, (keys) => keys.some(isAccount) && keys.some(isArgument(SECOND)))
  const supply = new Set<string>()
  for (const key of storedKeys(returned(ERC20.totalSupply))) {
    const { id, keys } = classifyKey(key)
    if (keys.length === 0) supply.add(id)
  }
  const balanceFields = new Set(
    returned(ERC20.balanceOf).flatMap(({ taint }) =>
      taint.sources.filter((source) => fromStorage(source) && balances.has(variableOf(source))),
    ),
  )
  const owners = OWNER_GETTERS.flatMap(returned).filter((term) => storageKeyOf(term) !== undefined)
  return { balances, balanceFields, allowances, supply, owners, holdings: new Set([...balances, ...allowances]) }
}

/** First words that the function returns where it ends well. */
export function returnedTerms(run: Run | undefined): Term[] {
  if (run === undefined) return []
  const terms = new Set<Term>()
  for (const node of findLiveNodes(run)) {
    for (const effect of node.effects) if (effect.kind === 'return' && effect.words[0]) terms.add(effect.words[0])
  }
  return [...terms]
}

/** Keys of everything stored that flows into the terms, as far as their shape is known. */
function storedKeys(terms: readonly Term[]): Term[] {
  const keys = new Set<Term>()
  for (const term of terms) {
    walkTerm(term, (part) => {
      if (part.op === 'sload' && part.args[0]) keys.add(part.args[0])
      return part.op !== 'sload'
    })
  }
  return [...keys]
}
