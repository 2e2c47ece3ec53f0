import { encodeFunctionData, parseAbi } from 'viem'
import type { ContractFacts } from '../../bytecode/facts.js'
import { membershipSlot, readHolder, readPrivilege } from '../../bytecode/privilege.js'
import { UNKNOWN_VARIABLE } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { callData, readWords } from '../../dex/read-contract.js'
import { type Address, type Hex, toPaddedHex, ZERO_ADDRESS } from '../../hex.js'
import { onBranch } from '../on-branch.js'
import { actAs } from './act.js'
import { readCode } from './read-contracts.js'
import type { Stage } from './stage.js'

/** OpenZeppelin's TimelockController, since 3.3. */
const CONTROLLER = parseAbi([
  'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function execute(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt) payable',
  'function scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function executeBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt) payable',
])
/** Compound's Timelock. */
const COMPOUND = parseAbi([
  'function queueTransaction(address target, uint256 value, string signature, bytes data, uint256 eta) returns (bytes32)',
  'function executeTransaction(address target, uint256 value, string signature, bytes data, uint256 eta) payable returns (bytes)',
])

interface Shape {
  /**
   * Selectors of the function that answers the delay, of the one that announces, and of all that
   * may call out.
   */
  delay: Hex
  announce: Hex
  execute: Hex
  callers: readonly Hex[]
  /** Calls off what waits. */
  cancel: Hex
  calls(target: Address, at: bigint, delay: bigint): Calls
  /** The same for several calls at once, where there is such a thing. */
  announceBatch?: Hex
  batch?(target: Address, delay: bigint): Calls
}

interface Calls {
  announce: Hex
  execute: Hex
}

/** `totalSupply()`: a call that does nothing. */
const HARMLESS: Hex = '0x18160ddd'
const NO_WORD = toPaddedHex(0n, 32)

const SHAPES: readonly Shape[] = [
  {
    delay: '0xf27a0c92',
    announce: '0x01d5062a',
    execute: '0x134008d3',
    callers: ['0x134008d3', '0xe38335e5'],
    cancel: '0xc4d252f5',
    calls: (target, _, delay) => {
      const call = [target, 0n, HARMLESS, NO_WORD, NO_WORD] as const
      return {
        announce: encodeFunctionData({ abi: CONTROLLER, functionName: 'schedule', args: [...call, delay] }),
        execute: encodeFunctionData({ abi: CONTROLLER, functionName: 'execute', args: call }),
      }
    },
    announceBatch: '0x8f2a0bb0',
    batch: (target, delay) => {
      const call = [[target], [0n], [HARMLESS], NO_WORD, NO_WORD] as const
      return {
        announce: encodeFunctionData({ abi: CONTROLLER, functionName: 'scheduleBatch', args: [...call, delay] }),
        execute: encodeFunctionData({ abi: CONTROLLER, functionName: 'executeBatch', args: call }),
      }
    },
  },
  {
    delay: '0x6a42b8f8',
    announce: '0x3a66f901',
    execute: '0x0825f38f',
    callers: ['0x0825f38f'],
    cancel: '0x591fcdfe',
    calls: (target, at) => {
      const args = [target, 0n, '', HARMLESS, at] as const
      return {
        announce: encodeFunctionData({ abi: COMPOUND, functionName: 'queueTransaction', args }),
        execute: encodeFunctionData({ abi: COMPOUND, functionName: 'executeTransaction', args }),
      }
    },
  },
]

/** Where it is tried: `token` is what it is to call, `operator` stands for those who have it. */
export type TimelockStage = Pick<Stage, 'fork' | 'token' | 'operator' | 'effort'>

/** Longer delays are no promise that can be checked. Seconds: ten years. */
const MAX_DELAY = 315_360_000n

/**
 * The delay of a timelock, in seconds, or `undefined` for everything else. It is not believed but
 * tried: who holds its roles can do nothing unannounced, nothing announced for at once, nothing
 * before the delay is over, and then what was announced. No other function calls out, and none but
 * the timelock's own announced calls changes how long is waited.
 */
export function tryTimelock(stage: TimelockStage, address: Address): number | undefined {
  const { facts } = readCode(stage.fork.evm.code(address))
  const shape = SHAPES.find(({ announce, execute }) =>
    [announce, execute].every((selector) => facts.functions.some((fn) => fn.selector === selector)),
  )
  if (shape === undefined || facts.gaps.length > 0 || callsElsewhere(facts, shape.callers)) return undefined
  if (canBeShortened(facts, shape)) return undefined
  const delay = readWords(stage.fork, address, callData(shape.delay, []))?.[0]
  if (delay === undefined || delay === 0n || delay > MAX_DELAY) return undefined
  return onBranch(stage, () => isKept(stage, address, facts, shape, delay)) ? Number(delay) : undefined
}

