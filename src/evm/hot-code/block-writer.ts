import type { Word } from '../../instructions/word.js'
import {
  createVirtualStack,
  heightChange,
  numberValue,
  type StackState,
  type VirtualStack,
  writeBack,
} from './virtual-stack.js'

/** What a block has used on the way to a place, and the stack there. */
export interface Spent {
  /** Without what depended on operands. */
  gas: number
  steps: number
  stack: StackState
}

/** Collects the statements of one block, instruction by instruction. */
export interface BlockWriter extends Pick<VirtualStack, 'pop' | 'push' | 'duplicate' | 'swap'> {
  /** Goes on to the instruction at `pc`, with its static price. */
  begin(pc: number, gas: number): void
  /** Where the instruction stands that is being written. */
  readonly pc: number
  emit(statement: string): void
  /** Puts an expression into a variable of its own, and that onto the stack. */
  pushNew(expression: string, isNumber?: boolean): void
  /** The same for an expression that is true or false. */
  pushCondition(expression: string): void
  pushConstant(word: Word): void
  /** A name for a variable of the block. */
  newName(): string
  /** Leaves the function for the interpreter, which runs the instruction that is being written. */
  bail(): string
  /** With the instruction that is being written. */
  spent(): Spent
  /** Words of the stack that must be there at the entry, and those that come on top at most. */
  bounds(): { needed: number; growth: number }
  text(): string
}

/** What stands for the gas and the steps of the whole block, which are known at its end. */
export const NEEDED_GAS = '#gas#'
export const NEEDED_STEPS = '#steps#'

export function createBlockWriter(constantName: (value: bigint) => string): BlockWriter {
  const statements: string[] = []
  const stack = createVirtualStack()
  let names = 0
  let gas = 0
  let steps = 0
  let pc = 0
  let before: Spent = { gas, steps, stack: stack.state() }
  const newName = () => {
    names += 1
    return `t${names}`
  }
  const assign = (expression: string) => {
    const name = newName()
    statements.push(`const ${name}=${expression};`)
    return name
  }
  return {
    pop: stack.pop,
    push: stack.push,
    duplicate: stack.duplicate,
    swap: stack.swap,
    newName,
    get pc() {
      return pc
    },
    begin(place, price) {
      before = { gas, steps, stack: stack.state() }
      pc = place
      gas += price
      steps += 1
    },
    emit: (statement) => void statements.push(statement),
    pushNew: (expression, isNumber = false) => stack.push({ js: assign(expression), isNumber }),
    pushCondition(expression) {
      const condition = assign(expression)
      stack.push({ js: `(${condition}?1:0)`, isNumber: true, condition })
    },
    pushConstant(word) {
      if (typeof word === 'number') stack.push(numberValue(word))
      else stack.push({ js: constantName(word), isNumber: false, constant: word })
    },
    bail: () => leave(before, pc),
    spent: () => ({ gas, steps, stack: stack.state() }),
    bounds: () => ({ needed: stack.needed, growth: stack.growth }),
    text: () => statements.join(''),
  }
}

/** Statements that leave the function, for the interpreter to go on at `pc`. */
export function leave({ gas, steps, stack }: Spent, pc: number | string): string {
  return `${writeBack(stack)}R[0]=h+${heightChange(stack)};R[1]=g-${gas};R[2]=u-${steps};return ${pc}`
}
