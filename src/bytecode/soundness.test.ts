import { expect, test } from 'vitest'
import { someOf } from '../../test/some-of.js'
import { readFixtures } from '../checks/bytecode/expectations.conformance.js'
import { deploy } from '../checks/bytecode/test-state.conformance.js'
import { createEvm } from '../evm/create-evm.js'
import type { Inspector } from '../evm/inspector.js'
import { type Address, ZERO_ADDRESS } from '../hex.js'
import { type ContractFacts, readFacts } from './facts.js'
import { seededRandom } from './random-program.conformance.js'
import { UNKNOWN_VARIABLE } from './source.js'
import { classifyKey } from './storage-key.js'

const CALLERS: readonly Address[] = [
  '0x1000000000000000000000000000000000000001', // the deployer, who holds every power
  '0x2000000000000000000000000000000000000002',
  '0x3000000000000000000000000000000000000003',
]
/** One fixture in so many. */
const SHARE = 8
const CALLS_PER_FUNCTION = 24

interface Seen {
  pcs: Set<number>
  writes: { pc: number; slot: bigint; caller: Address }[]
}

/** Notes what runs in the contract's own code. */
function createObserver(address: Address, caller: Address, seen: Seen): Inspector<void> {
  return {
    opcodes: Array.from({ length: 256 }, (_, opcode) => opcode),
    onStep: (step) => {
      if (step.codeAddress === address) seen.pcs.add(step.pc)
    },
    onStorageWrite: (write) => {
      if (write.address === address) seen.writes.push({ pc: write.pc, slot: write.slot, caller })
    },
    finish: () => {},
  }
}

/**
 * Calls every function with arguments that hit addresses, zero, limits and noise, from those with
 * and without power.
 */
function exercise(
  facts: ContractFacts,
  address: Address,
  state: ReturnType<typeof deploy>['state'],
): Map<string, Seen> {
  const next = seededRandom(5)
  const { block } = state
  const evm = createEvm({
    state,
    block: { ...block, blobBaseFee: 1n, prevRandao: `0x${'00'.repeat(32)}` },
    hardfork: 'cancun',
  })
  const words = [...CALLERS, address].map((word) => word.slice(2).padStart(64, '0'))
  words.push('0'.repeat(64), '1'.padStart(64, '0'), 'f'.repeat(64), (10n ** 18n).toString(16).padStart(64, '0'))
  const perFunction = new Map<string, Seen>()
  for (const { selector = '0x' } of facts.functions) {
    const seen: Seen = { pcs: new Set(), writes: [] }
    for (let call = 0; call < CALLS_PER_FUNCTION; call += 1) {
      const caller = CALLERS[call % CALLERS.length] ?? ZERO_ADDRESS
      const count = Math.floor(next() * 5)
      const args = Array.from({ length: count }, () => words[Math.floor(next() * words.length)]).join('')
      const value = next() < 0.2 ? 1n : 0n
      evm.setBalance(caller, 10n ** 20n)
      evm.read({ from: caller, to: address, data: `0x${selector.slice(2)}${args}`, value }, [
        createObserver(address, caller, seen),
      ])
    }
    perFunction.set(selector, seen)
  }
  return perFunction
}

const fixtures = readFixtures().map((fixture) => [fixture.name, fixture] as const)

test.each(someOf(fixtures, SHARE))(
  '%s: what runs on the EVM is within what the analysis saw',
  (_, { creationCode }) => {
    const { state, address, code } = deploy(creationCode)
    const facts = readFacts(code)
    expect(facts.gaps).toEqual([])
    const reachable = new Set(facts.reachable.map(({ pc }) => pc))
    for (const [selector, { pcs, writes }] of exercise(facts, address, state)) {
      const fn = facts.functions.find((found) => (found.selector ?? '0x') === selector)
      expect(
        [...pcs].filter((pc) => !reachable.has(pc)),
        `pcs of ${selector}`,
      ).toEqual([])
      for (const { pc, slot, caller } of writes) {
        const nodes =
          fn?.run.nodes.filter(({ effects }) =>
            effects.some((effect) => effect.kind === 'write' && effect.pc === pc),
          ) ?? []
        expect(nodes.length, `write at ${pc} of ${selector}`).toBeGreaterThan(0)
        const classes = nodes.flatMap(({ effects }) =>
          effects.flatMap((effect) => (effect.kind === 'write' && effect.pc === pc ? [classifyKey(effect.key)] : [])),
        )
        // A slot that is named is a plain variable; a large one that is not, an element of a list.
        const fits = classes.some(
          ({ id, keys }) =>
            id === UNKNOWN_VARIABLE ||
            (keys.length === 0 ? id === `0x${slot.toString(16)}` : id.includes('(*)') || slot >= 1n << 64n),
        )
        expect(fits, `slot ${slot.toString(16)} written at ${pc} is one of ${classes.map(({ id }) => id)}`).toBe(true)
        if (caller === CALLERS[0]) continue
        // Who has no power came here: some way here must be open to any address, or to a
        // computation that cannot be ruled out.
        const open = nodes.some((node) => {
          const guards = fn?.guardsOf(node) ?? []
          return guards.length === 0 || guards.some(({ kind }) => kind !== 'slot' && kind !== 'constant')
        })
        expect(open, `write at ${pc} of ${selector} by ${caller}`).toBe(true)
      }
    }
  },
)
