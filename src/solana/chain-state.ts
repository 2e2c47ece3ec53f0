import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import type { RpcBudget } from '../rpc/budget.js'
import type { RpcOutcome, RpcRequest } from '../rpc/request.js'
import { unwrap } from '../rpc/request.js'
import type { SolanaAccount } from './account.js'
import { programDataAddress } from './account.js'
import type { SolanaAddress } from './address.js'
import {
  type EpochSchedule,
  keepsSchedule,
  MAINNET_EPOCHS,
  parseClock,
  parseEpochSchedule,
  type SolanaClock,
} from './cluster-clock.js'
import type { ProgramMemory } from './program-memory.js'
import { CLOCK_SYSVAR, EPOCH_SCHEDULE_SYSVAR, SYSVAR_OWNER } from './programs.js'
import { getMultipleAccounts, MAX_ACCOUNTS_PER_CALL } from './rpc/solana-methods.js'
import type { AtSlot } from './rpc/solana-parse.js'
import type { SolanaRpc } from './rpc/solana-rpc-client.js'
import { type ForkStart, SvmResistedError } from './svm/fork.js'

/** What is known of the cluster for one analysis. Grows, and never goes back in time. */
export interface SolanaState {
  readonly clock: SolanaClock
  /**
   * What the cluster says of its epochs, as long as its clock keeps to it; mainnet's otherwise, and
   * then `told` is false.
   */
  readonly epochs: { readonly schedule: EpochSchedule; readonly told: boolean }
  /** First and last slot that anything was read at; equal when all is of one moment. */
  readonly slots: { readonly first: bigint; readonly last: bigint }
  /** Everything that was asked for; an account that does not exist is `undefined`. */
  readonly accounts: ReadonlyMap<SolanaAddress, SolanaAccount | undefined>
  start(): ForkStart
  /** Makes accounts known, with the code of programs among them. */
  load(addresses: readonly SolanaAddress[]): Promise<void>
  /**
   * Reads everything again in one call when it was read at several slots. Tells whether anything
   * had changed meanwhile.
   */
  settle(): Promise<boolean>
}

export interface SolanaStateOptions {
  rpc: SolanaRpc
  programs: ProgramMemory
  budget: RpcBudget
  /** What the analysis is of. */
  address: SolanaAddress
  clock: Clock
  /**
   * A node whose clock is further behind is passed over. `Infinity`: it may stand still, as on a
   * test cluster. One that is ahead is passed over everywhere.
   */
  maxHeadAgeMs: number
}

type AccountsAnswer = AtSlot<(SolanaAccount | undefined)[]>

