import { type AbiParameter, encodeAbiParameters } from 'viem'
import { callData, readWords } from '../../dex/read-contract.js'
import type { Log } from '../../evm/inspector.js'
import { createStorageAccessInspector, type StorageChange } from '../../evm/inspectors/storage-access.js'
import { ADDRESS_MASK, type Address, type Hex, hexToBytes, toPaddedHex } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import { branch } from '../../simulation/fork-verbs.js'
import type { Fork } from '../../simulation/scenario.js'
import { actAs } from '../powers/act.js'
import { readParameters } from '../powers/choices.js'
import { HOSTILE_CODE, MARK, MARK_ANSWER } from '../powers/hostile-code.js'
import type { ProofStep } from '../powers/power.js'
import { readContracts } from '../powers/read-contracts.js'
import { type Hints, readHints } from './hints.js'
import { isInPlace, type Stake } from './stake.js'

/** A contract that keeps a stake, and the accounts it may give it to. */
export interface Vault {
  stake: Stake
  hints: Hints
  calls: readonly Call[]
  /** Who put the stake there, or owns the vault or the token; and all that the vault names. */
  people: readonly Address[]
  actors: readonly Address[]
  /** Where code is put that an upgrade is offered. */
  code: Address
}

interface Call {
  selector: Hex
  inputs: readonly Hex[]
}

/** Calls that are tried on one vault at one time. */
const MAX_TRIES = 700
const MAX_INPUTS = 16
const MAX_PAST = 4
/**
 * Dates that have passed once they are kept in fewer bits: 2^48 + 1 and 2^128 + 1 are 1 in all
 * narrower numbers that dates are kept in.
 */
const PASSED = [1n, (1n << 48n) + 1n, (1n << 128n) + 1n]
/** Bits in which sums of dates begin anew. */
const DATE_BITS = [32n, 40n, 48n, 64n, 256n]
const MAX_PARAMETERS = 6

/**
 * Works out what to try. `people` put the stake there, or own the token. `isMoved`: it went there
 * from another vault, which may have many ways to do so; then less is tried.
 */
export function openVault(
  fork: Fork,
  pool: Address,
  stake: Stake,
  people: readonly Address[],
  { isMoved = false }: { isMoved?: boolean } = {},
): Vault {
  const { holder } = stake
  const thing = stake.kind === 'position' ? stake.manager : pool
  const codes = readContracts(fork, holder)
  const types = new Map(codes.flatMap((code) => [...code.types]))
  const subjects = [thing, ...people, ...(stake.kind === 'position' ? [stake.id] : [])]
  const hints = readHints(fork, holder, [...types.keys()], subjects)
  const actors = [...new Set([...people, ...hints.accounts])].filter((each) => each !== thing && each !== holder)
  const code = codeFor(holder)
  const amounts = stake.kind === 'shares' ? [stake.amount] : stake.kind === 'position' ? [stake.id] : []
  const numbers = [...new Set([...amounts, ...hints.numbers, 0n, 1n])]
  const [soonest] = hints.times
  // What is added to the date of the lock, so that it is 1.
  const wraps = soonest === undefined || isMoved ? [] : DATE_BITS.map((bits) => (1n << bits) + 1n - soonest)
  const dates = isMoved ? [1n] : [...PASSED, ...wraps.filter((each) => each > 0n)]
  const calls = [...types].map(([selector, text]) => ({
    selector,
    inputs: inputsOf(selector, readParameters(text, []), { thing, numbers, person: actors[0] ?? holder, code, dates }),
  }))
  return { stake, hints, calls, people, actors, code }
}

/**
 * Calls by which an account may take back a part of what lies in the vault, so much and no other
 * number.
 */
export function listReturns(fork: Fork, pool: Address, vault: Address, person: Address, amount: bigint): Hex[] {
  const types = new Map(readContracts(fork, vault).flatMap((code) => [...code.types]))
  const values = { thing: pool, numbers: [amount], person, code: undefined, dates: [] }
  return [...types].flatMap(([selector, text]) => inputsOf(selector, readParameters(text, []), values))
}

