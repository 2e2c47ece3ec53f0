import { randomBytes } from 'node:crypto'
import type { Chain } from '../chains/chain.js'
import { type Address, bytesToHex, type Hex, toPaddedHex, toQuantity } from '../hex.js'
import { assemble } from './assemble.js'
import { ARB_BLOCK_NUMBER, ARB_SYS } from './node-programs.js'
import type { PinnedBlock } from './state-source.js'

/** Calls that an account makes one after the other, whether or not they succeed. */
export interface CallScript {
  /**
   * Who calls. On the node it gets code for the time of the trace, so it must not be an account
   * whose state matters.
   */
  from: Address
  /** What it has to spend, in wei. */
  balance: bigint
  calls: readonly ScriptCall[]
  /** When the calls happen, in seconds since 1970; the block's own time otherwise. */
  time?: bigint
}

export interface ScriptCall {
  to: Address
  data: Hex
  value?: bigint
  /**
   * Puts the first word that an earlier call answered into `data`, at a byte offset: an amount that
   * is known only then.
   */
  fill?: readonly { at: number; fromCall: number }[]
}

/**
 * A script as code for `from`, with a way to tell from the slots which it read on which block it
 * ran.
 */
export interface CompiledScript {
  code: Hex
  ranOn(chain: Chain, block: PinnedBlock, slotsRead: ReadonlySet<bigint>): boolean
}

/**
 * Compiles a script, to be called by its own account. Before its calls it reads three of its own
 * slots, whose keys are the block's marks mixed with secrets: a tracer that lists the slots thereby
 * says which block it is talking about.
 */
export function compileScript({ calls }: CallScript): CompiledScript {
  if (calls.length > MAX_CALLS) throw new RangeError(`a script has at most ${MAX_CALLS} calls`)
  const [numberSecret, parentSecret, arbitrumSecret] = [newSecret(), newSecret(), newSecret()]
  let dataSize = 0
  const steps = calls.map(({ to, data, value = 0n, fill = [] }, i) => {
    const start = dataSize
    dataSize += (data.length - 2) / 2
    const size = toQuantity(dataSize - start)
    const fills = fill.map(
      ({ at, fromCall }) => `${toQuantity(resultAt(fromCall))} MLOAD ${toQuantity(DATA_AT + at)} MSTORE`,
    )
    return `
      ${size} @data ${toQuantity(start + 1)} ADD ${toQuantity(DATA_AT)} CODECOPY
      ${fills.join(' ')}
      0x20 ${toQuantity(resultAt(i))} ${size} ${toQuantity(DATA_AT)} ${toQuantity(value)} ${to} GAS CALL POP`
  })
  const program = assemble(`
    CALLER ADDRESS EQ @start JUMPI STOP      ; paid by another account: to start over would be a loop without end
    start:
    ${toPaddedHex(numberSecret, 32)} NUMBER XOR SLOAD POP
    ${toPaddedHex(parentSecret, 32)} 0x01 NUMBER SUB BLOCKHASH XOR SLOAD POP
    ${ARB_BLOCK_NUMBER} 0x00 MSTORE
    0x20 0x20 0x04 0x00 ${ARB_SYS} 0x2710 STATICCALL POP
    ${toPaddedHex(arbitrumSecret, 32)} 0x20 MLOAD XOR SLOAD POP
    ${steps.join('\n')}
    STOP
    data:`)
  return {
    code: `${program}${calls.map(({ data }) => data.slice(2)).join('')}`,
    ranOn(chain, block, slots) {
      if (!slots.has(numberSecret ^ (block.l1BlockNumber ?? block.number))) return false
      if (chain.numberSource === 'block') return slots.has(parentSecret ^ BigInt(block.parentHash))
      return slots.has(arbitrumSecret) || slots.has(arbitrumSecret ^ block.number)
    },
  }
}

/** One word for the answer of each call. */
const resultAt = (call: number) => 0x40 + call * 0x20
/** Behind the answers of {@link MAX_CALLS} calls. */
const DATA_AT = 0x800
const MAX_CALLS = (DATA_AT - 0x40) / 0x20

function newSecret(): bigint {
  return BigInt(bytesToHex(randomBytes(32)))
}
