import { createHash } from 'node:crypto'
import { createCountedLru } from '../../scheduling/lru.js'
import { programDataAddress, type SolanaAccount } from '../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../address.js'
import type { SolanaClock } from '../cluster-clock.js'
import { NATIVE_LOADER, SYSTEM_PROGRAM, SYSVAR_OWNER } from '../programs.js'
import type { LiteSvm, LiteSvmModule } from './load-litesvm.js'

type Snapshot = ReadonlyMap<SolanaAddress, SolanaAccount | undefined>

/** A virtual machine with the programs of a snapshot loaded. */
export interface Machine {
  readonly native: LiteSvmModule
  readonly svm: LiteSvm
  set(address: SolanaAddress, account: SolanaAccount | undefined): void
  get(address: SolanaAddress): SolanaAccount | undefined
  setClock(clock: SolanaClock): void
  /** As a node gave it; what the machine cannot read stays as it has it. */
  setSysvar(address: SolanaAddress, account: SolanaAccount): void
  /** Whether this is a program that came from a snapshot, or its code. */
  isLoaded(address: SolanaAddress): boolean
}

/** Tells what was changed in a machine, and hears whether it is kept. */
type GiveBack = (changed: Iterable<SolanaAddress>) => boolean

/**
 * Hands out machines. A new one costs 15 ms and the Token-2022 program another 7 ms, so that the
 * last ones are kept, with their programs. A program is loaded again when its account or code is
 * another, and a machine in which one was touched is thrown away.
 */
export function createMachineRoom(native: LiteSvmModule) {
  /** By the rules they run under. */
  const kept = createCountedLru<string, KeptMachine>(MAX_KEPT)
  return {
    take(snapshot: Snapshot, inactiveFeatures?: readonly SolanaAddress[]): { machine: Machine; giveBack: GiveBack } {
      const key = inactiveFeatures?.join() ?? 'as at release'
      const known = kept.get(key)
      kept.delete(key)
      const isReady = known !== undefined && succeeds(() => known.load(snapshot))
      const taken = isReady ? known : build(native, inactiveFeatures)
      if (!isReady) taken.load(snapshot)
      return {
        machine: taken.machine,
        giveBack(changed) {
          const isKept = succeeds(() => taken.clear(changed))
          if (isKept) kept.set(key, taken)
          return isKept
        },
      }
    },
  }
}

/** What the machine refuses to take or to give back makes it one to be thrown away. */
function succeeds(attempt: () => boolean): boolean {
  try {
    return attempt()
  } catch {
    return false
  }
}

/** Clusters with other rules are rare: a test cluster beside the main one. */
const MAX_KEPT = 2
/** A machine that has seen more is thrown away: each may take a megabyte. */
const MAX_PROGRAMS = 24

interface KeptMachine {
  machine: Machine
  /**
   * Puts the snapshot's programs where others or none stand. False when something that was loaded
   * before is gone or cannot be loaded again, so that a new machine is needed.
   */
  load(snapshot: Snapshot): boolean
  /** Takes everything out that a run put in; false when it cannot be used again. */
  clear(changed: Iterable<SolanaAddress>): boolean
}

/**
 * Two accounts with the same identity run the same code: a node may give other code for the same
 * deployment.
 */
function identify(account: SolanaAccount, code: SolanaAccount | undefined): string {
  const own = `${account.owner}:${account.lamports}:${digestOf(account)}`
  return code === undefined ? own : `${own}:${code.lamports}:${digestOf(code)}`
}

const digestOf = ({ data, digest }: SolanaAccount) => digest ?? createHash('sha256').update(data).digest('base64')