interface Values {
  thing: Address
  numbers: readonly bigint[]
  person: Address
  code: Address | undefined
  /** What a date is set to, or made longer by, so that it has passed. */
  dates: readonly bigint[]
}

/** An account without a key that is known, another for each vault. */
const codeFor = (holder: Address): Address => toPaddedHex(BigInt(keccak256(hexToBytes(holder))) & ADDRESS_MASK, 20)

/**
 * The same call with each number in turn, and with the largest amount last where there are several.
 */
function inputsOf(selector: Hex, parameters: readonly AbiParameter[] | undefined, values: Values): Hex[] {
  if (parameters === undefined || parameters.length > MAX_PARAMETERS) return []
  const [amount = 0n] = values.numbers
  const last = parameters.findLastIndex(({ type }) => type.startsWith('uint'))
  const isSeveral = parameters.filter(({ type }) => type.startsWith('uint')).length > 1
  const build = (number: bigint, firstAddress: Address, otherAddress: Address, rest = amount): Hex[] => {
    let seen = 0
    const fill = ({ type }: AbiParameter, i: number): unknown => {
      if (type === 'address') {
        seen += 1
        return seen === 1 ? firstAddress : otherAddress
      }
      if (type.startsWith('uint')) return isSeveral && i === last ? rest : number
      if (type === 'bool') return true
      return type.endsWith('[]') ? [] : type === 'bytes' ? '0x' : 0n
    }
    try {
      const data = encodeAbiParameters(parameters, parameters.map(fill))
      return [`${selector}${data.slice(2)}`]
    } catch {
      // A number too large for its type, or a type that takes none of these values: not worth a
      // call.
      return []
    }
  }
  const { thing, numbers, person, code, dates } = values
  const inputs = numbers.flatMap((number) => [...build(number, thing, person), ...build(number, person, thing)])
  const hasAddress = parameters.some(({ type }) => type === 'address')
  // A date that has passed, and another code.
  const past = isSeveral
    ? numbers.slice(0, MAX_PAST).flatMap((n) => dates.flatMap((date) => build(n, thing, person, date)))
    : dates.flatMap((date) => build(date, thing, person))
  const offered =
    hasAddress && code !== undefined
      ? [amount, ...numbers.slice(0, MAX_PAST)].flatMap((n) => build(n, code, person))
      : []
  return [...new Set([...offered, ...inputs.slice(0, MAX_INPUTS), ...past])]
}

interface Search {
  fork: Fork
  pool: Address
  operator: Address
  /** Whether a setting may be made first. */
  inSteps: boolean
  /** The stake has moved into another contract before. */
  isMoved: boolean
}

/**
 * A call that did not free the stake; `writes` is what it set in the vault, with the stake still
 * there.
 */
interface Kept {
  step: ProofStep
  reads: ReadonlySet<bigint>
  writes: ReadonlyMap<bigint, StorageChange>
}

/**
 * Whether an account with a say gets the stake out of the vault at the fork's present time, at once
 * or behind a setting of its own: a date, a name, a code. Leaves the fork as it was.
 */
export function opens(
  fork: Fork,
  pool: Address,
  vault: Vault,
  { operator, inSteps }: Pick<Search, 'operator' | 'inSteps'>,
): boolean {
  return branch(fork, () => opensHere({ fork, pool, operator, inSteps, isMoved: false }, vault))
}

function opensHere(search: Search, vault: Vault): boolean {
  const kept: Kept[] = []
  search.fork.evm.setCode(vault.code, HOSTILE_CODE)
  for (const from of vault.actors) {
    for (const { inputs } of vault.calls) {
      for (const input of inputs) {
        // What was tried until then may still be a setting that opens it.
        if (kept.length >= MAX_TRIES) return search.inSteps && opensBehindSetting(search, vault, kept)
        const tried = tryOnce(search, vault, { from, to: vault.stake.holder, input })
        if (tried === 'out') return true
        kept.push(tried)
      }
    }
  }
  return search.inSteps && opensBehindSetting(search, vault, kept)
}

