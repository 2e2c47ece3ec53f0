import { readDesignator, readProxy } from '../../bytecode/proxy.js'
import { mappingSlot } from '../../dex/mapping-slot.js'
import { type Address, toPaddedHex } from '../../hex.js'
import type { Holder } from './power.js'
import { readCode } from './read-contracts.js'
import type { Stage } from './stage.js'
import { tryTimelock } from './try-timelock.js'

type Kind = Pick<Holder, 'kind' | 'threshold' | 'owners' | 'delaySeconds'>

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
 * Where a Safe keeps its parts (`SafeStorage`, unchanged since 1.0.0): singleton, modules, owners,
 * number of owners, threshold.
 */
const SAFE_SLOTS = { singleton: 0n, modules: 1n, ownerCount: 3n, threshold: 4n } as const
/** First and last of a Safe's linked list of modules. */
const SENTINEL = 1n
/** A number of owners that is no such number. */
const MAX_OWNERS = 1_000n
const ADDRESS_MASK = (1n << 160n) - 1n

/** What stands at an address that can do something to the token. */
export function readHolderKind(stage: Stage, address: Address): Kind {
  const { fork } = stage
  foresee(stage, address)
  const code = fork.evm.code(address)
  if (code.length === 0) return { kind: 'account', delaySeconds: 0 }
  if (readDesignator(code) !== undefined) return { kind: 'delegated', delaySeconds: 0 }
  const safe = readSafe(stage, address, code)
  if (safe !== undefined) return safe
  const delaySeconds = tryTimelock(stage, address)
  return delaySeconds === undefined ? { kind: 'contract', delaySeconds: 0 } : { kind: 'timelock', delaySeconds }
}

/** Words in which contracts that hold powers keep owners, delays and thresholds. */
const FIRST_SLOTS = 6n

/**
 * Asks at once for what a Safe or a timelock would be asked for after its code was read: most
 * holders then cost one round trip.
 */
function foresee({ fork }: Stage, address: Address): void {
  for (let slot = 0n; slot < FIRST_SLOTS; slot += 1n) fork.evm.storage(address, slot)
  fork.evm.storage(address, mappingSlot(SAFE_SLOTS.modules, SENTINEL))
}

/**
 * A proxy that does nothing but run the genuine logic, needs more than one signature, and has no
 * module that acts alone. A fake that only answers like a Safe fails the first; one that was taken
 * over by a module the last.
 */
function readSafe({ fork }: Stage, address: Address, code: Uint8Array): Kind | undefined {
  const read = (slot: bigint) => fork.evm.storage(address, slot)
  const singleton = toPaddedHex(read(SAFE_SLOTS.singleton) & ADDRESS_MASK, 20)
  if (!SAFE_SINGLETONS.has(singleton)) return undefined
  const { facts } = readCode(code)
  const ways = readProxy(facts, read)
  const runsIt = ways.some(({ slot, target }) => slot === SAFE_SLOTS.singleton && target === singleton)
  const effects = facts.functions.flatMap((fn) => fn.effects)
  const actsItself = effects.some(({ kind }) => kind === 'write' || kind === 'create' || kind === 'destruct')
  const calls = effects.filter((effect) => effect.kind === 'call')
  if (!runsIt || actsItself || facts.gaps.length > 0 || calls.some(({ op }) => op !== 'DELEGATECALL')) return undefined
  if (ways.some(({ target }) => target !== singleton)) return undefined
  const [owners, threshold] = [read(SAFE_SLOTS.ownerCount), read(SAFE_SLOTS.threshold)]
  const hasModules = ![0n, SENTINEL].includes(read(mappingSlot(SAFE_SLOTS.modules, SENTINEL)))
  if (hasModules || threshold === 0n || owners < threshold || owners > MAX_OWNERS) return undefined
  const kind = threshold > 1n ? 'multisig' : 'account'
  return { kind, threshold: Number(threshold), owners: Number(owners), delaySeconds: 0 }
}
