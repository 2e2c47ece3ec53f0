import type { RpcBudget } from '../../rpc/budget.js'
import type { SolanaAddress } from '../../solana/address.js'
import { classifyAuthority } from '../../solana/authority.js'
import type { SolanaState } from '../../solana/chain-state.js'
import {
  GOVERNANCE_PROGRAM,
  type Governance,
  RECORD,
  type Realm,
  readGovernance,
  readRealm,
  readRecord,
  readVotersConfigs,
  realmConfigAddress,
  type VotersConfig,
  votesAddress,
} from '../../solana/groups/governance.js'
import { isOnCurve } from '../../solana/pda.js'
import { getProgramAccounts, getTokenLargestAccounts } from '../../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../../solana/rpc/solana-rpc-client.js'
import { type Mint, parseMint } from '../../solana/token/mint.js'
import { parseTokenAccount } from '../../solana/token/token-account.js'
import { type GroupStanding, MAX_MEMBERS } from './group-standing.js'
import { distinct } from './read-positions.js'
import { isIncomplete } from './read-token.js'

export interface GroupsContext {
  rpc: SolanaRpc
  state: SolanaState
  budget: RpcBudget
}

/**
 * Who can have a governance act: of community and council the one that needs fewer persons. One who
 * can make votes, or say who has any, needs none of the others.
 */
export async function readGovernanceStanding(
  context: GroupsContext,
  at: SolanaAddress,
): Promise<GroupStanding | 'unseen' | undefined> {
  const { state } = context
  const governance = readGovernance(state.accounts.get(at))
  if (governance === undefined) return undefined
  const config = realmConfigAddress(governance.realm)
  await state.load([governance.realm, ...(config ? [config] : [])])
  const realm = readRealm(state.accounts.get(governance.realm))
  if (realm === undefined) return undefined
  const mints = [realm.communityMint, ...(realm.councilMint ? [realm.councilMint] : [])]
  await state.load([...mints, ...(realm.authority ? [realm.authority] : [])])
  const configs = readVotersConfigs(config && state.accounts.get(config))
  const chambers: Chamber[] = [
    { ...governance.community, ...configs.community, mint: realm.communityMint, allVotes: realm.allVotes },
    ...(realm.councilMint
      ? [{ ...governance.council, ...configs.council, mint: realm.councilMint, allVotes: WHOLE_SUPPLY }]
      : []),
  ]
  const routes = await Promise.all(chambers.map((chamber) => readRoute(context, governance, chamber)))
  if (routes.includes('unseen')) return 'unseen'
  const open = routes.filter((route) => route !== undefined && route !== 'unseen')
  const [easiest] = open.sort((a, b) => RANK[a.kind] - RANK[b.kind] || a.threshold.required - b.threshold.required)
  if (easiest === undefined) return undefined
  return realm.authority === undefined
    ? easiest
    : { ...easiest, kind: worse(easiest.kind, masterOf(state, realm.authority)) }
}

/** Those that vote with one mint. */
interface Chamber extends VotersConfig {
  mint: SolanaAddress
  threshold: number | undefined
  leastToPropose: bigint
  allVotes: Realm['allVotes']
}

const WHOLE_SUPPLY: Realm['allVotes'] = { kind: 'fraction', value: 10_000_000_000n }
const FRACTIONS = 10_000_000_000n

/** The worst first. */
const RANK: Readonly<Record<GroupStanding['kind'], number>> = { wallet: 0, program: 1, group: 2 }
const worse = (a: GroupStanding['kind'], b: GroupStanding['kind']) => (RANK[a] <= RANK[b] ? a : b)

/** Who can change the rules of a vote, or make votes: votes themselves, one person, or unknown. */
function masterOf({ accounts }: SolanaState, master: SolanaAddress): GroupStanding['kind'] {
  const account = accounts.get(master)
  if (account?.owner === GOVERNANCE_PROGRAM) return 'group'
  const { kind } = classifyAuthority(master, account)
  return kind === 'wallet' || kind === 'program' ? kind : 'group'
}