/** Settings that are made, and calls that are tried again behind each. */
const MAX_SETTINGS = 16
const MAX_AGAIN = 40

function opensBehindSetting(search: Search, vault: Vault, kept: readonly Kept[]): boolean {
  const settings = new Map(kept.filter(({ writes }) => writes.size > 0).map((each) => [namedBy(each), each]))
  return [...settings.values()].slice(0, MAX_SETTINGS).some(({ step, writes }) => {
    const again = kept.filter((each) => each.step !== step && [...writes.keys()].some((slot) => each.reads.has(slot)))
    return branch(search.fork, () => {
      actAs(search.fork, step, search.operator)
      const steps = again.map((each) => each.step)
      // What was named is asked to come for it: an heir, or the next version of the vault.
      const asNamed = namesCode(step, vault) ? asCode(steps, vault) : []
      return [...asNamed, ...steps.slice(0, MAX_AGAIN)].some((each) => tryOnce(search, vault, each) === 'out')
    })
  })
}

const namesCode = ({ input }: ProofStep, { code }: Vault) => input.includes(code.slice(2))

const asCode = (steps: readonly ProofStep[], { code }: Vault): ProofStep[] =>
  [...new Map(steps.map((step) => [step.input, { ...step, from: code }])).values()].slice(0, MAX_AGAIN)

const namedBy = ({ writes }: Kept) => [...writes].map(([slot, { after }]) => `${slot} ${after}`).join()

function tryOnce(search: Search, vault: Vault, step: ProofStep): 'out' | Kept {
  const { fork, pool, operator } = search
  const { stake } = vault
  const storage = createStorageAccessInspector()
  return branch(fork, () => {
    const { success, writes, logs } = actAs(fork, step, operator, [storage])
    const isHere = isInPlace(fork, pool, stake)
    const isOut =
      success && (isHere ? runsOurs(fork, step, vault) || isLent(search, step, vault) : isFree(search, vault, logs))
    if (isOut) return 'out'
    const reads = new Set(storage.finish().reads.get(stake.holder)?.keys())
    return { step, reads, writes: (isHere && success && writes.get(stake.holder)) || new Map() }
  })
}

/** One person exchanged the code of the vault. Several of them, or a contract, are no one hand. */
function runsOurs({ evm }: Fork, { from }: ProofStep, { stake }: Vault): boolean {
  if (evm.code(from).length > 0) return false
  const { status, output } = evm.read({ to: stake.holder, data: MARK })
  return status === 'success' && output.length > 2 && BigInt(output) === MARK_ANSWER
}

/** `allowance(address,address)` */
const ALLOWANCE = '0xdd62ed3e'

/** Whether an account that the call names may now take the shares: a person's, or our code's. */
function isLent({ fork, pool }: Search, { input }: ProofStep, { stake, actors, code }: Vault): boolean {
  if (stake.kind !== 'shares') return false
  const takers = [code, ...actors.filter((each) => fork.evm.code(each).length === 0)]
  return takers
    .filter((taker) => input.includes(taker.slice(2)))
    .some((taker) => (readWords(fork, pool, callData(ALLOWANCE, [stake.holder, taker]))?.[0] ?? 0n) >= stake.amount)
}

/** `Transfer(address,address,uint256)` */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/**
 * Whether what left the vault is free: not where it went on into another contract that keeps it as
 * well. That one is looked at once, and not the ones behind it.
 */
function isFree(search: Search, { people, stake, code }: Vault, logs: readonly Log[]): boolean {
  const { fork, pool, isMoved } = search
  if (isMoved || stake.kind === 'direct') return true
  const thing = stake.kind === 'position' ? stake.manager : pool
  const log = logs.findLast(({ address, topics }) => address === thing && topics[0] === TRANSFER)
  const holder: Address = `0x${(log?.topics[2] ?? '').slice(-40)}`
  const isKept = log !== undefined && ![thing, pool, code, ...people].includes(holder)
  if (!isKept || fork.evm.code(holder).length === 0) return true
  const next = openVault(fork, pool, { ...stake, holder }, people, { isMoved: true })
  return opensHere({ ...search, isMoved: true }, next)
}
