import { BaseError } from '../../errors.js'
import { PROGRAM_DATA_HEADER_BYTES, programDataAddress, type SolanaAccount } from '../account.js'
import type { SolanaAddress } from '../address.js'
import { type EpochSchedule, later, type SolanaClock } from '../cluster-clock.js'
import { type Instruction, packed } from '../instruction.js'
import { type CompiledTransaction, compileTransaction, TransactionTooWideError } from '../message.js'
import { CLOCK_SYSVAR, COMPUTE_BUDGET_PROGRAM, SLOT_HASHES_SYSVAR, SYSVARS } from '../programs.js'
import { laterSlotHashes } from '../slot-hashes.js'
import type { TransactionResult } from '../transaction-result.js'
import { readResult } from './read-result.js'
import { isPlainData, type Machine } from './svm-machine.js'

/**
 * What a fork starts from. An address that is not in `accounts` is unknown; one that is there as
 * `undefined` does not exist.
 */
export interface ForkStart {
  accounts: ReadonlyMap<SolanaAddress, SolanaAccount | undefined>
  clock: SolanaClock
  epochs: EpochSchedule
  /**
   * Changes of the runtime's rules that the cluster has not switched on; `undefined`: as when the
   * machine was released.
   */
  inactiveFeatures?: readonly SolanaAddress[] | undefined
}

/** What a wallet puts around the instructions of a transaction. */
export interface Dress {
  before: readonly Instruction[]
  after: readonly Instruction[]
  /** What the payer pays for being served sooner. */
  priorityLamports: bigint
}

/**
 * A private copy of the cluster, on which a run can sign for any address. Synchronous: what is
 * unknown reads as absent and is recorded.
 */
export interface Fork {
  readonly clock: SolanaClock
  readonly epochs: EpochSchedule
  /** What was asked for and is not known; what was computed meanwhile is void. */
  readonly misses: ReadonlySet<SolanaAddress>
  account(address: SolanaAddress): SolanaAccount | undefined
  set(address: SolanaAddress, account: SolanaAccount | undefined): void
  /** Declares that an address is ours alone, so that no node is asked about it. */
  invent(address: SolanaAddress): void
  /**
   * Runs a transaction and undoes it. `after` of the result tells the accounts as they would be.
   */
  simulate(payer: SolanaAddress, instructions: readonly Instruction[]): TransactionResult
  /** Runs a transaction and keeps what it did. */
  send(payer: SolanaAddress, instructions: readonly Instruction[]): TransactionResult
  /** How the transactions from now on look: `turn` counts them. */
  dressAs(dress: (turn: number) => Dress): void
  /** Moves slot, epoch and time to `seconds` after the start. */
  moveTo(seconds: number): void
  /** Puts back every account, and the time. */
  restore(): void
}

