import type { Plan } from './plans.js'
import type { Choice } from './power.js'

/** Functions that any holder may call, and calls of all of them. */
const MAX_FUNCTIONS = 6
const MAX_CALLS = 40

/** A call that any holder may make. */
export interface HandCall {
  plan: Plan
  choose(held: bigint): Choice
  /** Equal for calls of different functions with the same amount. */
  amount: Amount
  /** Place of the argument that names another wallet of the same holder. */
  partnerAt?: number
}

/** `''`: takes none. `number`: a place in a list, or the number of a thing. */
type Amount = '' | 'all' | 'twice' | 'number' | 'overflow'

export const listHandCalls = (plans: readonly Plan[]): HandCall[] =>
  plans.filter(isOpen).slice(0, MAX_FUNCTIONS).flatMap(variantsOf).slice(0, MAX_CALLS)

const KINDS = ['balance', 'supply', 'transfer'] as const

/** Where it is not known who may call, an ordinary holder tries. */
const isOpen = ({ holders, kinds, parameters, isConventional }: Plan) =>
  !isConventional &&
  (holders.length === 0 || holders.some(({ kind }) => kind === 'anyone' || kind === 'unknown')) &&
  !takesSignature(parameters) &&
  KINDS.some((kind) => kinds.has(kind))

/** Another acts by it, and each try recovers a signer. */
const takesSignature = (parameters: Plan['parameters']) =>
  parameters.some(({ type }) => type === 'uint8') && parameters.filter(({ type }) => type === 'bytes32').length > 1

function variantsOf(plan: Plan): HandCall[] {
  const has = (kind: RegExp) => plan.parameters.some(({ type }) => kind.test(type))
  const amounts: Variant[] = has(/^u?int/) ? AMOUNTS : [NO_AMOUNT]
  const lists: Variant[] = has(/^u?int\d*\[\]$/) ? LISTS : []
  const flags = has(/^bool/) ? [true, false] : [true]
  const partnerAt = plan.parameters.findIndex(({ type }) => type === 'address')
  const calls = [...amounts, ...lists].flatMap(({ amount, number, count }) =>
    flags.map((flag): HandCall => {
      const choose = (held: bigint): Choice => ({
        // Two halves of all numbers to one account would be nothing to it, too.
        ...{ address: 'holder', others: amount === 'overflow' ? 'fresh' : 'holder', number: number(held), flag },
        ...(count && { count }),
      })
      return { plan, amount, choose }
    }),
  )
  return partnerAt < 0 ? calls : [...calls, ...calls.slice(0, 1).map((call) => ({ ...call, partnerAt }))]
}

interface Variant {
  amount: Amount
  number(held: bigint): Choice['number']
  count?: number
}

const NO_AMOUNT: Variant = { amount: '', number: () => 0n }
const AMOUNTS: Variant[] = [
  { amount: 'all', number: (held) => held },
  { amount: 'twice', number: (held) => 2n * held },
  { amount: 'number', number: () => 0n },
  { amount: 'number', number: () => 1n },
]
/** The same thing thrice; and two amounts that add up to nothing in as many bits. */
const LISTS: Variant[] = [
  ...[0n, 1n].map((id): Variant => ({ amount: 'number', number: () => id, count: 3 })),
  ...[255n, 127n, 95n].map((bits): Variant => ({ amount: 'overflow', number: () => 1n << bits, count: 2 })),
]
