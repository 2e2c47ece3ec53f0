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
  const { prepared, types } = prepare(abi, functionName)
  const plain = encodePlain(types, args ?? [])
  return plain === undefined
    ? encodeFunctionData({ ...prepared, ...(args && { args }) })
    : `${prepared.functionName}${plain}`
}

/**
 * What most trades are made of: amounts, addresses, and lists of addresses. `undefined` for all
 * else, and for what has no place in its type.
 */
function encodePlain(types: readonly string[], args: readonly unknown[]): string | undefined {
  if (types.length !== args.length) return undefined
  let [head, tail] = ['', '']
  for (const [i, type] of types.entries()) {
    const arg = args[i]
    if (type === 'address[]' && Array.isArray(arg)) {
      head += toWord((types.length * WORD_DIGITS + tail.length) / 2)
      const words = arg.map((each) => encodeWord('address', each))
      if (words.includes(undefined)) return undefined
      tail += toWord(arg.length) + words.join('')
      continue
    }
    const word = encodeWord(type, arg)
    if (word === undefined) return undefined
    head += word
  }
  return head + tail
}

const WORD_DIGITS = 64
const MAX_WORD = 2n ** 256n - 1n
const ADDRESS = /^0x[0-9a-f]{40}$/

const toWord = (value: number | bigint): string => value.toString(16).padStart(WORD_DIGITS, '0')

function encodeWord(type: string, value: unknown): string | undefined {
  if (type === 'uint256')
    return typeof value === 'bigint' && value >= 0n && value <= MAX_WORD ? toWord(value) : undefined
  if (type !== 'address' || typeof value !== 'string' || !ADDRESS.test(value)) return undefined
  return value.slice(2).padStart(WORD_DIGITS, '0')
}

interface Prepared {
  prepared: ReturnType<typeof prepareEncodeFunctionData<Abi, string>>
  /** Of its arguments. */
  types: readonly string[]
}

/** As many entries as there are ABIs in the source. */
const prepared = new WeakMap<Abi, Map<string, Prepared>>()

function prepare(abi: Abi, functionName: string): Prepared {
  const functions = prepared.get(abi) ?? new Map<string, Prepared>()
  const known = functions.get(functionName)
  if (known) return known
  const called = abi.filter((item) => item.type === 'function').filter(({ name }) => name === functionName)
  const [only] = called
  if (only === undefined || called.length > 1)
    throw new RangeError(`${called.length} functions are called ${functionName}`)
  const types = only.inputs.map(({ type }) => type)
  const made: Prepared = { prepared: prepareEncodeFunctionData({ abi, functionName }), types }
  prepared.set(abi, functions.set(functionName, made))
  return made
}
