import { type AbiParameter, encodeAbiParameters, parseAbiParameters, toFunctionSelector } from 'viem'
import { findArgumentTypes } from '../../src/bytecode/argument-types.js'
import { type Hex, hexToBytes } from '../../src/hex.js'

/** A call that is tried, and the function it is of. */
export interface TrialCall {
  selector: Hex
  data: Hex
}

/** What arguments are tried with; each list in this order. */
export interface TrialValues {
  addresses: readonly Hex[]
  numbers: readonly bigint[]
}

/**
 * Up to here each combination is tried; longer ones once, with numbers that grow, as limits and
 * dates do.
 */
const MAX_COMBINED = 2
const MAX_PARAMETERS = 6
const GROWTH = 1_000n
/** Calls of one contract. */
const MAX_CALLS = 200
/** Trading itself, which prepares nothing, and giving the contract away. */
const LEFT_ALONE = new Set(
  [
    'transfer(address,uint256)',
    'approve(address,uint256)',
    'transferFrom(address,address,uint256)',
    'increaseAllowance(address,uint256)',
    'decreaseAllowance(address,uint256)',
    'increaseApproval(address,uint256)',
    'decreaseApproval(address,uint256)',
    'renounceOwnership()',
    'transferOwnership(address)',
  ].map((signature) => toFunctionSelector(signature)),
)

/**
 * Calls of a contract's own functions, by the types that its code shows: what its owner may have
 * done before there was a pool.
 */
export function listTrialCalls(code: Hex, { addresses, numbers }: TrialValues): TrialCall[] {
  const functions = [...findArgumentTypes(hexToBytes(code))].filter(([selector]) => !LEFT_ALONE.has(selector))
  return functions
    .flatMap(([selector, types]) => {
      const parameters = parse(types)
      return parameters ? fill(selector, parameters, { addresses, numbers }) : []
    })
    .slice(0, MAX_CALLS)
}

function parse(types: string): readonly AbiParameter[] | undefined {
  if (types === '') return []
  try {
    const parameters = parseAbiParameters(types)
    return parameters.length <= MAX_PARAMETERS ? parameters : undefined
  } catch {
    // The finder guesses, sometimes no type at all.
    return undefined
  }
}

function fill(selector: Hex, parameters: readonly AbiParameter[], values: TrialValues): TrialCall[] {
  const isLong = parameters.length > MAX_COMBINED
  const choices = parameters.map(({ type }, i): readonly unknown[] => {
    const bits = /^uint(\d*)$/.exec(type)?.[1]
    if (bits !== undefined) {
      const most = 2n ** BigInt(bits || 256) - 1n
      return isLong ? [GROWTH ** BigInt(i + 1) % most] : values.numbers.filter((number) => number <= most)
    }
    if (type === 'address') return isLong ? values.addresses.slice(0, 1) : values.addresses
    return type === 'bool' ? [true, false] : []
  })
  const rows = choices.reduce<unknown[][]>(
    (all, list) => all.flatMap((row) => list.map((value) => [...row, value])),
    [[]],
  )
  return rows.map((row) => ({ selector, data: `${selector}${encodeAbiParameters(parameters, row).slice(2)}` as const }))
}
