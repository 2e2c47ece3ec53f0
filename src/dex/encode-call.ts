import {
  type Abi,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  prepareEncodeFunctionData,
} from 'viem'
import type { Hex } from '../hex.js'

/**
 * Calldata by ABI, as viem's `encodeFunctionData` writes it. That one hashes the function's
 * signature for each call, which takes several times as long as the rest; here it is hashed once.
 * For ABIs that are written down once and have one function of each name.
 */
export function encodeCall<const A extends Abi, N extends ContractFunctionName<A>>(
  call: EncodeFunctionDataParameters<A, N>,
): Hex {
  const { abi, functionName = '', args } = call as { abi: Abi; functionName?: string; args?: readonly unknown[] }
  return encodeFunctionData({ ...prepare(abi, functionName), ...(args && { args }) })
}

type Prepared = ReturnType<typeof prepareEncodeFunctionData<Abi, string>>

/** As many entries as there are ABIs in the source. */
const prepared = new WeakMap<Abi, Map<string, Prepared>>()

function prepare(abi: Abi, functionName: string): Prepared {
  const functions = prepared.get(abi) ?? new Map<string, Prepared>()
  const known = functions.get(functionName)
  if (known) return known
  const called = abi.filter((item) => item.type === 'function' && item.name === functionName)
  if (called.length !== 1) throw new RangeError(`${called.length} functions are called ${functionName}`)
  const made: Prepared = prepareEncodeFunctionData({ abi, functionName })
  prepared.set(abi, functions.set(functionName, made))
  return made
}
