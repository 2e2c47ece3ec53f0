import type { RpcBudget } from '../../rpc/budget.js'
import { PROGRAM_DATA_HEADER_BYTES, type SolanaAccount } from '../../solana/account.js'
import type { SolanaAddress } from '../../solana/address.js'
import type { SolanaState } from '../../solana/chain-state.js'
import { parseClock } from '../../solana/cluster-clock.js'
import { isPoolProgram } from '../../solana/pools/layouts.js'
import { saysTheSame } from '../../solana/pools/pool-sayings.js'
import type { ProgramMemory } from '../../solana/program-memory.js'
import { CLOCK_SYSVAR, SYSTEM_PROGRAM, SYSVARS, UPGRADEABLE_LOADER } from '../../solana/programs.js'
import { type AccountsQuery, getMultipleAccounts, MAX_ACCOUNTS_PER_CALL } from '../../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../../solana/rpc/solana-rpc-client.js'
import { parseMint } from '../../solana/token/mint.js'
import { parseTokenAccount } from '../../solana/token/token-account.js'
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

/** An account as one node gave it. */
type Entry = readonly [SolanaAddress, SolanaAccount | undefined]

export interface Contradictions {
  /** What two nodes contradict each other about, for the report. */
  words: string[]
  /**
   * They gave different code for one deployment of a program, which no author can bring about: what
   * was played on it says nothing.
   */
  isCodeForged: boolean
}

const NONE: Contradictions = { words: [], isCodeForged: false }

/**
 * Asks a second node, where there is one, about everything that the verdict rests on: a single node
 * may say anything. What moved between the two readings is no contradiction. `pools`: those that
 * were found.
 */
export async function findContradictions(
  asking: Asking,
  state: SolanaState,
  pools: ReadonlySet<SolanaAddress>,
): Promise<Contradictions> {
  const { rpc, address, programs } = asking
  if (rpc.endpoints < 2) return NONE
  // Code was compared byte for byte when it came, and its head tells one deployment from the next.
  const isHeadEnough = ([each]: Entry) => programs.isConfirmed(each)
  const heads = [...state.accounts].filter(isHeadEnough)
  const whole = [...state.accounts].filter((entry) => !isHeadEnough(entry))
  const compared = { ...asking, unixTime: state.clock.unixTime, pools }
  const answers = await Promise.all([
    ...chunk(whole).map((entries) => compare(compared, entries)),
    ...chunk(heads).map((entries) => compare(compared, entries, PROGRAM_DATA_HEADER_BYTES)),
  ])
  if (answers.includes(undefined)) return NONE
  const differing = answers.flatMap((answer) => answer ?? [])
  for (const [each] of whole) {
    if (differing.some((entry) => entry.address === each)) programs.forget(each)
    else programs.confirm(each)
  }
  return {
    words: [...new Set(differing.map((each) => wordsFor(each.address, address)))],
    isCodeForged: differing.some(({ ours, theirs }) => isSameDeployment(ours, theirs)),
  }
}

/** Which of these the nodes contradict each other about; `undefined` when no second one answers. */
async function compare(
  { rpc, budget, address: suspect, unixTime, pools }: Compared,
  entries: readonly Entry[],
  prefixBytes?: number,
): Promise<Difference[] | undefined> {
  const ask = (query: AccountsQuery) => getMultipleAccounts({ ...query, ...(prefixBytes && { prefixBytes }) })
  const options = { suspect, budget }
  const second = await rpc.secondOpinion(ask({ addresses: entries.map(([each]) => each) }), options)
  if (second === undefined) return undefined
  const theirs = new Map(entries.map(([each], i) => [each, second.value[i]]))
  const cut = (account: SolanaAccount | undefined) =>
    account && prefixBytes ? { ...account, data: account.data.subarray(0, prefixBytes) } : account
  const say = (at: SolanaAddress) => ({ unixTime, isPool: pools.has(at) })
  const differing = entries
    .map(([each, account]): Difference => ({ address: each, ours: cut(account), theirs: theirs.get(each) }))
    .filter((each) => !agree(each.address, each.ours, each.theirs, say(each.address)))
  if (differing.length === 0) return []
  const addresses = differing.map(({ address }) => address)
  const again = await rpc.call(ask({ addresses, minSlot: second.slot }), options).catch(() => undefined)
  return differing.filter(
    (each, i) => again === undefined || !agree(each.address, again.value[i], each.theirs, say(each.address)),
  )
}

/** An account of which two nodes say different things. */
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
  if (address === mint) return 'two nodes contradict each other about this mint'
  return isSysvar(address)
    ? 'two nodes contradict each other about the time of the cluster'
    : 'two nodes contradict each other about accounts that this token rests on'
}

const isSysvar = (address: SolanaAddress) => address.startsWith('Sysvar')

function chunk(entries: readonly Entry[]): Entry[][] {
  const parts: Entry[][] = []
  for (let at = 0; at < entries.length; at += MAX_ACCOUNTS_PER_CALL)
    parts.push(entries.slice(at, at + MAX_ACCOUNTS_PER_CALL))
  return parts
}
