import type { RpcBudget } from '../../rpc/budget.js'
import { type RpcOutcome, unwrap } from '../../rpc/request.js'
import { PROGRAM_DATA_HEADER_BYTES, type SolanaAccount } from '../../solana/account.js'
import type { SolanaAddress } from '../../solana/address.js'
import type { SolanaState } from '../../solana/chain-state.js'
import { parseClock } from '../../solana/cluster-clock.js'
import { isPoolProgram } from '../../solana/pools/layouts.js'
import { saysTheSame } from '../../solana/pools/pool-sayings.js'
import type { ProgramMemory } from '../../solana/program-memory.js'
import { CLOCK_SYSVAR, SYSTEM_PROGRAM, SYSVARS, UPGRADEABLE_LOADER } from '../../solana/programs.js'
import {
  type AccountsQuery,
  getAccountInfo,
  getMultipleAccounts,
  MAX_ACCOUNTS_PER_CALL,
} from '../../solana/rpc/solana-methods.js'
import type { AtSlot } from '../../solana/rpc/solana-parse.js'
import type { SolanaRpc } from '../../solana/rpc/solana-rpc-client.js'
import { parseMint } from '../../solana/token/mint.js'
import { parseTokenAccount } from '../../solana/token/token-account.js'
import { chooseForSingle, type Entry } from './asked-singly.js'
import { sameRules } from './read-token.js'

interface Asking {
  rpc: SolanaRpc
  budget: RpcBudget
  programs: ProgramMemory
  /** The mint. */
  address: SolanaAddress
}

interface Compared extends Asking {
  unixTime: bigint
  pools: ReadonlySet<SolanaAddress>
}

export interface Contradictions {
  /** What two sources contradict each other about, or that there is no second one. */
  words: string[]
  /**
   * They gave different code for one deployment of a program, which no author can bring about: what
   * was played on it says nothing.
   */
  isCodeForged: boolean
}

/** `pools`: those that were found; `steady`: what was looked for before anything was played. */
export interface Known {
  pools: ReadonlySet<SolanaAddress>
  steady: ReadonlySet<SolanaAddress>
}

/**
 * Asks a second source about everything that the verdict rests on, because one may say anything:
 * another node, or where none answers the same one by another method, which finds out what lies
 * between us and it but not a node that lies with care. What moved between the two readings is no
 * contradiction.
 */
export async function findContradictions(
  asking: Asking,
  state: SolanaState,
  { pools, steady }: Known,
): Promise<Contradictions> {
  const { rpc, address, programs } = asking
  const compared = { ...asking, unixTime: state.clock.unixTime, pools }
  const entries = [...state.accounts]
  const byOther = rpc.endpoints < 2 ? undefined : await compareNodes(compared, entries)
  // Code was compared byte for byte when it came, and its head tells one deployment from the next.
  const isSettled = (each: SolanaAddress) => programs.isConfirmed(each)
  const singly = byOther === undefined ? chooseForSingle(entries, { mint: address, steady, isSettled }) : []
  const differing = byOther ?? (await compareSingly(compared, singly))
  if (differing === undefined) return { words: [UNCONFIRMED], isCodeForged: false }
  for (const [each] of byOther === undefined ? singly : entries.filter(([each]) => !programs.isConfirmed(each))) {
    if (differing.some((entry) => entry.address === each)) programs.forget(each)
    else programs.confirm(each)
  }
  const who = byOther === undefined ? 'the node contradicts itself' : 'two nodes contradict each other'
  return {
    words: [...new Set(differing.map((each) => `${who} ${wordsFor(each.address, address)}`))],
    isCodeForged: differing.some(({ ours, theirs }) => isSameDeployment(ours, theirs)),
  }
}

const UNCONFIRMED = 'no second source confirmed what the node said'

/** By another node; `undefined` when none answers. */
async function compareNodes(compared: Compared, entries: readonly Entry[]): Promise<Difference[] | undefined> {
  const isHeadEnough = ([each]: Entry) => compared.programs.isConfirmed(each)
  const answers = await Promise.all([
    ...chunk(entries.filter((entry) => !isHeadEnough(entry))).map((part) => compare(compared, part)),
    ...chunk(entries.filter(isHeadEnough)).map((part) => compare(compared, part, PROGRAM_DATA_HEADER_BYTES)),
  ])
  return answers.includes(undefined) ? undefined : answers.flatMap((answer) => answer ?? [])
}

/** By the same node, account by account; `undefined` when it does not answer. */
async function compareSingly(compared: Compared, entries: readonly Entry[]): Promise<Difference[] | undefined> {
  const { rpc, budget, address: suspect } = compared
  const isLarge = ([, account]: Entry) => (account?.data.length ?? 0) > LARGE_BYTES
  // Code in answers of its own, which have a bound.
  const parts = [entries.filter((entry) => !isLarge(entry)), ...entries.filter(isLarge).map((entry) => [entry])]
  const asked = parts.filter((part) => part.length > 0)
  const answers = await Promise.all(
    asked.map(async (part): Promise<Difference[]> => {
      const requests = part.map(([each]) => getAccountInfo(each))
      const outcomes = await rpc.batch(requests, { suspect, budget })
      const answers = outcomes.map((outcome) => unwrap(outcome as RpcOutcome<AtSlot<SolanaAccount | undefined>>))
      const [slot = 0n] = answers.map((each) => each.slot).sort((a, b) => Number(b - a))
      return differences(compared, part, { slot, value: answers.map(({ value }) => value) })
    }),
  ).catch(() => undefined)
  return answers?.flat()
}