export function createFork(
  machine: Machine,
  { accounts, clock, epochs }: ForkStart,
): Fork & { readonly changed: ReadonlySet<SolanaAddress>; readonly transactions: number } {
  const misses = new Set<SolanaAddress>()
  const invented = new Set<SolanaAddress>()
  /** Looked up before: what is known does not change during a run. */
  const needed = new Set<SolanaAddress>()
  /** Put into the machine by now: nine of ten accounts are never named by a transaction. */
  const placed = new Set<SolanaAddress>()
  /** Differs, or may differ, from the start. */
  const dirty = new Set<SolanaAddress>()
  /** Everything that the machine was ever told. */
  const changed = new Set<SolanaAddress>()
  /** As they are now: read from the machine, or set here. */
  const held = new Map<SolanaAddress, SolanaAccount | undefined>()
  /**
   * Set, and not yet told to the machine. Most of what is set is set anew before a transaction
   * names it, or is never named, and each telling makes an object that has to be let go of.
   */
  const untold = new Set<SolanaAddress>()
  let now = clock
  let units = 0n
  let turn = 0
  let dress: (turn: number) => Dress = () => PLAIN

  const tell = (address: SolanaAddress) => {
    if (!untold.delete(address)) return
    changed.add(address)
    machine.set(address, held.get(address))
  }
  const put = (address: SolanaAddress, account: SolanaAccount | undefined) => {
    placed.add(address)
    // An account without coins is none.
    held.set(address, account?.lamports === 0n ? undefined : account)
    untold.add(address)
    // Nothing need name these for them to matter.
    if (machine.isLoaded(address) || (account && !isPlainData(account))) tell(address)
  }
  const need = (address: SolanaAddress) => {
    if (needed.has(address)) return
    needed.add(address)
    const known = accounts.get(address)
    if (known && isPlainData(known) && !machine.isLoaded(address) && !placed.has(address)) put(address, known)
    if (!accounts.has(address) && !invented.has(address) && !isKnownToMachine(machine, address)) misses.add(address)
    const code = known && programDataAddress(known)
    if (code && !accounts.has(code)) misses.add(code)
  }
  const codes = new Map<SolanaAddress, SolanaAddress | undefined>()
  /** Where the code of a program is: what was there at the start says it. */
  const codeOf = (address: SolanaAddress) => {
    if (codes.has(address)) return codes.get(address)
    const program = accounts.get(address) ?? (machine.isLoaded(address) ? machine.get(address) : undefined)
    const code = program && programDataAddress(program)
    codes.set(address, code)
    return code
  }
  /** To run a program that had its own code closed would end the process, and us with it. */
  const assertRunnable = (address: SolanaAddress) => {
    const code = codeOf(address)
    if (code === undefined || !dirty.has(code)) return
    if ((machine.get(code)?.data.length ?? 0) < PROGRAM_DATA_HEADER_BYTES) throw new SvmResistedError('accounts')
  }
  const run = (payer: SolanaAddress, instructions: readonly Instruction[], commit: boolean): TransactionResult => {
    if (units >= MAX_UNITS) throw new SvmResistedError('computeUnits')
    const { before, after, priorityLamports } = dress(turn)
    turn += 1
    const transaction = compile(payer, [...before, ...instructions, ...after])
    if (transaction === undefined) return TOO_WIDE
    for (const address of transaction.accounts) {
      need(address)
      tell(address)
      assertRunnable(address)
    }
    const outcome = commit
      ? machine.svm.sendLegacyTransaction(transaction.bytes)
      : machine.svm.simulateLegacyTransaction(transaction.bytes)
    if (commit) {
      for (const address of transaction.writable) {
        dirty.add(address)
        changed.add(address)
        held.delete(address)
      }
    }
    const result = readResult(machine.native, outcome, transaction, { hidden: before.length, priorityLamports })
    units += result.units
    return result
  }

  const slotHashes = accounts.get(SLOT_HASHES_SYSVAR)
  const hashesLater = new Map<bigint, Uint8Array>()
  let set: SolanaClock | undefined
  const setTime = () => {
    if (set === now) return
    machine.setClock(now)
    set = now
    for (const address of [CLOCK_SYSVAR, ...SYSVARS]) held.delete(address)
    if (slotHashes === undefined) return
    const slots = now.slot - clock.slot
    const data = hashesLater.get(slots) ?? laterSlotHashes(slotHashes.data, slots)
    if (hashesLater.size < MAX_TIMES) hashesLater.set(slots, data)
    machine.setSysvar(SLOT_HASHES_SYSVAR, { ...slotHashes, data })
  }
  for (const address of SYSVARS) {
    const sysvar = accounts.get(address)
    if (sysvar) machine.setSysvar(address, sysvar)
  }
  setTime()

  return {
    get clock() {
      return now
    },
    epochs,
    misses,
    changed,
    get transactions() {
      return turn
    },
    account(address) {
      need(address)
      if (!held.has(address)) held.set(address, machine.get(address))
      return held.get(address)
    },
    set(address, account) {
      dirty.add(address)
      put(address, account)
    },
    invent: (address) => void invented.add(address),
    simulate: (payer, instructions) => run(payer, instructions, false),
    send: (payer, instructions) => run(payer, instructions, true),
    dressAs(given) {
      dress = given
    },
    moveTo(seconds) {
      now = seconds === 0 ? clock : later(clock, seconds, epochs)
      setTime()
    },
    restore() {
      for (const address of dirty) {
        const account = accounts.get(address)
        if (account === undefined || isPlainData(account)) put(address, account)
      }
      dirty.clear()
      now = clock
      setTime()
    },
  }
}

/** `undefined` for what no transaction can name: it cannot be sent to the chain. */
function compile(payer: SolanaAddress, instructions: readonly Instruction[]): CompiledTransaction | undefined {
  try {
    return compileTransaction(payer, instructions)
  } catch (error) {
    if (error instanceof TransactionTooWideError) return undefined
    throw error
  }
}

const TOO_WIDE: TransactionResult = {
  ok: false,
  error: { instruction: undefined, name: 'TooManyAccountLocks', code: undefined },
  units: 0n,
  feeLamports: 0n,
  logs: [],
  inner: [],
  after: () => undefined,
  lamportsAfter: () => undefined,
}

/**
 * What an ordinary wallet asks for in a trade; three times what the dearest known exchange needs.
 */
const UNITS_PER_TRANSACTION = 600_000
const LIMIT_UNITS: Instruction = {
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: packed(Uint8Array.of(2), [32, UNITS_PER_TRANSACTION]),
}
const PLAIN: Dress = { before: [LIMIT_UNITS], after: [], priorityLamports: 0n }

/** The windows, and what a hook's decisions lead to. */
const MAX_TIMES = 16

/** A whole check of an honest token uses two million; a loop of this length takes 1.5 s. */
const MAX_UNITS = 40_000_000n

/** Built-in programs and sysvars, which need not be fetched. */
function isKnownToMachine(machine: Machine, address: SolanaAddress): boolean {
  const account = machine.get(address)
  return account !== undefined && !isPlainData(account) && !machine.isLoaded(address)
}

/** The code under test used up what one analysis may cost. Neither guilt nor a clean result. */
export class SvmResistedError extends BaseError {
  override readonly name = 'SvmResistedError'
  readonly bound: SvmBound
  constructor(bound: SvmBound) {
    super(`Analysis resisted: ${bound}`)
    this.bound = bound
  }
}

export type SvmBound = 'computeUnits' | 'wallClockMs' | 'accounts'
