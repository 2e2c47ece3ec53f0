import { ADDRESS_MASK, type Address, toPaddedHex } from '../hex.js'
import type { ContractFacts } from './facts.js'
import { readProxy } from './proxy.js'

/** A multisig of the Safe's makers: so many of its owners must sign. */
export interface Safe {
  threshold: bigint
  owners: bigint
}

/**
 * Logic of the Safe, as its makers deployed it (safe-global/safe-deployments, `src/assets`, read
 * 2026-11-21): versions 1.0.0 to 1.5.0 with their L2 variants. The addresses come from
 * deterministic deployment and are the same on every chain.
 */
export const SAFE_SINGLETONS: ReadonlySet<Address> = new Set([
  '0xb6029ea3b2c51d09a50b53ca8012feeb05bda35a',
  '0x34cfac646f301356faa8b21e94227e3583fe3f5f',
  '0x6851d6fdfafd08c0295c392436245e5bc78b0185',
  '0xd9db270c1b5e3bd161e8c8503c55ceabee709552',
  '0x3e5c63644e683549055b9be8653de26e0b4cd36e',
  '0x69f4d1788e39c87893c980c06edf4b7f686e2938',
  '0xfb1bffc9d739b8d520daf37df666da4c687191ea',
  '0x41675c099f32341bf84bfc5382af534df5c7461a',
  '0x29fcb43b46531bca003ddc8fcb67ffe91900c762',
  '0xff51a5898e281db6dfc7855790607438df2ca44b',
])

/**
 * Where a Safe keeps its parts (`SafeStorage`, unchanged since 1.0.0): singleton, number of owners,
 * threshold, and the first of its linked list of modules, `modules[0x1]` in slot 1.
 */
export const SAFE_SLOTS = {
  singleton: 0n,
  ownerCount: 3n,
  threshold: 4n,
  firstModule: 0xcc69885fda6bcc1a4ace058b4a62bf5e179ea78fd58a1ccd71c22cc9b688792fn,
} as const
/** The list of modules ends with it; a Safe without modules begins with it. */
const SENTINEL = 1n
/** A number of owners that is no such number. */
const MAX_OWNERS = 1_000n

/**
 * A proxy that does nothing but run the genuine logic, with 1 to n signatures of n owners, and no
 * module that acts alone. A fake that only answers like a Safe fails the first; one that was taken
 * over by a module the last.
 */
export function readSafe(facts: ContractFacts, storage: (slot: bigint) => bigint | undefined): Safe | undefined {
  const read = (slot: bigint) => storage(slot) ?? 0n
  const singleton = toPaddedHex(read(SAFE_SLOTS.singleton) & ADDRESS_MASK, 20)
  if (!SAFE_SINGLETONS.has(singleton) || !runsOnly(facts, singleton, read)) return undefined
  const [owners, threshold] = [read(SAFE_SLOTS.ownerCount), read(SAFE_SLOTS.threshold)]
  const hasModules = ![0n, SENTINEL].includes(read(SAFE_SLOTS.firstModule))
  if (hasModules || threshold === 0n || owners < threshold || owners > MAX_OWNERS) return undefined
  return { threshold, owners }
}

/** Whether all that the code does is to run `singleton` in its place. */
function runsOnly(facts: ContractFacts, singleton: Address, read: (slot: bigint) => bigint): boolean {
  const ways = readProxy(facts, read)
  const runsIt = ways.some(({ slot, target }) => slot === SAFE_SLOTS.singleton && target === singleton)
  const effects = facts.functions.flatMap((fn) => fn.effects)
  const actsItself = effects.some(({ kind }) => kind === 'write' || kind === 'create' || kind === 'destruct')
  const callsOthers = effects.some((effect) => effect.kind === 'call' && effect.op !== 'DELEGATECALL')
  return (
    runsIt && !actsItself && !callsOthers && facts.gaps.length === 0 && ways.every(({ target }) => target === singleton)
  )
}