/** A few of them are within the bound on an answer. */
const LARGE_BYTES = 100_000

async function compare(
  compared: Compared,
  entries: readonly Entry[],
  prefixBytes?: number,
): Promise<Difference[] | undefined> {
  const { rpc, budget, address: suspect } = compared
  const query = { addresses: entries.map(([each]) => each), ...(prefixBytes && { prefixBytes }) }
  const second = await rpc.secondOpinion(getMultipleAccounts(query), { suspect, budget })
  return second && differences(compared, entries, second, prefixBytes)
}

/** Of which accounts a second source says something else, also when the first is asked again. */
async function differences(
  { rpc, budget, address: suspect, unixTime, pools }: Compared,
  entries: readonly Entry[],
  second: AtSlot<(SolanaAccount | undefined)[]>,
  prefixBytes?: number,
): Promise<Difference[]> {
  const ask = (query: AccountsQuery) => getMultipleAccounts({ ...query, ...(prefixBytes && { prefixBytes }) })
  const cut = (account: SolanaAccount | undefined) =>
    account && prefixBytes ? { ...account, data: account.data.subarray(0, prefixBytes) } : account
  const say = (at: SolanaAddress) => ({ unixTime, isPool: pools.has(at) })
  const differing = entries
    .map(([each, account], i): Difference => ({ address: each, ours: cut(account), theirs: second.value[i] }))
    .filter((each) => !agree(each.address, each.ours, each.theirs, say(each.address)))
  if (differing.length === 0) return []
  const addresses = differing.map(({ address }) => address)
  const again = await rpc.call(ask({ addresses, minSlot: second.slot }), { suspect, budget }).catch(() => undefined)
  return differing.filter(
    (each, i) => again === undefined || !agree(each.address, again.value[i], each.theirs, say(each.address)),
  )
}

/** An account of which two sources say different things. */
interface Difference {
  address: SolanaAddress
  ours: SolanaAccount | undefined
  theirs: SolanaAccount | undefined
}

function isSameDeployment(ours: SolanaAccount | undefined, theirs: SolanaAccount | undefined): boolean {
  if (ours?.owner !== UPGRADEABLE_LOADER || theirs?.owner !== UPGRADEABLE_LOADER) return false
  if (ours.data.length <= PROGRAM_DATA_HEADER_BYTES) return false
  const head = ({ data }: SolanaAccount) => data.subarray(0, PROGRAM_DATA_HEADER_BYTES)
  return Buffer.compare(head(ours), head(theirs)) === 0
}

/**
 * Whether two nodes say the same of an account, as far as a verdict rests on it. Hashes of slots
 * and the like are others in each.
 */
function agree(
  address: SolanaAddress,
  ours: SolanaAccount | undefined,
  theirs: SolanaAccount | undefined,
  say: { unixTime: bigint; isPool: boolean },
): boolean {
  if (SYSVARS.includes(address)) return true
  if (ours === undefined || theirs === undefined) return (ours ?? theirs ?? NO_ACCOUNT).owner === SYSTEM_PROGRAM
  if (ours.owner !== theirs.owner || ours.executable !== theirs.executable) return false
  if (address === CLOCK_SYSVAR) return areNear(parseClock(ours.data)?.unixTime, parseClock(theirs.data)?.unixTime)
  const [mine, others] = [parseTokenAccount(address, ours), parseTokenAccount(address, theirs)]
  if (mine && others) {
    return mine.mint === others.mint && mine.owner === others.owner && mine.frozen === others.frozen
  }
  // Coins of wallets move, and what pools reckon with does with every trade.
  if (ours.owner === SYSTEM_PROGRAM) return ours.data.length === theirs.data.length
  if (isPoolProgram(ours.owner)) return saysTheSame(address, [ours, theirs], say)
  return parseMint(address, ours) ? sameRules(ours, theirs) : Buffer.compare(ours.data, theirs.data) === 0
}

/** Of a wallet that one of them has not seen yet. */
const NO_ACCOUNT = { owner: SYSTEM_PROGRAM }

/** Two nodes are read some seconds apart, and one may be some behind. */
const MAX_SECONDS_APART = 120n

const areNear = (a = 0n, b = 0n) => (a > b ? a - b : b - a) <= MAX_SECONDS_APART

function wordsFor(address: SolanaAddress, mint: SolanaAddress): string {
  if (address === mint) return 'about this mint'
  return isSysvar(address) ? 'about the time of the cluster' : 'about accounts that this token rests on'
}

const isSysvar = (address: SolanaAddress) => address.startsWith('Sysvar')

function chunk(entries: readonly Entry[]): Entry[][] {
  const parts: Entry[][] = []
  for (let at = 0; at < entries.length; at += MAX_ACCOUNTS_PER_CALL)
    parts.push(entries.slice(at, at + MAX_ACCOUNTS_PER_CALL))
  return parts
}
