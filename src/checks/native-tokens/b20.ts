import { parseAbi } from 'viem'
import { base } from '../../chains/base.js'
import { encodeCall } from '../../dex/encode-call.js'
import { isB20Address } from '../../evm/chain-extras.js'
import type { Address, Hex } from '../../hex.js'
import { keccak256 } from '../../keccak.js'

/**
 * Base's native tokens, B20: precompiles with one interface for all, so that their powers are known
 * without code. Source: base-std (`IB20.sol`, `IPolicyRegistry.sol`, `B20Constants.sol`,
 * `StdPrecompiles.sol`) and the B20 specification of Base.
 */
export const isB20 = (chainId: number, address: Address): boolean =>
  chainId === base.id && isB20Address(BigInt(address))

/** Keeps the lists that B20 tokens ask about senders and receivers. */
export const POLICY_REGISTRY: Address = '0x8453000000000000000000000000000000000002'

const idOf = (name: string): Hex => keccak256(Buffer.from(name))

/** Roles that reach buyers. The holder of `admin` can give all others. */
export const ROLES = {
  admin: `0x${'00'.repeat(32)}`,
  mint: idOf('MINT_ROLE'),
  pause: idOf('PAUSE_ROLE'),
  burnBlocked: idOf('BURN_BLOCKED_ROLE'),
  seize: idOf('SEIZE_ROLE'),
} as const satisfies Record<string, Hex>
export type RoleName = keyof typeof ROLES

/**
 * What a token asks the registry about. `seize` came with Cobalt; tokens before it do not know the
 * scope.
 */
export const SCOPES = {
  sender: idOf('TRANSFER_SENDER_POLICY'),
  receiver: idOf('TRANSFER_RECEIVER_POLICY'),
  executor: idOf('TRANSFER_EXECUTOR_POLICY'),
  seize: idOf('SEIZE_EXEMPT_POLICY'),
} as const satisfies Record<string, Hex>
export type ScopeName = keyof typeof SCOPES

/** The kind of a policy stands in the top byte of its number. */
export const POLICY_KINDS = ['blocklist', 'allowlist', 'union', 'intersection'] as const
export type PolicyKind = (typeof POLICY_KINDS)[number]

/** `undefined` for kinds that did not exist when this was written. */
export const policyKindOf = (id: bigint): PolicyKind | undefined => POLICY_KINDS[Number(id >> 56n)]

/** All pass, and no address can change it. */
export const ALWAYS_ALLOW = 0n

/** A supply cap of this much is none. */
export const NO_CAP = (1n << 128n) - 1n

/** `RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)` */
export const ROLE_GRANTED_TOPIC: Hex = '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d'

const PAUSABLE_TRANSFER = 0

const abi = parseAbi([
  'function isPaused(uint8 feature) view returns (bool)',
  'function policyId(bytes32 scope) view returns (uint64)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function totalSupply() view returns (uint256)',
  'function supplyCap() view returns (uint256)',
  'function policyAdmin(uint64 policyId) view returns (address)',
  'function isAuthorized(uint64 policyId, address account) view returns (bool)',
])

/** Calldata of the questions; each answers with one word. */
export const ask = {
  isPaused: () => encodeCall({ abi, functionName: 'isPaused', args: [PAUSABLE_TRANSFER] }),
  policyId: (scope: ScopeName) => encodeCall({ abi, functionName: 'policyId', args: [SCOPES[scope]] }),
  hasRole: (role: RoleName, account: Address) =>
    encodeCall({ abi, functionName: 'hasRole', args: [ROLES[role], account] }),
  totalSupply: () => encodeCall({ abi, functionName: 'totalSupply' }),
  supplyCap: () => encodeCall({ abi, functionName: 'supplyCap' }),
  policyAdmin: (id: bigint) => encodeCall({ abi, functionName: 'policyAdmin', args: [id] }),
  isAuthorized: (id: bigint, account: Address) =>
    encodeCall({ abi, functionName: 'isAuthorized', args: [id, account] }),
}
