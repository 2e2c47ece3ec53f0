import { opcodeByName } from './opcodes.js'

/*
 * How DUPN, SWAPN and EXCHANGE name places of the stack by the byte behind them (EIP-8024). No byte
 * that could be a JUMPDEST or begin a PUSH is such an operand, so that jump destinations stay where
 * they are under older rules.
 */

const LAST_SINGLE = 0x5a
const LAST_PAIR = 0x51
const FIRST_HIGH = 0x80

/**
 * By operand: the place that DUPN copies, 1 for the top, which is also how far below the top the
 * other place of SWAPN is. 0 where the operand is refused.
 */
export const DEEP_PLACES = placesOf(LAST_SINGLE, (operand) => (operand + 145) & 0xff)

/** By operand: how far below the top the two places of EXCHANGE are. 0 where it is refused. */
export const NEAR_PLACES = placesOf(LAST_PAIR, (operand) => {
  const [row, column] = cellOf(operand)
  return row < column ? row + 1 : column + 1
})
export const FAR_PLACES = placesOf(LAST_PAIR, (operand) => {
  const [row, column] = cellOf(operand)
  return row < column ? column + 1 : 29 - row
})

export const DUPN = opcodeByName('DUPN')
const SWAPN = opcodeByName('SWAPN')
const EXCHANGE = opcodeByName('EXCHANGE')

/** Whether the byte behind an opcode belongs to it as one of these operands. */
export function isDeepOperand(opcode: number, operand: number): boolean {
  if (opcode === EXCHANGE) return FAR_PLACES[operand] !== 0
  return (opcode === DUPN || opcode === SWAPN) && DEEP_PLACES[operand] !== 0
}

/** How far below the top the two places are that SWAPN or EXCHANGE changes. */
export const upperPlace = (opcode: number, operand: number): number =>
  opcode === SWAPN ? 0 : (NEAR_PLACES[operand] as number)
export const lowerPlace = (opcode: number, operand: number): number =>
  (opcode === SWAPN ? DEEP_PLACES : FAR_PLACES)[operand] as number

function placesOf(last: number, place: (operand: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, operand) =>
    operand <= last || operand >= FIRST_HIGH ? place(operand) : 0,
  )
}

/** The pairs stand in a square, whose lower half has those that lie further apart. */
function cellOf(operand: number): [row: number, column: number] {
  const cell = operand ^ 0x8f
  return [cell >> 4, cell & 0x0f]
}
