import type { Chain } from '../../chains/chain.js'

import { type Address, type Hex, toQuantity, wordToAddress, ZERO_ADDRESS } from '../../hex.js'
import type { RpcBudget } from '../../rpc/budget.js'
import { addressOfTopic } from '../../rpc/log-entry.js'
import { type BlockParameter, ethCall } from '../../rpc/methods.js'
import { createLogReader, type LogReader } from '../../rpc/read-logs.js'
import { type RpcOutcome, unwrap } from '../../rpc/request.js'
import type { RpcClient } from '../../rpc/rpc-client.js'
import { randomAddress } from '../../state/random-address.js'
import type { PinnedBlock } from '../../state/state-source.js'
import { ALWAYS_ALLOW, ask, POLICY_REGISTRY, ROLE_GRANTED_TOPIC, ROLES, type RoleName, type ScopeName } from './b20.js'

/** A list that the token asks about one side of a transfer. */
export interface BoundPolicy {
  scope: ScopeName
  id: bigint
  /** Who can change its members; `undefined`: no address any more. */
  admin: Address | undefined
  /** Whether an account that was never used passes. */
  admitsStrangers: boolean
}

/** What can be asked of a B20 token about powers over those who hold it. */
export interface B20Facts {
  isPaused: boolean
  /** Scopes without a list are not here. */
  policies: readonly BoundPolicy[]
  totalSupply: bigint
  supplyCap: bigint
  /** Accounts that have the role at this block, of all that were ever given it. */
  members: Readonly<Record<RoleName, readonly Address[]>>
  /** Whether all grants since the token's beginning were read. */
  knowsAllMembers: boolean
  /** What the nodes did not tell, in words. */
  gaps: readonly string[]
}

export interface B20Query {
  chain: Chain
  address: Address
  head: PinnedBlock
  signal?: AbortSignal
}

/**
 * Asks the nodes, in two rounds. `undefined` where the address answers nothing that a B20 token
 * answers; rejects when no node can be asked.
 */
export type ReadB20 = (query: B20Query) => Promise<B20Facts | undefined>

/** Grants are few; an owner that makes many wants to hide some. */
const LOG_BOUNDS = { maxHttpRequests: 4, maxLogs: 500, maxMs: 2_500 }
/** Pairs of role and account that are looked up, the newest first. */
const MAX_GRANTS = 32
const SCOPE_NAMES = ['sender', 'receiver', 'executor', 'seize'] as const satisfies readonly ScopeName[]

export function createReadB20(rpcOf: (chain: Chain) => RpcClient): ReadB20 {
  const readers = new Map<number, LogReader>()
  return async ({ chain, address, head, signal }) => {
    const rpc = rpcOf(chain)
    const reader = readers.get(chain.id) ?? createLogReader({ rpc })
    readers.set(chain.id, reader)
    const budget = rpc.createBudget(signal ? { signal } : {})
    const token = createAsker({ rpc, budget, head, suspect: address, to: address })
    const [first, grants] = await Promise.all([
      token([ask.isPaused(), ask.totalSupply(), ask.supplyCap(), ...SCOPE_NAMES.map(ask.policyId)]),
      readGrants(reader, { address, head, budget }),
    ])
    const [isPaused, totalSupply, supplyCap, ...ids] = first
    if (isPaused === undefined || totalSupply === undefined || supplyCap === undefined) return undefined
    const bound = SCOPE_NAMES.flatMap((scope, i) => {
      const id = ids[i]
      return id === undefined || id === ALWAYS_ALLOW ? [] : [{ scope, id }]
    })
    // New each time: a token that knew it could put it on a list, and bar all others.
    const stranger = randomAddress()
    const [answers, memberships] = await Promise.all([
      createAsker({ rpc, budget, head, suspect: address, to: POLICY_REGISTRY })(
        bound.flatMap(({ id }) => [ask.policyAdmin(id), ask.isAuthorized(id, stranger)]),
      ),
      token(grants.given.map(({ role, account }) => ask.hasRole(role, account))),
    ])
    const policies = bound.flatMap((policy, i) => toPolicy(policy, answers[2 * i], answers[2 * i + 1]))
    const knowsAllMembers = grants.isWhole && memberships.every((word) => word !== undefined)
    return {
      isPaused: isPaused !== 0n,
      ...{ policies, totalSupply, supplyCap, knowsAllMembers },
      members: groupByRole(grants.given.filter((_, i) => memberships[i] === 1n)),
      gaps: [
        ...(knowsAllMembers ? [] : ['members of roles']),
        ...(policies.length === bound.length ? [] : ['policies of the registry']),
      ],
    }
  }
}

