import type { Code } from '../code.js'
import type { HotFunction } from '../heat.js'
import { type Rules, STACK_LIMIT } from '../rules.js'
import { type BlockWriter, createBlockWriter, leave, NEEDED_GAS, NEEDED_STEPS, type Spent } from './block-writer.js'
import { type Block, JUMP, JUMPI } from './blocks.js'
import { runtime } from './runtime.js'
import { heightChange, slot, type Value, writeBack } from './virtual-stack.js'
import { writerOf } from './write-opcode.js'

/** What a function is made of. */
export interface FunctionParts {
  code: Code
  rules: Rules
  /** Numbered from 1. */
  blocks: readonly Block[]
  /** Of the function among those of its code. */
  index: number
  /** By place: what begins there, of any function of the code. */
  entries: Uint32Array
}

/** V8 optimizes no function that is much longer; shorter ones are entered and left more often. */
const FUNCTION_INSTRUCTIONS = 640
const BLOCK_BITS = 10
const BLOCK_MASK = 2 ** BLOCK_BITS - 1

/** Function and block in one number, which is not 0. */
export function entryOf(index: number, block: number): number {
  return (index << BLOCK_BITS) | block
}

export function functionOf(entry: number): number {
  return entry >>> BLOCK_BITS
}

export function blockOf(entry: number): number {
  return entry & BLOCK_MASK
}

/** Neighbours together, in groups that make a function each. */
export function groupBlocks(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    size += block.places.length
    if (size > FUNCTION_INSTRUCTIONS) {
      groups.push([])
      size = block.places.length
    }
    groups.at(-1)?.push(block)
  }
  return groups
}

/**
 * Writes the blocks as JavaScript and has it compiled. Nothing of the contract gets into the text
 * but whole numbers that were worked out from its bytes.
 */
export function makeFunction(parts: FunctionParts): HotFunction {
  const constants: bigint[] = []
  const source = writeFunction(parts, constants)
  const make = new Function('runtime', 'K', 'E', 'J', source)
  return make(runtime, constants, parts.entries, parts.code.jumpDestinations) as HotFunction
}

/** The text, and what its `constants` are. */
export function writeFunction(parts: FunctionParts, constants: bigint[]): string {
  const constantName = (value: bigint) => {
    const known = constants.indexOf(value)
    return `k${known < 0 ? constants.push(value) - 1 : known}`
  }
  const cases = parts.blocks.map((block, at) => `case ${at + 1}:{${writeBlock(parts, block, constantName)}}`)
  const named = constants.map((_, index) => `const k${index}=K[${index}];`).join('')
  return (
    `"use strict";const {${Object.keys(runtime).join()}}=runtime;${named}` +
    'return function(b,m,f,h,g,u){const S=f.stack;let v=f.view,z=f.memorySize;' +
    `for(;;)switch(b){${cases.join('\n')}default:throw new RangeError('no such block')}}`
  )
}

function writeBlock(parts: FunctionParts, block: Block, constantName: (value: bigint) => string): string {
  const { code, rules } = parts
  const writer = createBlockWriter(constantName)
  for (const pc of block.places) {
    const op = code.ops[pc] as number
    writer.begin(pc, (rules.instructions[op] as number) & 0xffff)
    if (op === JUMP) writer.emit(`{${jump(parts, writer, writer.pop())}}`)
    else if (op === JUMPI) branch(parts, writer)
    else writerOf(op)?.(writer, { code, rules })
  }
  if (block.ending === 'next') writer.emit(goTo(parts, block.next, writer.spent()))
  if (block.ending === 'interpreter') writer.emit(leave(writer.spent(), block.next))
  const { gas, steps } = writer.spent()
  const body = writer.text().replaceAll(NEEDED_GAS, String(gas)).replaceAll(NEEDED_STEPS, String(steps))
  return enter(block, writer) + loads(body) + body
}

/** Refuses to begin where the interpreter would find a fault, or look at its bounds, on the way. */
function enter(block: Block, writer: BlockWriter): string {
  const { needed, growth } = writer.bounds()
  const { gas, steps } = writer.spent()
  const refused = [`g<${gas}`, `u<${steps}`]
  if (needed > 0) refused.push(`h<${needed}`)
  if (growth > 0) refused.push(`h>${STACK_LIMIT - growth}`)
  return `if(${refused.join('||')}){R[0]=h;R[1]=g;R[2]=u;return ${block.start}}`
}

/** Loads the words of the stack that the block's statements name. */
function loads(body: string): string {
  const places = new Set([...body.matchAll(/\be(\d+)\b/g)].map(([, place]) => Number(place)))
  const loaded = [...places].map((place) => `e${place}=${slot(-place)}`)
  return loaded.length === 0 ? '' : `const ${loaded.join()};`
}

/** Goes on at a place that is known. */
function goTo({ blocks }: FunctionParts, pc: number, spent: Spent): string {
  const number = blocks.findIndex(({ start }) => start === pc) + 1
  return number === 0 ? leave(spent, pc) : `${settle(spent)}b=${number};continue`
}

function settle({ gas, steps, stack }: Spent): string {
  const change = heightChange(stack)
  return `${writeBack(stack)}${change === 0 ? '' : `h+=${change};`}g-=${gas};u-=${steps};`
}

/** Statements that jump to a word of the stack, which has been taken from it. */
function jump(parts: FunctionParts, writer: BlockWriter, target: Value): string {
  const { code, index } = parts
  const spent = writer.spent()
  if (target.constant !== undefined) {
    const place = Number(target.constant)
    return code.jumpDestinations[place] === 1 ? goTo(parts, place, spent) : writer.bail()
  }
  const isNumber = target.isNumber ? '' : `typeof ${target.js}!=='number'||`
  return (
    `if(${isNumber}J[${target.js}]!==1){${writer.bail()}}const x=E[${target.js}];` +
    `if(x>>>${BLOCK_BITS}===${index}&&x!==0){${settle(spent)}b=x&${BLOCK_MASK};continue}${leave(spent, target.js)}`
  )
}

function branch(parts: FunctionParts, writer: BlockWriter): void {
  const target = writer.pop()
  const condition = writer.pop()
  if (condition.constant !== 0)
    writer.emit(`if(${condition.condition ?? `${condition.js}!==0`}){${jump(parts, writer, target)}}`)
}
