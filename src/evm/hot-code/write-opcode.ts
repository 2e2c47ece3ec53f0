import { opcodeByName } from '../../instructions/opcodes.js'
import * as words from '../../instructions/word.js'
import { MAX_SAFE, type Word } from '../../instructions/word.js'
import type { Code } from '../code.js'
import { HASH_STEPS, HASH_WORD_GAS } from '../opcode-costs.js'
import type { Rules } from '../rules.js'
import { type BlockWriter, NEEDED_GAS, NEEDED_STEPS } from './block-writer.js'
import type { Value } from './virtual-stack.js'

/** Writes an instruction: takes its operands from the writer's stack and puts its result there. */
type Write = (writer: BlockWriter, context: { code: Code; rules: Rules }) => void

/**
 * How an instruction is written that ends no block; `undefined` where the interpreter runs it. That
 * is so for what is rare, and for ORIGIN, TIMESTAMP and NUMBER, which inspectors of trades watch.
 */
export function writerOf(opcode: number): Write | undefined {
  return byOpcode[opcode]
}

/** Conditions under which the values are numbers, each with `&&` behind it. */
const areNumbers = (...values: Value[]) =>
  values.map(({ js, isNumber }) => (isNumber ? '' : `typeof ${js}==='number'&&`)).join('')
const isLarge = ({ constant }: Value) => typeof constant === 'bigint'

interface Binary {
  /** Its name in the runtime, and what it works out where both operands are known. */
  name: keyof typeof words
  compute: (a: Word, b: Word) => Word
  /** For numbers: when it holds, and what the result is. */
  quick?: (a: string, b: string) => [when: string, result: string]
}

function binary({ name, compute, quick }: Binary): Write {
  return (writer) => {
    const [a, b] = [writer.pop(), writer.pop()]
    const call = `${name}(${a.js},${b.js})`
    if (a.constant !== undefined && b.constant !== undefined) writer.pushConstant(compute(a.constant, b.constant))
    else if (quick === undefined || isLarge(a) || isLarge(b)) writer.pushNew(call)
    else {
      const [when, result] = quick(a.js, b.js)
      writer.pushNew(`${areNumbers(a, b)}${when}?${result}:${call}`)
    }
  }
}

/** LT; GT is the same with its operands exchanged. */
function lessThan(writer: BlockWriter, a: Value, b: Value): void {
  const call = `lessThan(${a.js},${b.js})`
  if (a.constant !== undefined && b.constant !== undefined)
    writer.pushConstant(words.lessThan(a.constant, b.constant) ? 1 : 0)
  // A number is less than all that is none.
  else if (isLarge(b)) writer.pushCondition(a.isNumber ? 'true' : `typeof ${a.js}==='number'||${call}`)
  else if (isLarge(a)) writer.pushCondition(b.isNumber ? 'false' : `typeof ${b.js}!=='number'&&${call}`)
  else writer.pushCondition(quickly(a, b, call))
}

function signedLessThan(writer: BlockWriter, a: Value, b: Value): void {
  const call = `signedLessThan(${a.js},${b.js})`
  writer.pushCondition(isLarge(a) || isLarge(b) ? call : quickly(a, b, call))
}

/** The comparison of two numbers, or the call. */
function quickly(a: Value, b: Value, call: string): string {
  return `${areNumbers(a, b)}true?${a.js}<${b.js}:${call}`
}

function equal(writer: BlockWriter): void {
  const [a, b] = [writer.pop(), writer.pop()]
  if (a.constant !== undefined && b.constant !== undefined) writer.pushConstant(a.constant === b.constant ? 1 : 0)
  else writer.pushCondition(`${a.js}===${b.js}`)
}

function isZero(writer: BlockWriter): void {
  const { js, constant, condition } = writer.pop()
  if (constant !== undefined) writer.pushConstant(constant === 0 ? 1 : 0)
  else writer.pushCondition(condition === undefined ? `${js}===0` : `!${condition}`)
}

/** Shifts of a number by so many bits are a multiplication or a division that is exact. */
const EXACT_BITS = 52

