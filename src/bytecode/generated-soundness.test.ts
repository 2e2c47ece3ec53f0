import { expect, test } from 'vitest'
import { runSolc } from '../../test/run-solc.js'
import { deploy } from '../checks/bytecode/test-state.conformance.js'
import { createEvm } from '../evm/create-evm.js'
import type { Inspector } from '../evm/inspector.js'
import { ADDRESS_MASK, type Address, type Hex, WORD_MASK } from '../hex.js'
import { type FunctionFacts, readFacts } from './facts.js'
import type { Guard } from './guards.js'
import { seededRandom } from './random-program.conformance.js'
import { FIXED_CALLER, generateSolidity } from './solidity-program.conformance.js'
import { classifyKey } from './storage-key.js'

/** Files of six contracts each; `FUZZ_FILES` asks for more. */
const FILES = Number(process.env.FUZZ_FILES ?? 2)
const SEED = Number(process.env.FUZZ_SEED ?? 1)
const CALLS = 60

const CALLERS: readonly Address[] = [
  '0x1000000000000000000000000000000000000001', // the deployer
  '0x2000000000000000000000000000000000000002',
  FIXED_CALLER,
]

/** A write as the EVM made it. */
interface Write {
  pc: number
  slot: bigint
  value: bigint
}

/** Legacy and via-IR, optimised and not, in turn. */
function compile(content: string, setting: number): Hex[] {
  const settings = {
    optimizer: { enabled: setting % 2 === 1, runs: 200 },
    viaIR: setting % 4 > 1,
    evmVersion: 'cancun',
    outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
  }
  const input = { language: 'Solidity', sources: { 'G.sol': { content } }, settings }
  const { contracts, errors } = runSolc('solc', input) as {
    contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
    errors?: { severity: string; formattedMessage: string }[]
  }
  const [error] = errors?.filter(({ severity }) => severity === 'error') ?? []
  if (error !== undefined) throw new Error(error.formattedMessage)
  return Object.values(contracts?.['G.sol'] ?? {}).map(({ evm }): Hex => `0x${evm.bytecode.object}`)
}

/** Notes what runs and what is written in one call. */
function createObserver(address: Address, pcs: Set<number>, writes: Write[]): Inspector<void> {
  return {
    opcodes: Array.from({ length: 256 }, (_, opcode) => opcode),
    onStep: (step) => {
      if (step.codeAddress === address) pcs.add(step.pc)
    },
    onStorageWrite: ({ address: of, pc, slot, value }) => {
      if (of === address) writes.push({ pc, slot, value })
    },
    finish: () => {},
  }
}

/** One call, and the contract's words before it. */
type Run = { fn: FunctionFacts; caller: Address; storage: (slot: bigint) => bigint }

/**
 * What is wrong about a write: no such write was seen, not to this slot, not of this value, or not
 * for this caller.
 */
function judgeWrite({ fn, caller, storage }: Run, { pc, slot, value }: Write, written: ReadonlySet<bigint>): string[] {
  const places = fn.run.nodes.flatMap((node) =>
    node.effects.flatMap((effect) => (effect.kind === 'write' && effect.pc === pc ? [{ node, effect }] : [])),
  )
  if (places.length === 0) return ['was not seen']
  const fits = places.filter(({ effect: { key } }) => {
    if (key.op === 'const') return key.value === slot
    return slot >= 1n << 64n || classifyKey(key).keys.length === 0
  })
  if (fits.length === 0) return [`is to another slot: ${slot.toString(16)}`]
  const values = fits.map(({ effect }) => effect)
  const bits = ({ shift, width }: { shift: number; width: number }) =>
    (value >> BigInt(shift)) & ((1n << BigInt(width)) - 1n)
  const known = values.every((effect) => effect.value.op === 'const')
  const wrongs: string[] = []
  if (known && !values.some((effect) => effect.value.op === 'const' && bits(effect) === effect.value.value))
    wrongs.push(`is of another value: ${value.toString(16)}`)
  const isOpen = fits.some(({ node }) => {
    const guards = fn.guardsOf(node)
    return guards.length === 0 || guards.some((guard) => admits(guard, caller, storage, written))
  })
  if (!isOpen) wrongs.push(`is closed to ${caller}`)
  return wrongs
}

/** Whether the guard lets the caller in, as far as the state before the call tells. */
function admits({ kind, holder }: Guard, caller: Address, storage: Run['storage'], written: ReadonlySet<bigint>) {
  const isCaller = (value: bigint) => (value & ADDRESS_MASK) === BigInt(caller)
  if (kind === 'constant') return holder.op === 'const' && isCaller(holder.value)
  if (kind === 'self') return false
  if (kind !== 'slot') return true
  const word = holder.op === 'field' ? holder.args[0] : holder
  const key = word?.op === 'sload' ? word.args[0] : undefined
  if (key?.op !== 'const' || written.has(key.value)) return true
  return isCaller(storage(key.value) >> (holder.op === 'field' ? holder.value : 0n))
}

test.each(Array.from({ length: FILES }, (_, n) => SEED + n))(
  'generated Solidity %i: places, slots, values and callers are within what the analysis saw',
  { timeout: 600_000 },
  (seed) => {
    const next = seededRandom(seed)
    let judged = 0
    for (const [index, creationCode] of compile(generateSolidity(next), seed).entries()) {
      const { state, address, code } = deploy(creationCode)
      const facts = readFacts(code)
      expect(facts.gaps, `contract ${index}`).toEqual([])
      const reachable = new Set(facts.reachable.map(({ pc }) => pc))
      const { block } = state
      const evm = createEvm({
        state,
        block: { ...block, baseFeePerGas: 0n, blobBaseFee: 1n, prevRandao: `0x${'00'.repeat(32)}` },
        hardfork: 'cancun',
      })
      const words = [...CALLERS, address].map((word) => BigInt(word))
      words.push(0n, 1n, 2n, 7n, WORD_MASK, 10n ** 18n)
      for (let call = 0; call < CALLS; call += 1) {
        const fn = facts.functions[Math.floor(next() * facts.functions.length)]
        const caller = CALLERS[Math.floor(next() * CALLERS.length)]
        if (fn === undefined || caller === undefined) continue
        const args = [0, 1].map(() => (words[Math.floor(next() * words.length)] ?? 0n) & ADDRESS_MASK)
        const data: Hex = `${fn.selector ?? '0x'}${args.map((word) => word.toString(16).padStart(64, '0')).join('')}`
        const before = new Map<bigint, bigint>()
        const storage = (slot: bigint) => before.get(slot) ?? 0n
        for (let slot = 0n; slot < 8n; slot += 1n) before.set(slot, evm.storage(address, slot) ?? 0n)
        const pcs = new Set<number>()
        const writes: Write[] = []
        evm.setBalance(caller, 10n ** 20n)
        evm.transact({ from: caller, to: address, data, gasLimit: 5_000_000n, gasPrice: 0n }, [
          createObserver(address, pcs, writes),
        ])
        const where = `contract ${index}, call ${call} of ${fn.selector}`
        expect(
          [...pcs].filter((pc) => !reachable.has(pc)),
          where,
        ).toEqual([])
        judged += writes.length
        const written = new Set(writes.map(({ slot }) => slot))
        const wrongs = writes.flatMap((write) => judgeWrite({ fn, caller, storage }, write, written))
        expect(wrongs, where).toEqual([])
      }
    }
    expect(judged).toBeGreaterThan(CALLS)
  },
)
