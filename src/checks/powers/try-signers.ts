import { type AbiParameter, encodeAbiParameters } from 'viem'
import type { FunctionFacts } from '../../bytecode/facts.js'
import { findForeignSigners } from '../../bytecode/foreign-signers.js'
import { fromArgument, fromEnvironment, type Source } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import type { Term } from '../../bytecode/terms.js'
import { readTokenFacts } from '../../bytecode/token-facts.js'
import { type BranchPlace, createForcedBranchesInspector } from '../../evm/inspectors/forced-branches.js'
import { type Address, type Hex, toPaddedHex, WORD_MASK } from '../../hex.js'
import { isDeadAddress } from '../dead-address.js'
import { onBranch } from '../on-branch.js'
import { actAs } from './act.js'
import { readParameters } from './choices.js'
import type { HolderFinder } from './holders.js'
import { openBooks } from './ledger.js'
import { lookAtBooks } from './look.js'
import type { Holder, Power } from './power.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'

/** Functions of one token that take signatures, and branches of one that are forced. */
const MAX_FUNCTIONS = 4
const MAX_SIGNERS = 4

/**
 * Functions that act for an account by its signature, and let another signature count as well. No
 * one here can sign for that key, so that the branch which asks for it is forced; what the call
 * then takes of the buyer is measured.
 */
export function trySigners(
  stage: Stage,
  codes: readonly TokenCode[],
  finder: HolderFinder,
  hasBudget: () => boolean,
): Power[] {
  return codes.flatMap((code) =>
    code.facts.functions
      .flatMap((fn) => toSigned(code, fn) ?? [])
      .slice(0, MAX_FUNCTIONS)
      .flatMap((signed) => trySigned(stage, code, signed, finder, hasBudget) ?? []),
  )
}

interface Signed {
  selector: Hex
  parameters: readonly AbiParameter[]
  signers: readonly { place: Omit<BranchPlace, 'address'>; holder: Term }[]
}

/** `permit` as EIP-2612 and as DAI have it: whatever else finders of types say. */
const KNOWN: Readonly<Record<string, string>> = {
  '0xd505accf': 'address,address,uint256,uint256,uint8,bytes32,bytes32',
  '0x8fcbaf0c': 'address,address,uint256,uint256,bool,uint8,bytes32,bytes32',
}

function toSigned({ facts, types, subject }: TokenCode, fn: FunctionFacts): Signed | undefined {
  const { selector } = fn
  const owner = selector === undefined ? undefined : ownerOf(fn, readTokenFacts(facts).balanceChanges, facts.roles)
  if (selector === undefined || owner === undefined) return undefined
  const found = findForeignSigners(facts, fn, owner).slice(0, MAX_SIGNERS)
  const parameters = found.length > 0 ? readParameters(KNOWN[selector] ?? types.get(selector), []) : undefined
  if (parameters === undefined) return undefined
  const signers = found.map(({ condition: { pc }, holder }) => ({
    place: { codeAddress: subject.address, pc, occurrence: 0 },
    holder,
  }))
  return { selector, parameters, signers }
}

/** The argument whose tokens the function moves, or lets others move. */
function ownerOf(
  fn: FunctionFacts,
  changes: ReturnType<typeof readTokenFacts>['balanceChanges'],
  roles: TokenCode['facts']['roles'],
): Source | undefined {
  const accounts = [
    ...fn.effects.flatMap((effect) => {
      if (effect.kind !== 'write') return []
      const { id, keys } = classifyKey(effect.key)
      return roles.allowances.has(id) && keys[0] ? [keys[0]] : []
    }),
    ...changes.filter((change) => change.fn === fn && change.kind === 'subtract').map(({ account }) => account),
  ]
  return accounts.flatMap(({ taint }) => taint.sources.filter(fromArgument))[0]
}

