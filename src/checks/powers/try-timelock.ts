import { encodeFunctionData, parseAbi } from 'viem'
import type { ContractFacts } from '../../bytecode/facts.js'
import { membershipSlot, readHolder } from '../../bytecode/privilege.js'
import { readPrivilegedFunctions } from '../../bytecode/privileged-functions.js'
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
])
/** Compound's Timelock. */
const COMPOUND = parseAbi([
  'function queueTransaction(address target, uint256 value, string signature, bytes data, uint256 eta) returns (bytes32)',
  'function executeTransaction(address target, uint256 value, string signature, bytes data, uint256 eta) payable returns (bytes)',
])

interface Shape {
  /** Selectors of the function that answers the delay, of the one that announces, and of all that may call out. */
  delay: Hex
  announce: Hex
  execute: Hex
  callers: readonly Hex[]
  calls(target: Address, at: bigint, delay: bigint): { announce: Hex; execute: Hex }
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
    calls: (target, _, delay) => {
      const call = [target, 0n, HARMLESS, NO_WORD, NO_WORD] as const
      return {
        announce: encodeFunctionData({ abi: CONTROLLER, functionName: 'schedule', args: [...call, delay] }),
        execute: encodeFunctionData({ abi: CONTROLLER, functionName: 'execute', args: call }),
      }
    },
  },
  {
    delay: '0x6a42b8f8',
    announce: '0x3a66f901',
    execute: '0x0825f38f',
    callers: ['0x0825f38f'],
    calls: (target, at) => {
      const args = [target, 0n, '', HARMLESS, at] as const
      return {
        announce: encodeFunctionData({ abi: COMPOUND, functionName: 'queueTransaction', args }),
        execute: encodeFunctionData({ abi: COMPOUND, functionName: 'executeTransaction', args }),
      }
    },
  },
]

/** Longer delays are no promise that anybody checks. Seconds: ten years. */
const MAX_DELAY = 315_360_000n

/**
 * The delay of a timelock, in seconds, or `undefined` for everything else. It is not believed but tried: whoever holds its roles can do nothing
 * unannounced, nothing announced for at once, nothing before the delay is over, and then what was announced; and no other function calls out.
 */
export function tryTimelock(stage: Stage, address: Address): number | undefined {
  const { facts } = readCode(stage.fork.evm.code(address))
  const shape = SHAPES.find(({ announce, execute }) =>
    [announce, execute].every((selector) => facts.functions.some((fn) => fn.selector === selector)),
  )
  if (shape === undefined || facts.gaps.length > 0 || callsElsewhere(facts, shape.callers)) return undefined
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

function isKept(stage: Stage, address: Address, facts: ContractFacts, shape: Shape, delay: bigint): boolean {
  const { fork, token, operator } = stage
  const { evm } = fork
  const actor = grantRoles(stage, address, facts, shape) ?? operator
  const start = evm.block
  const wait = (seconds: bigint) =>
    evm.setBlock({ ...start, number: start.number + 1n + seconds / 12n, timestamp: start.timestamp + seconds })
  const act = (input: Hex) => {
    stage.effort.calls += 1
    return actAs(fork, { from: actor, to: address, input }, operator).success
  }
  const { announce, execute } = shape.calls(token, start.timestamp + delay, delay)
  const atOnce = shape.calls(token, start.timestamp, 0n)
  if (onBranch(stage, () => act(execute))) return false
  if (onBranch(stage, () => act(atOnce.announce) && act(atOnce.execute))) return false
  if (!act(announce) || onBranch(stage, () => act(execute))) return false
  wait(delay - 1n)
  if (onBranch(stage, () => act(execute))) return false
  wait(delay + 1n)
  return act(execute)
}

/** Makes `operator` a member of every role that the two functions ask for; the address where one stored account is asked for. */
function grantRoles(stage: Stage, address: Address, facts: ContractFacts, shape: Shape): Address | undefined {
  const { fork, operator } = stage
  const read = (slot: bigint) => fork.evm.storage(address, slot)
  let named: Address | undefined
  for (const { selector, privileges } of readPrivilegedFunctions(facts)) {
    if (selector !== shape.announce && selector !== shape.execute) continue
    for (const privilege of privileges) {
      const slot = membershipSlot(facts, privilege, operator, read)
      if (slot !== undefined) fork.evm.setStorage(address, slot, 1n)
      const holder = readHolder(facts, privilege, read)
      if (holder !== undefined && holder !== ZERO_ADDRESS) named = holder
    }
  }
  return named
}