function shift(name: 'shl' | 'shr', compute: (bits: Word, value: Word) => Word): Write {
  return (writer) => {
    const [bits, value] = [writer.pop(), writer.pop()]
    const call = `${name}(${bits.js},${value.js})`
    const factor = 2 ** Number(bits.constant)
    const number = areNumbers(value)
    if (bits.constant !== undefined && value.constant !== undefined)
      writer.pushConstant(compute(bits.constant, value.constant))
    else if (!(factor <= 2 ** EXACT_BITS)) writer.pushNew(call)
    else if (name === 'shr') writer.pushNew(`${number}true?Math.floor(${value.js}/${factor}):${call}`)
    else writer.pushNew(`${number}${value.js}<=${Math.floor(MAX_SAFE / factor)}?${value.js}*${factor}:${call}`)
  }
}

/** Masks that the machine's own instruction takes: it works on 32 bits with a sign. */
const MAX_MASK = 0x7fff_ffff

function and(writer: BlockWriter): void {
  const [a, b] = [writer.pop(), writer.pop()]
  const call = `and(${a.js},${b.js})`
  const [mask, value] = a.constant === undefined ? [b, a] : [a, b]
  if (a.constant !== undefined && b.constant !== undefined) writer.pushConstant(words.and(a.constant, b.constant))
  else if (typeof mask.constant !== 'number' || mask.constant > MAX_MASK) writer.pushNew(call)
  else writer.pushNew(`${areNumbers(value)}true?${value.js}&${mask.constant}:${call}`, true)
}

function unary(name: keyof typeof words, compute: (a: Word) => Word): Write {
  return (writer) => {
    const { js, constant } = writer.pop()
    if (constant !== undefined) writer.pushConstant(compute(constant))
    else writer.pushNew(`${name}(${js})`)
  }
}

function modular(name: 'addmod' | 'mulmod'): Write {
  return (writer) => writer.pushNew(`${name}(${writer.pop().js},${writer.pop().js},${writer.pop().js})`)
}

/** Lets the interpreter run the instruction where its operands are no numbers. */
function requireNumbers(writer: BlockWriter, ...values: Value[]): void {
  for (const { js, isNumber } of values) if (!isNumber) writer.emit(`if(typeof ${js}!=='number'){${writer.bail()}}`)
}

/** Pays for memory of `length` bytes from `offset` and makes it usable. */
function reach(writer: BlockWriter, offset: Value, length: string): void {
  const gas = writer.newName()
  const end = `${offset.js}+${length}`
  writer.emit(
    `if(${end}>z){const ${gas}=expand(m,f,${end},g-${NEEDED_GAS});if(${gas}<0){${writer.bail()}}` +
      `g-=${gas};v=f.view;z=f.memorySize}`,
  )
}

function load(writer: BlockWriter): void {
  const offset = writer.pop()
  requireNumbers(writer, offset)
  reach(writer, offset, '32')
  writer.pushNew(`readWord(v,${offset.js})`)
}

function store(writer: BlockWriter): void {
  const [offset, value] = [writer.pop(), writer.pop()]
  requireNumbers(writer, offset)
  reach(writer, offset, '32')
  writer.emit(`writeWord(v,${offset.js},${value.js});`)
}

function storeByte(writer: BlockWriter): void {
  const [offset, value] = [writer.pop(), writer.pop()]
  requireNumbers(writer, offset)
  reach(writer, offset, '1')
  writer.emit(`f.memory[${offset.js}]=lowByte(${value.js});`)
}

function keccak(writer: BlockWriter): void {
  const [offset, length] = [writer.pop(), writer.pop()]
  requireNumbers(writer, offset, length)
  if (length.constant === undefined) writer.emit(`if(${length.js}!==0){`)
  if (length.constant !== 0) reach(writer, offset, length.js)
  if (length.constant === undefined) writer.emit('}')
  const [gas, steps] = [writer.newName(), writer.newName()]
  writer.emit(
    `const ${gas}=${HASH_WORD_GAS}*Math.ceil(${length.js}/32),${steps}=${HASH_STEPS}+(${length.js}>>>4);` +
      `if(g-${gas}<${NEEDED_GAS}||u-${steps}<${NEEDED_STEPS}){${writer.bail()}}g-=${gas};u-=${steps};`,
  )
  writer.pushNew(`hashMemory(m,f,${offset.js},${length.js})`)
}

