import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assemble, program } from '../../test/conformance/fuzz/generated-program.js'
import { createTestState } from '../checks/bytecode/test-state.conformance.js'
import { createEvm } from '../evm/create-evm.js'
import { type Address, bytesToHex, EMPTY_CODE_HASH, ZERO_ADDRESS } from '../hex.js'
import { keccak256 } from '../keccak.js'
import type { StateReader } from '../state/state-reader.js'
import { readFacts } from './facts.js'
import { generateProgram, seededRandom } from './random-program.conformance.js'

/** Programs of each kind; `FUZZ_RUNS` asks for more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 200)
const SEED = Number(process.env.FUZZ_SEED ?? 1)
const CALLS = 4
const TARGET: Address = '0x00000000000000000000000000000000000c0de1'
const CALLER: Address = '0x2000000000000000000000000000000000000002'
const SELECTORS = ['70a08231', 'a9059cbb', '23b872dd', 'dd62ed3e', '00000000', '']

const jumping = () => {
  const next = seededRandom(SEED)
  return Array.from({ length: RUNS }, () => generateProgram(next))
}

test.each([
  ['blocks that jump to one another', jumping],
  ['pieces of programs one after another', () => fc.sample(program, { numRuns: RUNS, seed: SEED }).map(assemble)],
])('%s: what runs on the EVM is within what the analysis saw', { timeout: 600_000 }, (_, make) => {
  const next = seededRandom(SEED)
  let complete = 0
  for (const [index, code] of make().entries()) {
    const facts = readFacts(code)
    // What is known to lack something claims nothing.
    if (facts.gaps.length > 0) continue
    complete += 1
    const reachable = new Set(facts.reachable.map(({ pc }) => pc))
    const effects = facts.functions.flatMap(({ run }) => run.nodes.flatMap((node) => node.effects))
    const seen = { pcs: new Set<number>(), writes: [] as { pc: number; slot: bigint }[] }
    for (let call = 0; call < CALLS; call += 1) run(code, call, next, seen)
    const where = `program ${index}: ${bytesToHex(code)}`
    expect(
      // Behind the last byte stands a STOP that is no instruction.
      [...seen.pcs].filter((pc) => pc < code.length && !reachable.has(pc)),
      where,
    ).toEqual([])
    const unseen = seen.writes.filter(
      ({ pc, slot }) =>
        !effects.some(
          (effect) =>
            effect.kind === 'write' && effect.pc === pc && (effect.key.op !== 'const' || effect.key.value === slot),
        ),
    )
    expect(unseen, where).toEqual([])
  }
  expect(complete).toBeGreaterThan(RUNS / 10)
})

/** One call with a selector that the programs know, or another, and words that are often small. */
function run(
  code: Uint8Array,
  call: number,
  next: () => number,
  seen: { pcs: Set<number>; writes: { pc: number; slot: bigint }[] },
): void {
  const evm = createEvm({ state: readerOf(code), block: BLOCK, hardfork: 'cancun' })
  const words = Array.from({ length: 3 }, () =>
    Math.floor(next() * (next() < 0.5 ? 4 : 1e9))
      .toString(16)
      .padStart(64, '0'),
  )
  const selector = SELECTORS[Math.floor(next() * SELECTORS.length)] ?? ''
  evm.setBalance(CALLER, 10n ** 20n)
  const tx = { from: CALLER, to: TARGET, data: `0x${selector}${words.join('')}` as const, value: BigInt(call % 2) }
  evm.transact({ ...tx, gasLimit: 200_000n, gasPrice: 0n }, [
    {
      opcodes: Array.from({ length: 256 }, (_, opcode) => opcode),
      onStep: (step) => {
        if (step.codeAddress === TARGET) seen.pcs.add(step.pc)
      },
      onStorageWrite: ({ address, pc, slot }) => {
        if (address === TARGET) seen.writes.push({ pc, slot })
      },
      finish: () => {},
    },
  ])
}

const BLOCK = {
  ...createTestState({ name: 'block', code: '0x' }).block,
  coinbase: ZERO_ADDRESS,
  baseFeePerGas: 0n,
  blobBaseFee: 1n,
  prevRandao: `0x${'00'.repeat(32)}`,
} as const

/** The code at one address, and nothing anywhere else. */
function readerOf(code: Uint8Array): StateReader {
  const hash = keccak256(code)
  return {
    account: (address) => ({ balance: 0n, nonce: 0n, codeHash: address === TARGET ? hash : EMPTY_CODE_HASH }),
    code: (of) => (of === hash ? code : new Uint8Array()),
    storage: () => 0n,
    blockHash: () => '0x00',
  }
}