function trySigned(
  stage: Stage,
  code: TokenCode,
  { selector, parameters, signers }: Signed,
  finder: HolderFinder,
  hasBudget: () => boolean,
): Power | undefined {
  const { fork, fresh, operator, effort, token } = stage
  const books = openBooks(stage, fresh)
  let tried = 0
  for (const { place, holder } of signers)
    for (const numbers of [all(WORD_MASK), all(0n), amountUntil(stage.buyer.held)]) {
      if (!hasBudget()) return undefined
      tried += 1
      effort.calls += 1
      const input =
        `${selector}${encodeAbiParameters(parameters, fillIn(stage, parameters, numbers)).slice(2)}` as const
      const [worst] = onBranch(stage, () => {
        const forced = createForcedBranchesInspector([{ ...place, address: token }])
        const acted = actAs(fork, { from: fresh, to: code.account, input }, operator, [forced])
        return acted.success ? lookAtBooks(stage, books.before, books.read(), acted) : []
      })
      if (!worst) continue
      const { kind, lossBps, outcome } = worst
      return {
        ...{ contract: code.account, selector, argumentTypes: parameters.map(({ type }) => type).join() },
        holder: readHolder(code, holder, finder),
        ...{ effect: kind, lossBps, isBounded: false, isReversible: false, tried, proof: undefined },
        worstCase: `by a signature that is not the owner's, as the code accepts it: ${outcome}`,
      }
    }
  return undefined
}

const NO_DELAY: Omit<Holder, 'kind'> = { delaySeconds: 0, isHidden: false }

/** Whose signature counts: of a key that is named, of one known by its hash, or of who calls. */
function readHolder({ subject }: TokenCode, holder: Term, finder: HolderFinder): Holder {
  if (holder.taint.sources.some((source) => fromArgument(source) || fromEnvironment(source)))
    return { ...NO_DELAY, kind: 'anyone' }
  const value = subject.value(holder)
  if (value === undefined || value >= 1n << 160n || isDeadAddress(value))
    return { ...NO_DELAY, kind: 'unknown', isHidden: true }
  const { assumed: _, ...known } = finder.describe(toPaddedHex(value, 20), true)
  return known
}

/** A signature that recovers to some address, whatever was signed: the curve's own point. */
const POINT: Hex = '0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const ONE: Hex = toPaddedHex(1n, 32)
const V = 27

/** Which number stands at one of so many places. */
type Numbers = (index: number, count: number) => bigint

const all = (number: bigint) => (): bigint => number
/** An amount first and a deadline last, as orders have them, and nothing between: no fee. */
const amountUntil =
  (amount: bigint): Numbers =>
  (index, count) =>
    index === 0 ? amount : index === count - 1 ? WORD_MASK : 0n

const BITS = /^uint(\d+)$/
const isNumber = (type: string) => type !== 'uint8' && BITS.test(type)

/** The first address is the buyer, all others the caller. */
function fillIn({ buyer, fresh }: Stage, parameters: readonly AbiParameter[], numbers: Numbers): unknown[] {
  const count = parameters.filter(({ type }) => isNumber(type)).length
  let index = 0
  let [addresses, words]: [Address[], Hex[]] = [[buyer.context.trader.address], [POINT]]
  const next = <T>(list: T[], otherwise: T): [T, T[]] => [list[0] ?? otherwise, list.slice(1)]
  return parameters.map(({ type }) => {
    if (type === 'address') {
      const [address, rest] = next(addresses, fresh)
      addresses = rest
      return address
    }
    if (type === 'bytes32') {
      const [word, rest] = next(words, ONE)
      words = rest
      return word
    }
    if (type === 'uint8') return V
    if (type === 'bool') return true
    if (type === 'bytes') return `${POINT}${ONE.slice(2)}${V.toString(16)}`
    const bits = BITS.exec(type)?.[1]
    if (bits !== undefined) {
      index += 1
      return numbers(index - 1, count) & ((1n << BigInt(bits)) - 1n)
    }
    return type === 'string' ? '' : toPaddedHex(0n, Number(/^bytes(\d+)$/.exec(type)?.[1] ?? 32))
  })
}
