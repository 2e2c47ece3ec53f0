import { unwrap } from '../../rpc/request.js'
import { programDataAddress, readUpgradeability, type SolanaAccount } from '../../solana/account.js'
import { addressBytes, type SolanaAddress } from '../../solana/address.js'
import { classifyAuthority, readMultisig } from '../../solana/authority.js'
import { GOVERNANCE_PROGRAM, readGovernance, treasuryAddress } from '../../solana/groups/governance.js'
import { isVaultOf, readSquad, SQUADS_V3, SQUADS_V4, type Squad } from '../../solana/groups/squads.js'
import { isMinterOf, STAKE_POOL_PROGRAMS } from '../../solana/groups/stake-pool.js'
import { findProgramAddress, isOnCurve } from '../../solana/pda.js'
import {
  ATA_PROGRAM,
  MEMO_PROGRAM,
  NATIVE_LOADER,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAMS,
  UPGRADEABLE_LOADER,
} from '../../solana/programs.js'
import { getAccountInfo, getMultipleAccounts, getSignaturesForAddress } from '../../solana/rpc/solana-methods.js'
import { getTransactionKeys } from '../../solana/rpc/transaction-methods.js'
import { type GroupStanding, type Signer, standingOfMultisig, standingOfSquad } from './group-standing.js'
import { type GroupsContext, readGovernanceStanding } from './read-governance.js'

export interface GroupsFound {
  standings: ReadonlyMap<SolanaAddress, GroupStanding>
  /**
   * Of which no node said all that is needed, or all that it said leaves open who acts for them.
   * They may be one person's.
   */
  unseen: SolanaAddress[]
}

/**
 * Finds out who stands behind addresses that a known program acts as. An address does not say which
 * multisig it is the vault of, but a transaction that it took part in names both, and then the
 * address follows from the multisig: no node can make that up. All others stay what they are.
 */
export async function readGroups(context: GroupsContext, holders: readonly SolanaAddress[]): Promise<GroupsFound> {
  const standings = new Map<SolanaAddress, GroupStanding>()
  const unseen: SolanaAddress[] = []
  const { state } = context
  const search: Search = { ...context, within: [], left: { members: MAX_MEMBERS_READ } }
  await state.load(holders)
  for (const holder of new Set(holders)) {
    const { kind } = classifyAuthority(holder, state.accounts.get(holder))
    if (kind !== 'program' && kind !== 'multisig') continue
    const standing = await (kind === 'program' ? readGroup(search, holder) : readMembers(search, holder))
    if (standing === 'unseen') unseen.push(holder)
    else if (standing !== undefined) standings.set(holder, standing)
  }
  return { standings, unseen }
}

/** `within`: the multisigs whose member is being looked at, the outermost first. */
interface Search extends GroupsContext {
  within: readonly SolanaAddress[]
  /** Members that are still looked up: shared by all holders. */
  left: { members: number }
}

/** A member that is a multisig is asked about like a holder, which is three requests. */
const MAX_MEMBERS_READ = 8
const MAX_DEPTH = 3

async function readGroup(context: Search, holder: SolanaAddress): Promise<GroupStanding | 'unseen' | undefined> {
  const found = await findBehind(context, holder)
  if (found === 'untold') return 'unseen'
  if (found === undefined || found === 'unseen' || 'through' in found) return found
  const { squad } = found
  const as = await readSigners(context, squad, holder)
  if (as === 'unseen') return as
  const standing = standingOfSquad(squad, as)
  return standing.kind !== 'group' && hasUntold(as) ? 'unseen' : secured(context, squad.program, standing)
}

/**
 * A multisig of the token programs, where members are addresses of programs: these may be vaults of
 * one person. `undefined` where several must agree, as its own account says.
 */
async function readMembers(context: Search, holder: SolanaAddress): Promise<GroupStanding | 'unseen' | undefined> {
  const account = context.state.accounts.get(holder)
  const multisig = account && readMultisig(account)
  if (multisig === undefined || multisig.members.every(isOnCurve)) return undefined
  const voters: Signer[] = []
  for (const member of multisig.members) {
    const signer = await readSigner({ ...context, within: [holder] }, member)
    if (signer === 'unseen') return signer
    voters.push(signer)
  }
  const standing = standingOfMultisig(multisig, voters)
  if (standing.kind === 'group') return undefined
  return voters.some(hasUntold) ? 'unseen' : standing
}

