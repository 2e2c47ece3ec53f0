import { expect, test } from 'vitest'
import { type Hex, hexToBytes } from '../../hex.js'
import { readEntryPoints } from './read-functions.js'

/**
 * `take(uint256[n])` adds up its arguments, by solc 0.8.30: their number, and how many bytes they
 * are, stand where they are put in.
 */
const adder = (n: number, then = ''): Hex => {
  const [count, size] = [n.toString(16).padStart(2, '0'), (n * 32).toString(16).padStart(4, '0')]
  return `0x6080604052348015600e575f5ffd5b50600436106026575f3560e01c80634799f51f14602a575b5f5ffd5b603960353660046076565b603b565b005b5f5b60${count}811015605757818160${count}81106054576054609b565b60200201355f5f8282546066919060af565b9091555050600101603d565b5050565b5f61${size}82840312156086575f5ffd5b8261${size}830111156095575f5ffd5b50919050565b634e487b7160e01b5f52603260045260245ffd5b8082018082111560cd57634e487b7160e01b5f52601160045260245ffd5b929150505600${then}`
}
const read = (code: Hex) => readEntryPoints(hexToBytes(code), code)

/** CALL, and the same byte as the data of a PUSH1. */
const CALL = 'f1'
const DATA = '60f1'

test('a function with more arguments than are tried is not looked at', () => {
  expect(read(adder(50, CALL)).isCut).toBe(true)
  expect(read(adder(20, CALL)).isCut).toBe(false)
})

test('code that calls no other takes nothing from others, whatever its functions ask', () => {
  expect(read(adder(50, DATA))).toMatchObject({ isCut: false, callsOthers: false })
  expect(read(adder(20, CALL)).callsOthers).toBe(true)
})