/** The read is begun only where it can be paid for, even if the slot is cold. */
function readStorage(writer: BlockWriter, { rules }: { rules: Rules }): void {
  const key = writer.pop()
  const tooDear = `g-${rules.coldSlotGas}<${NEEDED_GAS}||u-lookupCost(f.self.slots.size+1)<${NEEDED_STEPS}`
  writer.emit(`if(${tooDear}){${writer.bail()}}`)
  writer.pushNew(`readStorage(m,f,${key.js},${writer.pc})`)
  writer.emit('g-=R[3];u-=R[4];')
}

/** What stands in the frame or the block. */
function given(expression: string, isNumber = false): Write {
  return (writer) => writer.pushNew(expression, isNumber)
}

function pushed(width: number): Write {
  return (writer, { code }) =>
    writer.pushConstant(words.wordFromBytes(code.ops.subarray(writer.pc + 1, writer.pc + 1 + width)))
}

const { add, mul, sub, div, sdiv, mod, smod, signExtend, byte, sar, or, xor, not, countLeadingZeros } = words

const byName: Record<string, Write> = {
  ADD: binary({ name: 'add', compute: add, quick: (a, b) => [`${a}+${b}<=${MAX_SAFE}`, `${a}+${b}`] }),
  MUL: binary({ name: 'mul', compute: mul, quick: (a, b) => [`${a}*${b}<=${MAX_SAFE}`, `${a}*${b}`] }),
  SUB: binary({ name: 'sub', compute: sub, quick: (a, b) => [`${a}>=${b}`, `${a}-${b}`] }),
  DIV: binary({ name: 'div', compute: div, quick: (a, b) => [`${b}!==0`, `Math.floor(${a}/${b})`] }),
  SDIV: binary({ name: 'sdiv', compute: sdiv }),
  MOD: binary({ name: 'mod', compute: mod, quick: (a, b) => [`${b}!==0`, `${a}%${b}`] }),
  SMOD: binary({ name: 'smod', compute: smod }),
  ADDMOD: modular('addmod'),
  MULMOD: modular('mulmod'),
  SIGNEXTEND: binary({ name: 'signExtend', compute: signExtend }),
  LT: (writer) => lessThan(writer, writer.pop(), writer.pop()),
  GT(writer) {
    const [a, b] = [writer.pop(), writer.pop()]
    lessThan(writer, b, a)
  },
  SLT: (writer) => signedLessThan(writer, writer.pop(), writer.pop()),
  SGT(writer) {
    const [a, b] = [writer.pop(), writer.pop()]
    signedLessThan(writer, b, a)
  },
  EQ: equal,
  ISZERO: isZero,
  AND: and,
  OR: binary({ name: 'or', compute: or }),
  XOR: binary({ name: 'xor', compute: xor }),
  NOT: unary('not', not),
  BYTE: binary({ name: 'byte', compute: byte }),
  SHL: shift('shl', words.shl),
  SHR: shift('shr', words.shr),
  SAR: binary({ name: 'sar', compute: sar }),
  CLZ: unary('countLeadingZeros', countLeadingZeros),
  KECCAK256: keccak,
  ADDRESS: given('f.self.word'),
  CALLER: given('f.caller'),
  CALLVALUE: given('f.value'),
  CALLDATALOAD: (writer) => writer.pushNew(`readInput(f,${writer.pop().js})`),
  CALLDATASIZE: given('f.inputLength', true),
  CODESIZE: (writer, { code }) => writer.pushConstant(code.bytes.length),
  RETURNDATASIZE: given('f.returnData.length', true),
  CHAINID: given('m.block.chainId'),
  POP: (writer) => void writer.pop(),
  MLOAD: load,
  MSTORE: store,
  MSTORE8: storeByte,
  SLOAD: readStorage,
  PC: (writer) => writer.pushConstant(writer.pc),
  MSIZE: given('z', true),
  GAS: (writer) => writer.pushNew(`g-${writer.spent().gas}`, true),
  JUMPDEST: () => undefined,
}

const byOpcode: (Write | undefined)[] = new Array(256).fill(undefined)
for (const [name, write] of Object.entries(byName)) byOpcode[opcodeByName(name)] = write
for (let place = 1; place <= 16; place += 1) {
  byOpcode[opcodeByName(`DUP${place}`)] = (writer) => writer.duplicate(place)
  byOpcode[opcodeByName(`SWAP${place}`)] = (writer) => writer.swap(place)
}
for (let width = 0; width <= 32; width += 1) byOpcode[opcodeByName(`PUSH${width}`)] = pushed(width)