/** The multisig that an address is the vault of, or the governance that it acts for. */
async function findBehind(
  context: Search,
  holder: SolanaAddress,
): Promise<GroupStanding | { squad: Squad } | 'unseen' | 'untold' | undefined> {
  const { state } = context
  const account = state.accounts.get(holder)
  if (readGovernance(account)) return secured(context, account?.owner, await readGovernanceStanding(context, holder))
  // Programs that hold a power by an account of their own keep no vaults there.
  if (account !== undefined && account.owner !== SYSTEM_PROGRAM) return undefined
  const neighbours = await readNeighbours(context, holder)
  if (neighbours === undefined) return 'unseen'
  const { named, isWhole } = neighbours
  const looked = await lookAt(context, named)
  if (looked === undefined) return 'unseen'
  await state.load(looked.ofGroups)
  for (const each of named) {
    const account = state.accounts.get(each)
    if (isMinterOf(each, account, holder)) return secured(context, account?.owner, STAKE_POOL)
    const squad = readSquad(each, state.accounts.get(each))
    if (squad && isVaultOf(squad, holder)) return { squad }
    const isTreasury = readGovernance(state.accounts.get(each)) && treasuryAddress(each) === holder
    if (isTreasury) {
      return secured(context, state.accounts.get(each)?.owner, await readGovernanceStanding(context, each))
    }
  }
  // An address of a program acts through it. One that only got payments may be anyone's.
  return isWhole && looked.hasProgram ? undefined : 'untold'
}

/** The members of a multisig, and theirs where they are multisigs; `holder` is its vault. */
async function readSigners(context: Search, squad: Squad, holder: SolanaAddress): Promise<Signer | 'unseen'> {
  const inside = { ...context, within: [...context.within, squad.address] }
  const voters: Signer[] = []
  for (const voter of squad.voters) {
    const signer = await readSigner(inside, voter)
    if (signer === 'unseen') return signer
    voters.push(signer)
  }
  // A vault that manages its own multisig does what votes decide.
  const isManaged = squad.manager !== undefined && squad.manager !== holder
  const manager = isManaged && squad.manager ? await readSigner(inside, squad.manager) : undefined
  return manager === 'unseen' ? manager : { kind: 'multisig', required: squad.threshold, voters, manager }
}

async function readSigner(context: Search, member: SolanaAddress): Promise<Signer | 'unseen'> {
  if (isOnCurve(member)) return { kind: 'person', key: member }
  const { within, left } = context
  if (within.length >= MAX_DEPTH || left.members === 0) return UNKNOWN
  left.members -= 1
  await context.state.load([member])
  const found = await findBehind(context, member)
  if (found === 'unseen') return found
  if (found === 'untold') return UNTOLD
  if (found === undefined || (!('through' in found) && within.includes(found.squad.address))) return UNKNOWN
  if ('through' in found) return found.kind === 'group' ? { kind: 'several' } : UNKNOWN
  const as = await readSigners(context, found.squad, member)
  if (as === 'unseen') return as
  const told = { ...standingOfSquad(found.squad, as), kind: 'group' } as const
  const standing = await secured(context, found.squad.program, told)
  if (standing === 'unseen') return standing
  // Where one wallet may put other code in its place, it signs for anyone.
  return standing?.kind === 'group' ? as : UNKNOWN
}

const UNKNOWN: Signer = { kind: 'unknown', isTold: true }
/** No transaction says what acts for it. */
const UNTOLD: Signer = { kind: 'unknown', isTold: false }

const hasUntold = (signer: Signer): boolean => {
  if (signer.kind === 'unknown') return !signer.isTold
  return signer.kind === 'multisig' && [...signer.voters, ...(signer.manager ? [signer.manager] : [])].some(hasUntold)
}

/**
 * Of many addresses what can be a group's, and whether there is a program among them that acts for
 * others; `undefined` when no node says.
 */
async function lookAt({ rpc, budget }: GroupsContext, addresses: readonly SolanaAddress[]) {
  if (addresses.length === 0) return NOTHING_SEEN
  const heads = getMultipleAccounts({ addresses, prefixBytes: 1 })
  const answer = await rpc.call(heads, { suspect: 'chain', budget }).catch(() => undefined)
  if (answer === undefined) return undefined
  const isActing = (each: SolanaAddress, i: number) =>
    answer.value[i]?.executable === true && answer.value[i]?.owner !== NATIVE_LOADER && !EVERYDAY.includes(each)
  return {
    ofGroups: addresses.filter((_, i) => GROUP_PROGRAMS.includes(answer.value[i]?.owner ?? SYSTEM_PROGRAM)),
    hasProgram: addresses.some(isActing),
  }
}