/** Any way to make it act besides the ones that wait. */
function callsElsewhere({ functions }: ContractFacts, callers: readonly Hex[]): boolean {
  return functions.some(({ selector, effects }) =>
    effects.some(
      (effect) =>
        effect.kind === 'destruct' ||
        effect.kind === 'create' ||
        (effect.kind === 'call' &&
          effect.op !== 'STATICCALL' &&
          (effect.op !== 'CALL' || selector === undefined || !callers.includes(selector))),
    ),
  )
}

/**
 * Whether a function besides those that are tried writes what decides how long is waited: the
 * delay, or what is written down of each announcement.
 */
function canBeShortened({ functions }: ContractFacts, shape: Shape): boolean {
  const of = (selector: Hex) => functions.filter((fn) => fn.selector === selector).flatMap(({ effects }) => effects)
  const deciding = new Set([
    UNKNOWN_VARIABLE,
    ...of(shape.delay).flatMap((effect) => (effect.kind === 'read' ? [classifyKey(effect.key).id] : [])),
    ...of(shape.announce).flatMap((effect) => (effect.kind === 'write' ? [classifyKey(effect.key).id] : [])),
  ])
  const tried = [shape.announce, shape.announceBatch, ...shape.callers]
  return functions
    .filter(({ selector }) => selector === undefined || !tried.includes(selector))
    .some(({ selector, effects, guardsOf }) =>
      effects.some((effect) => {
        if (effect.kind !== 'write' || !deciding.has(classifyKey(effect.key).id)) return false
        if (selector === shape.cancel) return effect.value.op !== 'const' || effect.value.value !== 0n
        const guards = guardsOf(effect.node)
        return guards.length === 0 || guards.some(({ kind }) => kind !== 'self')
      }),
    )
}

function isKept(stage: TimelockStage, address: Address, facts: ContractFacts, shape: Shape, delay: bigint): boolean {
  const { fork, token, operator } = stage
  const { evm } = fork
  const actor = grantRoles(stage, address, facts, shape) ?? operator
  const start = evm.block
  const wait = (seconds: bigint) =>
    evm.setBlock({ ...start, number: start.number + 1n + seconds / 12n, timestamp: start.timestamp + seconds })
  const perform = (input: Hex) => {
    stage.effort.calls += 1
    return actAs(fork, { from: actor, to: address, input }, operator)
  }
  const act = (input: Hex) => perform(input).success
  const { announce, execute } = shape.calls(token, start.timestamp + delay, delay)
  const atOnce = shape.calls(token, start.timestamp, 0n)
  if (onBranch(stage, () => act(execute))) return false
  const batch = shape.batch?.(token, 0n)
  for (const calls of batch ? [atOnce, batch] : [atOnce])
    if (onBranch(stage, () => act(calls.announce) && act(calls.execute))) return false
  // An announcement that no event tells of is none.
  const announced = perform(announce)
  if (!announced.success || announced.logs.length === 0 || onBranch(stage, () => act(execute))) return false
  wait(delay - 1n)
  if (onBranch(stage, () => act(execute))) return false
  wait(delay + 1n)
  return act(execute)
}

/**
 * Makes `operator` a member of every role that announcing or calling asks for, also where a way
 * through asks for none: executors may be open to all, and were not here. The address, where one
 * stored account is asked for.
 */
function grantRoles(stage: TimelockStage, address: Address, facts: ContractFacts, shape: Shape): Address | undefined {
  const { fork, operator } = stage
  const read = (slot: bigint) => fork.evm.storage(address, slot)
  const acting = [shape.announce, shape.announceBatch, ...shape.callers]
  const privileges = facts.functions
    .filter(({ selector }) => selector !== undefined && acting.includes(selector))
    .flatMap(({ guards }) => guards.map(readPrivilege))
  let named: Address | undefined
  for (const privilege of privileges) {
    const slot = membershipSlot(facts, privilege, operator, read)
    if (slot !== undefined) fork.evm.setStorage(address, slot, 1n)
    const holder = readHolder(facts, privilege, read)
    if (holder !== undefined && holder !== ZERO_ADDRESS) named = holder
  }
  return named
}
