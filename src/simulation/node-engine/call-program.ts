import { randomBytes } from 'node:crypto'
import { faults } from '../../evm/faults.js'
import { decodeRevertReason } from '../../evm/revert-reason.js'
import type { TransactionResult } from '../../evm/transaction.js'
import { type Address, bytesToHex, type Hex, hexToBytes, toQuantity } from '../../hex.js'
import { assemble } from '../../state/assemble.js'

/** A call that the program makes, or an account whose balance it reads. */
export type ProgramStep = { to: Address; data: Hex; value: bigint; gas: bigint } | { balanceOf: Address }

/**
 * Code that makes calls one after the other, whether or not they succeed, and answers how each
 * went.
 */
export interface CallProgram {
  code: Hex
  /** `undefined` when the program did not run. */
  read(answer: Hex): ProgramAnswer | undefined
}

export interface ProgramAnswer {
  timestamp: bigint
  /**
   * In the order of the steps. What `gasUsed` says is what the call used, without what a
   * transaction costs besides.
   */
  results: (TransactionResult | bigint)[]
}

const WORD = 0x20
/** Secret and TIMESTAMP. */
const HEADER = 2 * WORD
/** Of an answer: a view function's few words, or the beginning of a revert's reason. */
const OUTPUT = 4 * WORD
/** Success, gas, length of the output, and the output's beginning. */
const RECORD = 3 * WORD + OUTPUT

/** Writes the program. Stack comments have the top on the right. */
export function compileCalls(steps: readonly ProgramStep[]): CallProgram {
  const secret = bytesToHex(randomBytes(32))
  const recordAt = (index: number) => HEADER + index * RECORD
  const end = recordAt(steps.length)
  const datas = steps.map((step) => ('to' in step ? hexToBytes(step.data) : new Uint8Array(0)))
  const starts = datas.map((_, i) => datas.slice(0, i).reduce((sum, data) => sum + data.length, 0))
  const parts = steps.map((step, i) => {
    const at = (offset: number) => toQuantity(recordAt(i) + offset)
    if ('balanceOf' in step) return `0x01 ${at(0)} MSTORE ${step.balanceOf} BALANCE ${at(3 * WORD)} MSTORE`
    const size = toQuantity(datas[i]?.length ?? 0)
    return `
      ${size} @data ${toQuantity((starts[i] ?? 0) + 1)} ADD ${toQuantity(end)} CODECOPY
      GAS                                      ; gasBefore
      ${toQuantity(OUTPUT)} ${at(3 * WORD)} ${size} ${toQuantity(end)} ${toQuantity(step.value)} ${step.to} ${toQuantity(step.gas)} CALL
      ${at(0)} MSTORE                          ; gasBefore
      GAS SWAP1 SUB ${at(WORD)} MSTORE
      RETURNDATASIZE ${at(2 * WORD)} MSTORE`
  })
  // A contract that pays native coin to the caller calls it, and must find an account that just
  // takes it.
  const code = assemble(`
    CALLER ADDRESS EQ @run JUMPI STOP
    run:
    ${secret} 0x00 MSTORE
    TIMESTAMP ${toQuantity(WORD)} MSTORE
    ${parts.join('\n')}
    ${toQuantity(end)} 0x00 RETURN
    data: #${datas.map((data) => Buffer.from(data).toString('hex')).join('')}`)
  return {
    code,
    read(answer) {
      const bytes = hexToBytes(answer)
      if (bytes.length !== end || bytesToHex(bytes.subarray(0, WORD)) !== secret) return undefined
      const number = (at: number) => BigInt(bytesToHex(bytes.subarray(at, at + WORD)))
      const results = steps.map((step, i) => {
        const at = recordAt(i)
        if ('balanceOf' in step) return number(at + 3 * WORD)
        const length = Math.min(Number(number(at + 2 * WORD)), OUTPUT)
        const output = bytesToHex(bytes.subarray(at + 3 * WORD, at + 3 * WORD + length))
        return toResult(number(at) === 1n, number(at + WORD), output)
      })
      return { timestamp: number(WORD), results }
    },
  }
}

function toResult(isSuccess: boolean, gasUsed: bigint, output: Hex): TransactionResult {
  if (isSuccess) return { status: 'success', gasUsed, output, logs: [] }
  const revertReason = decodeRevertReason(output)
  return { status: 'revert', gasUsed, output, error: faults.reverted, ...(revertReason && { revertReason }), logs: [] }
}