/** Nothing where the registry did not answer. */
function toPolicy(
  { scope, id }: Pick<BoundPolicy, 'scope' | 'id'>,
  admin: bigint | undefined,
  admits: bigint | undefined,
): BoundPolicy[] {
  if (admin === undefined || admits === undefined) return []
  return [{ scope, id, admin: admin === 0n ? undefined : wordToAddress(admin), admitsStrangers: admits === 1n }]
}

interface AskerOptions {
  rpc: RpcClient
  budget: RpcBudget
  head: PinnedBlock
  /** The token that is asked about. */
  suspect: Address
  to: Address
}

/**
 * Asks one contract several questions in one request. `undefined` for what it refuses, or answers
 * with less than a word.
 */
function createAsker({ rpc, budget, head, suspect, to }: AskerOptions) {
  return async (questions: readonly Hex[]): Promise<(bigint | undefined)[]> => {
    if (questions.length === 0) return []
    return rpc.run<(bigint | undefined)[]>(
      ({ capabilities }) => {
        const at: BlockParameter = capabilities.blockHash ? { blockHash: head.hash } : toQuantity(head.number)
        return {
          requests: questions.map((data) => ethCall({ to, data, gas: READ_GAS }, at)),
          read: (outcomes) => outcomes.map((outcome) => toWord(outcome as RpcOutcome<Hex>)),
        }
      },
      { suspect, budget },
    )
  }
}

/** For a read of one word. */
const READ_GAS = toQuantity(1_000_000n)
const WORD_DIGITS = 64

function toWord(outcome: RpcOutcome<Hex>): bigint | undefined {
  // Only refusals of the contract come here; what the node could not do was asked elsewhere.
  if (!outcome.ok) return undefined
  const answer = unwrap(outcome)
  return answer.length < 2 + WORD_DIGITS ? undefined : BigInt(answer.slice(0, 2 + WORD_DIGITS))
}

interface Grant {
  role: RoleName
  account: Address
}

const ROLE_NAMES = Object.keys(ROLES) as RoleName[]

/** All accounts that were ever given a role. Nodes that give no logs leave the roles unknown. */
async function readGrants(
  reader: LogReader,
  { address, head, budget }: { address: Address; head: PinnedBlock; budget: RpcBudget },
): Promise<{ given: Grant[]; isWhole: boolean }> {
  const query = { address, suspect: address, topics: [[ROLE_GRANTED_TOPIC]], fromBlock: 0n, toBlock: head.number }
  try {
    const { logs, truncated, coveredFrom } = await reader.read(query, { budget, bounds: LOG_BOUNDS })
    const given = new Map<string, Grant>()
    for (const { topics } of logs) {
      const [, roleId, member] = topics
      const role = ROLE_NAMES.find((name) => ROLES[name] === roleId)
      const account = member === undefined ? ZERO_ADDRESS : addressOfTopic(member)
      if (role !== undefined && account !== ZERO_ADDRESS) given.set(`${role}:${account}`, { role, account })
    }
    const isWhole = truncated === undefined && coveredFrom === 0n && given.size <= MAX_GRANTS
    return { given: [...given.values()].slice(0, MAX_GRANTS), isWhole }
  } catch {
    return { given: [], isWhole: false }
  }
}

function groupByRole(grants: readonly Grant[]): Record<RoleName, Address[]> {
  const of = (name: RoleName) => grants.filter(({ role }) => role === name).map(({ account }) => account)
  return {
    admin: of('admin'),
    mint: of('mint'),
    pause: of('pause'),
    burnBlocked: of('burnBlocked'),
    seize: of('seize'),
  }
}
