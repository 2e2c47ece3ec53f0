import { erc20Abi, readWord } from '../../dex/read-contract.js'
import type { Log } from '../../evm/inspector.js'
import { type Address, wordToAddress } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import type { AllowanceChange } from './trade-report.js'

/** `Approval(address indexed owner, address indexed spender, uint256 value)` (EIP-20) */
const APPROVAL_TOPIC = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
/** Logs only say where to look; a flood of them must not become a flood of reads. */
const MAX_ALLOWANCES = 32

/** An allowance that may have changed. */
interface AllowanceKey {
  token: Address
  owner: Address
  spender: Address
}

/**
 * How the allowances over the owners' tokens differ from what they were where `back` leads, apart
 * from what the trader asked for. Logs only say where to look; the contracts say how much. Leaves
 * the fork there.
 */
export function unaskedAllowances(
  fork: Fork,
  back: () => void,
  logs: readonly Log[],
  { owners, asked }: { owners: readonly Address[]; asked: { key: AllowanceKey; amount: bigint | 'any' } | undefined },
): AllowanceChange[] {
  const keys = distinct([...(asked ? [asked.key] : []), ...namedIn(logs, owners)])
  const after = readAllowances(fork, keys)
  back()
  const before = readAllowances(fork, keys)
  const wanted = asked === undefined || asked.amount === 'any' ? 0n : asked.amount
  return keys
    .map((key, i) => ({ ...key, delta: (after[i] ?? 0n) - (before[i] ?? 0n) - (i === 0 ? wanted : 0n) }))
    .filter(({ delta }, i) => delta !== 0n && !(i === 0 && asked?.amount === 'any'))
}

function namedIn(logs: readonly Log[], owners: readonly Address[]): AllowanceKey[] {
  return logs
    .filter(({ topics }) => topics[0] === APPROVAL_TOPIC && topics.length === 3)
    .map(({ address, topics: [, owner, spender] }) => ({
      token: address,
      owner: wordToAddress(BigInt(owner ?? 0)),
      spender: wordToAddress(BigInt(spender ?? 0)),
    }))
    .filter(({ owner }) => owners.includes(owner))
}

function distinct(keys: readonly AllowanceKey[]): AllowanceKey[] {
  const byText = new Map<string, AllowanceKey>()
  for (const key of keys) {
    const text = `${key.token} ${key.owner} ${key.spender}`
    if (!byText.has(text)) byText.set(text, key)
  }
  return [...byText.values()].slice(0, MAX_ALLOWANCES)
}

/** A contract that does not answer allows nothing. */
function readAllowances(fork: Fork, keys: readonly AllowanceKey[]): bigint[] {
  return keys.map(({ token, owner, spender }) => readWord(fork, token, erc20Abi, 'allowance', [owner, spender]) ?? 0n)
}