function build(native: LiteSvmModule, inactiveFeatures: readonly SolanaAddress[] | undefined): KeptMachine {
  const svm = new native.LiteSvm()
  if (inactiveFeatures !== undefined) applyRules(native, svm, inactiveFeatures)
  svm.setSigverify(false)
  svm.setBlockhashCheck(false)
  // With a history, identical unsigned transactions collide.
  svm.setTransactionHistory(0n)
  svm.setLogBytesLimit(MAX_LOG_BYTES)
  const loaded = new Map<SolanaAddress, Loaded>()
  let code: ReadonlySet<SolanaAddress> = new Set()
  const touched = new Set<SolanaAddress>()
  let isSpoiled = false
  /** As the machine was made. */
  const sysvars = new Map<SolanaAddress, SolanaAccount | undefined>()
  const firstClock = svm.getClock()
  const machine: Machine = {
    native,
    svm,
    set(address, account) {
      if (!touched.has(address)) {
        touched.add(address)
        // What stood in the place of the machine's own programs cannot be put right.
        isSpoiled ||= !loaded.has(address) && svm.getAccount(addressBytes(address))?.executable() === true
      }
      const { lamports, owner, executable, data } = account ?? ABSENT
      svm.setAccount(addressBytes(address), new native.Account(lamports, data, addressBytes(owner), executable, 0n))
    },
    get(address) {
      const account = svm.getAccount(addressBytes(address))
      return account === null ? undefined : readLazily(account)
    },
    setSysvar(address, account) {
      if (account.owner !== SYSVAR_OWNER) return
      if (!sysvars.has(address)) sysvars.set(address, machine.get(address))
      try {
        machine.set(address, account)
      } catch {
        // A node's fault, and no program's.
      }
    },
    setClock({ slot, epochStart, epoch, leaderEpoch, unixTime }) {
      svm.setClock(new native.Clock(slot, epochStart, epoch, leaderEpoch, unixTime))
    },
    isLoaded: (address) => loaded.has(address) || code.has(address),
  }
  const isLoadable = ({ account, code: held, codeAddress }: Wanted) =>
    account.executable && (codeAddress === undefined || held !== undefined)
  return {
    machine,
    load(snapshot) {
      for (const [address, { codeAddress }] of loaded) {
        const isKnown = snapshot.has(address) || (codeAddress !== undefined && snapshot.has(codeAddress))
        const wanted = wantedOf(snapshot, address)
        // A program that was translated and is gone would end the process when it is named.
        if (isKnown && !(wanted && isLoadable(wanted))) return false
      }
      svm.setClock(firstClock)
      const wanted = [...snapshot.keys()]
        .map((address) => wantedOf(snapshot, address))
        .filter((each) => each !== undefined)
      const named = new Set(wanted.map(({ address }) => address))
      for (const [address, { own }] of loaded) {
        // What is not known of lies idle: a run that names it is void. But the usual programs are
        // there for who does not bring any.
        if (named.has(address) || own.length === 0) continue
        for (const [each, account] of own) machine.set(each, account)
        loaded.delete(address)
      }
      const fresh = wanted.filter((each) => loaded.get(each.address)?.identity !== each.identity)
      const before = new Set(loaded.keys())
      for (const { address, codeAddress, identity } of fresh) {
        const own = loaded.get(address)?.own ?? ownOf(machine, address)
        loaded.set(address, { identity, codeAddress, own })
      }
      // Code before the programs that point to it: in any other order the machine loads nothing,
      // and says nothing.
      for (const { codeAddress, code: held } of fresh) if (codeAddress && held) machine.set(codeAddress, held)
      for (const { address, account } of fresh) {
        try {
          machine.set(address, account)
        } catch {
          // Code that the loader refuses cannot run on the chain either: without it, calls fail as
          // they would there. What stood there before must not be run in its place.
          if (before.has(address)) return false
        }
      }
      code = new Set([...loaded.values()].map(({ codeAddress }) => codeAddress).filter((each) => each !== undefined))
      return true
    },
    clear(changed) {
      if (isSpoiled) return false
      for (const address of changed) {
        const held = svm.getAccount(addressBytes(address))
        const isOwn = held?.executable() === true || (held && addressAt(held.owner()) === SYSVAR_OWNER)
        if (isOwn || machine.isLoaded(address)) return false
        machine.set(address, undefined)
      }
      touched.clear()
      for (const [address, account] of sysvars) machine.set(address, account)
      return loaded.size <= MAX_PROGRAMS
    },
  }
}

/**
 * A copy that the machine gave. Each part that is asked for is an object of the machine's own,
 * which costs more to let go of than to make; mostly one of the four is looked at.
 */
function readLazily(account: InstanceType<LiteSvmModule['Account']>): SolanaAccount {
  let lamports: bigint | undefined
  let owner: SolanaAddress | undefined
  let executable: boolean | undefined
  let data: Uint8Array | undefined
  return {
    get lamports() {
      lamports ??= account.lamports()
      return lamports
    },
    get owner() {
      owner ??= addressAt(account.owner())
      return owner
    },
    get executable() {
      executable ??= account.executable()
      return executable
    },
    get data() {
      data ??= account.data()
      return data
    },
  }
}

interface Loaded {
  identity: string
  codeAddress: SolanaAddress | undefined
  /** What the machine brought in its place, the code first; none of most programs. */
  own: readonly (readonly [SolanaAddress, SolanaAccount])[]
}

/** A program of a snapshot. */
interface Wanted {
  address: SolanaAddress
  account: SolanaAccount
  codeAddress: SolanaAddress | undefined
  code: SolanaAccount | undefined
  identity: string
}

function wantedOf(snapshot: Snapshot, address: SolanaAddress): Wanted | undefined {
  const account = snapshot.get(address)
  if (!account?.executable || account.owner === NATIVE_LOADER) return undefined
  const codeAddress = programDataAddress(account)
  const code = codeAddress && snapshot.get(codeAddress)
  return { address, account, codeAddress, code, identity: identify(account, code) }
}

function ownOf(machine: Machine, address: SolanaAddress): Loaded['own'] {
  const account = machine.get(address)
  if (account === undefined) return []
  const codeAddress = programDataAddress(account)
  const code = codeAddress && machine.get(codeAddress)
  return [...(codeAddress && code ? [[codeAddress, code] as const] : []), [address, account]]
}

/**
 * Before anything is loaded: programs are translated by the rules that hold when they come, and a
 * machine that changes its own runs none.
 */
function applyRules(native: LiteSvmModule, svm: LiteSvm, inactiveFeatures: readonly SolanaAddress[]): void {
  const features = native.FeatureSet.allEnabled()
  for (const feature of inactiveFeatures) features.deactivate(addressBytes(feature))
  svm.setFeatureSet(features)
  svm.setBuiltins()
}

/**
 * Whether the machine takes an account as data: programs are loaded apart, and the machine has
 * sysvars and built-ins of its own.
 */
export const isPlainData = ({ owner, executable }: SolanaAccount) =>
  !executable && owner !== SYSVAR_OWNER && owner !== NATIVE_LOADER

const ABSENT: SolanaAccount = { lamports: 0n, owner: SYSTEM_PROGRAM, executable: false, data: new Uint8Array() }
/** What the chain's nodes keep of a transaction's log. */
const MAX_LOG_BYTES = 10_000n
