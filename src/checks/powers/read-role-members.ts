import { PROXY_SLOTS } from '../../bytecode/proxy.js'
import type { Chain } from '../../chains/chain.js'
import { ADDRESS_MASK, type Address, type Hex, toPaddedHex } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import { addressOfTopic, type LogEntry } from '../../rpc/log-entry.js'
import { LogsTooHeavyError } from '../../rpc/log-widths.js'
import { createLogReader, type LogReader } from '../../rpc/read-logs.js'
import type { RpcClient } from '../../rpc/rpc-client.js'
import type { StateSource } from '../../state/state-source.js'
import { readStoredCode } from '../bytecode/read-subject.js'
import type { AnalysisTarget } from '../target.js'

/**
 * Accounts that the token's events name as members of roles, the newest first, each once. Whether
 * they still are is in storage alone. Empty, without asking, for code that has no such events;
 * rejects when no node answers, or the token's logs are too long to be read.
 */
export type ReadRoleMembers = (
  target: Pick<AnalysisTarget, 'chain' | 'address' | 'signal'>,
  state: StateSource,
) => Promise<RoleMembers>

export interface RoleMembers {
  accounts: readonly Address[]
  /** False where events were too many, or too far back, to be read, or members too many. */
  areAll: boolean
}

/**
 * Events that name the account that was given a role, and the topic that holds the account:
 * OpenZeppelin's AccessControl, its older Roles, and Circle's tokens.
 */
const GRANTS = [
  ['RoleGranted(bytes32,address,address)', 2],
  ['MinterAdded(address)', 1],
  ['PauserAdded(address)', 1],
  ['MinterConfigured(address,uint256)', 1],
] as const
const accountTopics: ReadonlyMap<Hex, number> = new Map(
  GRANTS.map(([event, topic]) => [keccak256(Buffer.from(event)), topic]),
)

/**
 * Roles change hands seldom, and a node that wants the whole life in pieces is not asked to the
 * end.
 */
const BOUNDS = { maxHttpRequests: 2, maxLogs: 500, maxMs: 2_000 }
/**
 * Accounts that are looked up in the roles; an owner that grants many wants the one that matters to
 * be overlooked, and the newest are kept.
 */
const MAX_MEMBERS = 24

export function createReadRoleMembers(rpcOf: (chain: Chain) => RpcClient): ReadRoleMembers {
  const readers = new Map<number, LogReader>()
  return async ({ chain, address, signal }, state) => {
    const topics = grantTopics(state, address)
    if (topics.length === 0) return { accounts: [], areAll: true }
    const rpc = rpcOf(chain)
    const reader = readers.get(chain.id) ?? createLogReader({ rpc })
    readers.set(chain.id, reader)
    const budget = rpc.createBudget(signal ? { signal } : {})
    const query = { address, suspect: address, topics: [topics], fromBlock: 0n, toBlock: state.block.number }
    const { logs, truncated } = await reader.read(query, { budget, bounds: BOUNDS })
    // A grant may stand behind logs that were made too long to be read.
    if (truncated === 'refused') throw new LogsTooHeavyError()
    const accounts = [...new Set(logs.flatMap(memberOf))]
    const areAll = truncated === undefined && accounts.length <= MAX_MEMBERS
    return { accounts: accounts.slice(0, MAX_MEMBERS), areAll }
  }
}

function memberOf({ topics }: LogEntry): Address[] {
  const [event] = topics
  const topic = event && topics[accountTopics.get(event) ?? topics.length]
  return topic === undefined ? [] : [addressOfTopic(topic)]
}

/**
 * The events of {@link GRANTS} that stand in the token's code or in its logic's. All of them where
 * the logic is not known yet.
 */
function grantTopics(state: StateSource, address: Address): Hex[] {
  const slots = [PROXY_SLOTS.implementation, PROXY_SLOTS.zeppelinImplementation, PROXY_SLOTS.proxiable]
  const logics = slots.flatMap((slot) => {
    const logic = (state.storage(address, slot) ?? 0n) & ADDRESS_MASK
    return logic === 0n ? [] : [toPaddedHex(logic, 20)]
  })
  const codes = [address, ...logics].map((each) => readStoredCode(state, each))
  return [...accountTopics.keys()].filter((topic) =>
    codes.some((code) => code === undefined || Buffer.from(code).includes(Buffer.from(topic.slice(2), 'hex'))),
  )
}
