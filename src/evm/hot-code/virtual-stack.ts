import { MAX_SAFE, type Word } from '../../instructions/word.js'

/** A word of the stack while a block is written, as an expression without effects. */
export interface Value {
  js: string
  isNumber: boolean
  constant?: Word
  /** How far below the top it stood when the block was entered, from 1. */
  entry?: number
  /** The same as a truth value, where it can only be 0 or 1. */
  condition?: string
}

/** The stack at one place of a block: what stands above the words that were not touched. */
export interface StackState {
  values: readonly Value[]
  /** Words of the stack at the entry that `values` take the place of. */
  taken: number
}

/**
 * The stack of a block that is being written. Pushes, copies and exchanges cost nothing when it
 * runs, since only what has changed is written back where the block is left.
 */
export interface VirtualStack {
  pop(): Value
  push(value: Value): void
  /** DUP and SWAP with their number. */
  duplicate(place: number): void
  swap(place: number): void
  state(): StackState
  /** Words that must be there at the entry, and those that come on top of it at most. */
  readonly needed: number
  readonly growth: number
}

export function createVirtualStack(): VirtualStack {
  const values: Value[] = []
  let taken = 0
  let growth = 0
  const take = (count: number) => {
    while (values.length < count) {
      taken += 1
      values.unshift({ js: `e${taken}`, isNumber: false, entry: taken })
    }
  }
  const push = (value: Value) => {
    values.push(value)
    growth = Math.max(growth, values.length - taken)
  }
  return {
    pop() {
      take(1)
      return values.pop() as Value
    },
    push,
    duplicate(place) {
      take(place)
      push(values[values.length - place] as Value)
    },
    swap(place) {
      take(place + 1)
      const top = values.length - 1
      const other = values[top - place] as Value
      values[top - place] = values[top] as Value
      values[top] = other
    },
    state: () => ({ values: [...values], taken }),
    get needed() {
      return taken
    },
    get growth() {
      return growth
    },
  }
}

/** Statements that bring the stack in `S` to this state, where the entry's height is in `h`. */
export function writeBack({ values, taken }: StackState): string {
  return values
    .map((value, index) => (value.entry === taken - index ? '' : `${slot(index - taken)}=${value.js};`))
    .join('')
}

/** By how much the height has changed since the entry. */
export function heightChange({ values, taken }: StackState): number {
  return values.length - taken
}

/** A word of the stack, counted from the height at the entry. */
export function slot(place: number): string {
  return place < 0 ? `S[h${place}]` : `S[h+${place}]`
}

/** A constant that is a number. */
export function numberValue(constant: number): Value {
  if (!(constant >= 0 && constant <= MAX_SAFE)) throw new RangeError('the stack holds no such number')
  return { js: String(constant), isNumber: true, constant }
}