const NOTHING_SEEN: { ofGroups: SolanaAddress[]; hasProgram: boolean } = { ofGroups: [], hasProgram: false }

/** They move what any address owns, and act for none. */
const EVERYDAY: readonly string[] = [...TOKEN_PROGRAMS, ATA_PROGRAM, MEMO_PROGRAM]
const GROUP_PROGRAMS: readonly SolanaAddress[] = [SQUADS_V4, SQUADS_V3, GOVERNANCE_PROGRAM, ...STAKE_POOL_PROGRAMS]

/** No person signs: its rules decide. */
const STAKE_POOL: GroupStanding = {
  ...{ kind: 'program', through: 'a stake pool', mintsByRule: true },
  ...{ threshold: { required: 0, of: 0 }, members: [], delaySeconds: 0 },
}

/**
 * What the latest transactions name besides the holder, and whether all of them were told;
 * `undefined` when no node says.
 */
async function readNeighbours({ rpc, budget }: GroupsContext, holder: SolanaAddress) {
  const options = { suspect: holder, budget } as const
  const records = await rpc.call(getSignaturesForAddress(holder, MAX_SIGNATURES), options).catch(() => undefined)
  if (records === undefined) return undefined
  const asked = records.filter(({ failed }) => !failed).slice(0, MAX_TRANSACTIONS)
  if (asked.length === 0) return { named: [], isWhole: false }
  const requests = asked.map(({ signature }) => ({ ...getTransactionKeys(signature), optional: true }))
  const outcomes = await rpc.batch(requests, options).catch(() => [])
  const told = outcomes.flatMap((outcome) => (outcome.ok && outcome.value ? [outcome.value] : []))
  const known = told.filter((each) => each.includes(holder))
  if (known.length === 0) return undefined
  const named = [...new Set(known.flat())].filter((each) => each !== holder).slice(0, MAX_NEIGHBOURS)
  return { named, isWhole: known.length === asked.length }
}

/** Of these the first that went through are read. */
const MAX_SIGNATURES = 20
/** Deeds of a vault name its multisig; payments to it do not. */
const MAX_TRANSACTIONS = 6
const MAX_NEIGHBOURS = 48

/**
 * The word of a program counts as long as one person cannot put other code in its place. Heads of
 * its accounts are enough, and are asked of two sources.
 */
async function secured(
  { rpc, budget }: GroupsContext,
  program: SolanaAddress | undefined,
  standing: GroupStanding | 'unseen' | undefined,
): Promise<GroupStanding | 'unseen' | undefined> {
  if (program === undefined || standing === undefined || standing === 'unseen') return standing
  const code = findProgramAddress(UPGRADEABLE_LOADER, [addressBytes(program)])
  if (code === undefined) return 'unseen'
  const heads = getMultipleAccounts({ addresses: [program, code], prefixBytes: HEAD_BYTES })
  const options = { suspect: program, budget } as const
  const askSingly = () =>
    rpc
      .batch([getAccountInfo(program, HEAD_BYTES), getAccountInfo(code, HEAD_BYTES)], options)
      .then((outcomes) => outcomes.map((outcome) => unwrap(outcome).value))
      .catch(() => undefined)
  const askOther = async () => (await rpc.secondOpinion(heads, options))?.value ?? askSingly()
  const answers = await Promise.all([
    rpc.call(heads, options).then(
      ({ value }) => value,
      () => undefined,
    ),
    rpc.endpoints < 2 ? askSingly() : askOther(),
  ])
  const kinds = answers.map((heads) => replacedBy(code, heads))
  if (kinds[0] !== kinds[1] || kinds.includes('unknown')) return 'unseen'
  return kinds.includes('wallet') ? { ...standing, kind: 'wallet' } : standing
}

/** Who may put other code in a program's place, by the heads of its accounts. */
function replacedBy(code: SolanaAddress, heads: readonly (SolanaAccount | undefined)[] = []) {
  const [own, data] = heads
  if (own === undefined || (programDataAddress(own) ?? code) !== code) return 'unknown'
  const upgrade = readUpgradeability(own, data)
  if (upgrade.kind !== 'upgradeable') return upgrade.kind
  return classifyAuthority(upgrade.authority, undefined).kind === 'wallet' ? 'wallet' : 'shared'
}

/** Enough to tell who may replace a program. */
const HEAD_BYTES = 45