/** Reads the cluster's clock and `addresses` in one go. Rejects when no node answers. */
export async function openSolanaState(
  { rpc, programs, budget, address: suspect, clock: wall, maxHeadAgeMs }: SolanaStateOptions,
  addresses: readonly SolanaAddress[],
): Promise<SolanaState> {
  const accounts = new Map<SolanaAddress, SolanaAccount | undefined>()
  let first: bigint | undefined
  let last = 0n
  let bytes = 0

  const put = (address: SolanaAddress, account: SolanaAccount | undefined) => {
    bytes += account?.data.length ?? 0
    if (accounts.size >= MAX_ACCOUNTS || bytes > MAX_BYTES) throw new SvmResistedError('accounts')
    accounts.set(address, account)
  }
  const accept = (asked: readonly SolanaAddress[]) => (outcomes: readonly RpcOutcome<unknown>[]) => {
    for (const outcome of outcomes) {
      const { slot } = unwrap(outcome as RpcOutcome<AccountsAnswer>)
      if (slot < last) throw new SolanaStaleNodeError(`slot ${slot} after ${last}`)
    }
    const index = asked.indexOf(CLOCK_SYSVAR)
    if (index < 0) return
    const answer = unwrap(outcomes[Math.floor(index / MAX_ACCOUNTS_PER_CALL)] as RpcOutcome<AccountsAnswer>)
    const read = parseClock(answer.value[index % MAX_ACCOUNTS_PER_CALL]?.data ?? new Uint8Array())
    if (read === undefined) throw new SolanaStaleNodeError('no clock')
    const ageMs = wall.now() - Number(read.unixTime) * 1_000
    if (ageMs > maxHeadAgeMs) throw new SolanaStaleNodeError(`${Math.round(ageMs / 1_000)} s old`)
    if (ageMs < -MAX_AHEAD_MS) throw new SolanaStaleNodeError(`${Math.round(-ageMs / 1_000)} s ahead`)
    if (!isNear(read.slot, answer.slot)) throw new SolanaStaleNodeError(`slot ${read.slot} at ${answer.slot}`)
  }
  const note = (slot: bigint) => {
    first ??= slot
    if (slot > last) last = slot
  }

  /** Plain accounts and the heads of code accounts, in one HTTP request. */
  async function fetch(plain: readonly SolanaAddress[], heads: readonly SolanaAddress[]): Promise<void> {
    const minSlot = last > 0n ? last : undefined
    const requests: RpcRequest<AccountsAnswer>[] = [
      ...chunk(plain).map((part) => getMultipleAccounts({ addresses: part, minSlot })),
      ...chunk(heads).map((part) => getMultipleAccounts({ addresses: part, prefixBytes: HEAD_BYTES, minSlot })),
    ]
    if (requests.length === 0) return
    const outcomes = await rpc.batch(requests, { suspect, budget, accept: accept(plain) })
    const answers = outcomes.map((outcome) => unwrap(outcome as RpcOutcome<AccountsAnswer>))
    for (const { slot } of answers) note(slot)
    const parts = chunk(plain).length
    const plainAccounts = answers.slice(0, parts).flatMap(({ value }) => value)
    for (const [i, address] of plain.entries()) put(address, programs.share(address, plainAccounts[i]))
    const headAccounts = answers.slice(parts).flatMap(({ value }) => value)
    const stale = heads.filter((address, i) => {
      const known = programs.recall(address, headAccounts[i])
      if (known !== undefined) put(address, known)
      return known === undefined
    })
    await fetch(stale, [])
  }

  async function load(wanted: readonly SolanaAddress[]): Promise<void> {
    const unknown = [...new Set(wanted)].filter((address) => !accounts.has(address))
    for (const address of unknown) {
      const immutable = programs.recallImmutable(address)
      if (immutable !== undefined) put(address, immutable)
    }
    const rest = unknown.filter((address) => !accounts.has(address))
    await fetch(
      rest.filter((address) => !programs.knows(address)),
      rest.filter((address) => programs.knows(address)),
    )
    const code = unknown.flatMap((address) => {
      const account = accounts.get(address)
      const codeAddress = account && programDataAddress(account)
      return codeAddress !== undefined && !accounts.has(codeAddress) ? [codeAddress] : []
    })
    if (code.length > 0) await load(code)
  }

  await load([CLOCK_SYSVAR, EPOCH_SCHEDULE_SYSVAR, ...addresses])
  const clock = parseClock(accounts.get(CLOCK_SYSVAR)?.data ?? new Uint8Array())
  if (clock === undefined) throw new SolanaStaleNodeError('no clock')
  let now: SolanaClock = clock
  const told = parseEpochSchedule(accounts.get(EPOCH_SCHEDULE_SYSVAR)?.data ?? new Uint8Array())
  const schedule = told && keepsSchedule(clock, told) ? told : undefined
  const epochs = { schedule: schedule ?? MAINNET_EPOCHS, told: schedule !== undefined }

  return {
    get clock() {
      return now
    },
    epochs,
    get slots() {
      return { first: first ?? last, last }
    },
    accounts,
    start: () => ({ accounts, clock: now, epochs: epochs.schedule }),
    load,
    async settle() {
      if (first === last) return false
      const plain = [...accounts.keys()].filter(
        (address) => !programs.knows(address) && !programs.recallImmutable(address),
      )
      if (plain.length > MAX_ACCOUNTS_PER_CALL) return false
      const before = new Map(plain.map((address) => [address, accounts.get(address)]))
      const { slot, value } = await rpc.call(getMultipleAccounts({ addresses: plain, minSlot: last }), {
        suspect,
        budget,
        accept: accept(plain),
      })
      for (const [i, address] of plain.entries()) accounts.set(address, programs.share(address, value[i]))
      first = slot
      last = slot
      now = parseClock(accounts.get(CLOCK_SYSVAR)?.data ?? new Uint8Array()) ?? now
      // Time and the hashes of slots always have.
      const isSysvar = (address: SolanaAddress) => before.get(address)?.owner === SYSVAR_OWNER
      return plain.some((address, i) => !isSysvar(address) && !isSame(before.get(address), value[i]))
    },
  }
}

/**
 * The cluster's time is a median of what its validators believe, and runs behind rather than ahead.
 */
const MAX_AHEAD_MS = 600_000
/** Behind one address there may be nodes that are a little apart. */
const MAX_SLOTS_APART = 150n

const isNear = (a: bigint, b: bigint) => (a > b ? a - b : b - a) <= MAX_SLOTS_APART

/** Enough to tell one deployment of a program from the next. */
const HEAD_BYTES = 45
/** A token with a hook and a pool needs 40. */
const MAX_ACCOUNTS = 400
/** Six of the largest programs there are. */
const MAX_BYTES = 64 * 1024 * 1024

function chunk<T>(items: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += MAX_ACCOUNTS_PER_CALL)
    parts.push(items.slice(at, at + MAX_ACCOUNTS_PER_CALL))
  return parts
}

function isSame(a: SolanaAccount | undefined, b: SolanaAccount | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.owner === b.owner && a.lamports === b.lamports && Buffer.compare(a.data, b.data) === 0
}

/** The node is behind: behind the others, behind what it said before, or behind the time of day. */
export class SolanaStaleNodeError extends BaseError {
  override readonly name = 'SolanaStaleNodeError'
  constructor(details: string) {
    super('A Solana node is out of step', { details })
  }
}
