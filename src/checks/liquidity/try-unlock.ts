import { type AbiParameter, encodeAbiParameters } from 'viem'
import type { Address, Hex } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import type { Fork } from '../../simulation/scenario.js'
import { actAs } from '../powers/act.js'
import { readParameters } from '../powers/choices.js'
import { readContracts } from '../powers/read-contracts.js'
import { type Hints, readHints } from './hints.js'
import { isInPlace, type Stake } from './stake.js'

/** A contract that keeps a stake, and whom it may give it to. */
export interface Vault {
  stake: Stake
  hints: Hints
  calls: readonly Call[]
  actors: readonly Address[]
}

interface Call {
  selector: Hex
  inputs: readonly Hex[]
}

/** Calls that are tried on one vault at one time. */
const MAX_TRIES = 700
const MAX_INPUTS = 16
const MAX_PARAMETERS = 6

/** Works out what to try. `people` put the stake there, or own the token. */
export function openVault(fork: Fork, pool: Address, stake: Stake, people: readonly Address[]): Vault {
  const { holder } = stake
  const thing = stake.kind === 'position' ? stake.manager : pool
  const codes = readContracts(fork, holder)
  const types = new Map(codes.flatMap((code) => [...code.types]))
  const subjects = [thing, ...people, ...(stake.kind === 'position' ? [stake.id] : [])]
  const hints = readHints(fork, holder, [...types.keys()], subjects)
  const actors = [...new Set([...people, ...hints.accounts])].filter((each) => each !== thing && each !== holder)
  const amounts = stake.kind === 'shares' ? [stake.amount] : stake.kind === 'position' ? [stake.id] : []
  const numbers = [...new Set([...amounts, ...hints.numbers, 0n, 1n])]
  const calls = [...types].map(([selector, text]) => ({
    selector,
    inputs: inputsOf(selector, readParameters(text, []), { thing, numbers, person: actors[0] ?? holder }),
  }))
  return { stake, hints, calls, actors }
}

/**
 * Calls by which an account may take back a part of what lies in the vault, so much and no other
 * number.
 */
export function listReturns(fork: Fork, pool: Address, vault: Address, person: Address, amount: bigint): Hex[] {
  const types = new Map(readContracts(fork, vault).flatMap((code) => [...code.types]))
  const values = { thing: pool, numbers: [amount], person }
  return [...types].flatMap(([selector, text]) => inputsOf(selector, readParameters(text, []), values))
}

interface Values {
  thing: Address
  numbers: readonly bigint[]
  person: Address
}

/**
 * The same call with each number in turn, and with the largest amount last where there are several.
 */
function inputsOf(selector: Hex, parameters: readonly AbiParameter[] | undefined, values: Values): Hex[] {
  if (parameters === undefined || parameters.length > MAX_PARAMETERS) return []
  const [amount = 0n] = values.numbers
  const last = parameters.findLastIndex(({ type }) => type.startsWith('uint'))
  const isSeveral = parameters.filter(({ type }) => type.startsWith('uint')).length > 1
  const build = (number: bigint, firstAddress: Address, otherAddress: Address): Hex[] => {
    let seen = 0
    const fill = ({ type }: AbiParameter, i: number): unknown => {
      if (type === 'address') {
        seen += 1
        return seen === 1 ? firstAddress : otherAddress
      }
      if (type.startsWith('uint')) return isSeveral && i === last ? amount : number
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
  const { thing, numbers, person } = values
  const inputs = numbers.flatMap((number) => [...build(number, thing, person), ...build(number, person, thing)])
  return [...new Set(inputs)].slice(0, MAX_INPUTS)
}

/**
 * Whether an account with a say gets the stake out of the vault at the fork's present time. Leaves
 * the fork as it was.
 */
export function opens(fork: Fork, pool: Address, { stake, calls, actors }: Vault, operator: Address): boolean {
  let tries = 0
  for (const from of actors) {
    for (const { inputs } of calls) {
      for (const input of inputs) {
        if (tries >= MAX_TRIES) return false
        tries += 1
        const isOut = branch(fork, () => {
          const { success } = actAs(fork, { from, to: stake.holder, input }, operator)
          return success && !isInPlace(fork, pool, stake)
        })
        if (isOut) return true
      }
    }
  }
  return false
}