/** `undefined` where these voters cannot decide anything. */
async function readRoute(
  context: GroupsContext,
  { realm, delaySeconds }: Governance,
  { mint: address, threshold, leastToPropose, allVotes, hasAddin, isDormant }: Chamber,
): Promise<GroupStanding | 'unseen' | undefined> {
  const { state } = context
  const mint = parseMint(address, state.accounts.get(address))
  if (threshold === undefined || isDormant || mint === undefined) return undefined
  const votes = allVotes.kind === 'absolute' ? allVotes.value : (mint.supply * allVotes.value) / FRACTIONS
  if (leastToPropose > votes && !hasAddin) return undefined
  const through = 'SPL governance'
  const unknown = { through, threshold: { required: 0, of: 0 }, members: [], delaySeconds }
  if (hasAddin) return { ...unknown, kind: 'program' }
  const voters = await readVoters(context, realm, mint)
  if (voters === undefined) return 'unseen'
  // Rounded up, as the program does; one vote at least.
  const needed = (votes * BigInt(threshold) + 99n) / 100n || 1n
  let sum = 0n
  const required = voters.findIndex(({ weight }) => {
    sum += weight
    return sum >= needed
  })
  if (mint.mintAuthority !== undefined) await state.load([mint.mintAuthority])
  const kind = mint.mintAuthority === undefined ? 'group' : masterOf(state, mint.mintAuthority)
  return {
    ...{ through, delaySeconds, members: voters.map(({ owner }) => owner).slice(0, MAX_MEMBERS) },
    kind: worse(kind, required === 0 ? 'wallet' : 'group'),
    threshold: { required: required < 0 ? voters.length + 1 : required + 1, of: Math.max(voters.length, required + 1) },
  }
}

/**
 * Who holds votes, the most first: what was put in for voting, and what lies ready in wallets.
 * Addresses of programs do not vote by themselves. `undefined` where no node says, or where it
 * names other votes than there are: what was put in lies in one account, and all of it is the
 * supply.
 */
async function readVoters({ rpc, state, budget }: GroupsContext, realm: SolanaAddress, mint: Mint) {
  const records = getProgramAccounts({
    program: GOVERNANCE_PROGRAM,
    names: [
      { offset: RECORD.realmAt, address: realm },
      { offset: RECORD.mintAt, address: mint.address },
    ],
    prefixBytes: RECORD.bytes,
    limit: MAX_RECORDS,
  })
  const options = { suspect: mint.address, budget } as const
  const [listed, largest] = await rpc
    .batch(
      [
        { ...records, optional: true },
        { ...getTokenLargestAccounts(mint.address), optional: true },
      ],
      options,
    )
    .catch(() => [undefined, undefined])
  if (!listed?.ok || !largest?.ok) return undefined
  const of = { realm, mint: mint.address }
  const pot = votesAddress(realm, mint.address)
  const accounts = distinct(largest.value.value).map(({ address }) => address)
  const put = distinct(listed.value)
    .map(({ address, account }) => ({ address, record: readRecord(account, of) }))
    .sort((a, b) => compare(b.record?.votes ?? 0n, a.record?.votes ?? 0n))
  // Those that decide are read with everything else, and not taken over from the list.
  const decisive = put.slice(0, MAX_READ).map(({ address }) => address)
  await state.load([...accounts, ...(pot ? [pot] : []), ...decisive])
  const told = put.map(({ address, record }, i) =>
    i < MAX_READ ? readRecord(state.accounts.get(address), of) : record,
  )
  const putIn = told.reduce((sum, record) => sum + (record?.votes ?? 0n), 0n)
  const inPot = (pot && parseTokenAccount(pot, state.accounts.get(pot))?.amount) ?? 0n
  // Votes are put in and taken out between two readings.
  const isOff = (putIn > inPot ? putIn - inPot : inPot - putIn) * 100n > inPot
  if (isOff || isIncomplete(state, mint, largest.value.value)) return undefined
  const weights = new Map<SolanaAddress, bigint>()
  const add = (owner: SolanaAddress, votes: bigint) => weights.set(owner, (weights.get(owner) ?? 0n) + votes)
  for (const record of told) if (record) add(record.owner, record.votes)
  for (const each of accounts.filter((each) => each !== pot)) {
    const holding = parseTokenAccount(each, state.accounts.get(each))
    if (holding?.mint === mint.address && isOnCurve(holding.owner)) add(holding.owner, holding.amount)
  }
  return [...weights]
    .map(([owner, weight]) => ({ owner, weight }))
    .filter(({ weight }) => weight > 0n)
    .sort((a, b) => compare(b.weight, a.weight))
}

const compare = (a: bigint, b: bigint) => (a > b ? 1 : a < b ? -1 : 0)

/** Of the largest realms; an answer of a megabyte. */
const MAX_RECORDS = 5_000
/** One request. Fewer persons than these hold most votes, or no one person does. */
const MAX_READ = 48
