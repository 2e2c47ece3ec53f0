import { createHash } from 'node:crypto'
import { createCountedLru } from '../../scheduling/lru.js'
import { PROGRAM_DATA_HEADER_BYTES, programDataAddress, type SolanaAccount } from '../account.js'
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
}

/** Tells what was changed in a machine, and hears whether it is kept. */
type GiveBack = (changed: Iterable<SolanaAddress>) => boolean

/**
 * Hands out machines. A new one costs 20 ms and the Token-2022 program another 14 ms, so that the
 * last ones are kept when they hold nothing but `sharedPrograms`, for when the same code is asked
 * for again; a machine that ran a foreign program is never used twice.
 */
export function createMachineRoom(native: LiteSvmModule, sharedPrograms: ReadonlySet<SolanaAddress>) {
  /** By the code that is in them. */
  const kept = createCountedLru<string, Machine>(MAX_KEPT)
  return {
    take(snapshot: Snapshot, inactiveFeatures?: readonly SolanaAddress[]): { machine: Machine; giveBack: GiveBack } {
      const programs = [...snapshot].flatMap(([address, account]) =>
        account?.executable && account.owner !== NATIVE_LOADER ? [{ address, account }] : [],
      )
      const isShared = programs.every(({ address }) => sharedPrograms.has(address))
      const key = isShared
        ? programs
            .map(({ address, account }) => identify(address, account, snapshot))
            .concat(inactiveFeatures ?? [])
            .sort()
            .join()
        : ''
      const machine = (isShared ? kept.get(key) : undefined) ?? build(native, { programs, snapshot, inactiveFeatures })
      kept.delete(key)
      return {
        machine,
        giveBack(changed) {
          if (!isShared) return false
          // Without its code, a program that the machine has would end the process when it is run.
          const code = new Set(programs.map(({ account }) => programDataAddress(account)))
          for (const address of changed) if (!code.has(address)) machine.set(address, undefined)
          kept.set(key, machine)
          return true
        },
      }
    },
  }
}

/** Tokens without a market, and those on the two exchanges that were asked about last. */
const MAX_KEPT = 3

/**
 * Two snapshots with the same identities run the same code: a node may give other code for the same
 * deployment, and nothing of that is to be kept.
 */
function identify(address: SolanaAddress, account: SolanaAccount, snapshot: Snapshot): string {
  const codeAddress = programDataAddress(account)
  const code = codeAddress && snapshot.get(codeAddress)
  if (code === undefined || code.data.length < PROGRAM_DATA_HEADER_BYTES) return `${address}:${account.data.length}`
  return `${address}:${codeAddress}:${createHash('sha256').update(code.data).digest('base64')}`
}

interface Program {
  address: SolanaAddress
  account: SolanaAccount
}

interface Equipment {
  programs: readonly Program[]
  snapshot: Snapshot
  inactiveFeatures: readonly SolanaAddress[] | undefined
}

function build(native: LiteSvmModule, { programs, snapshot, inactiveFeatures }: Equipment): Machine {
  const svm = new native.LiteSvm()
  if (inactiveFeatures !== undefined) applyRules(native, svm, inactiveFeatures)
  svm.setSigverify(false)
  svm.setBlockhashCheck(false)
  // With a history, identical unsigned transactions collide.
  svm.setTransactionHistory(0n)
  svm.setLogBytesLimit(MAX_LOG_BYTES)
  const machine: Machine = {
    native,
    svm,
    set(address, account) {
      const { lamports, owner, executable, data } = account ?? ABSENT
      svm.setAccount(addressBytes(address), new native.Account(lamports, data, addressBytes(owner), executable, 0n))
    },
    get(address) {
      const account = svm.getAccount(addressBytes(address))
      if (account === null) return undefined
      return {
        lamports: account.lamports(),
        owner: addressAt(account.owner()),
        executable: account.executable(),
        data: account.data(),
      }
    },
    setSysvar(address, account) {
      if (account.owner !== SYSVAR_OWNER) return
      try {
        machine.set(address, account)
      } catch {
        // A node's fault, and no program's.
      }
    },
    setClock({ slot, epochStart, epoch, leaderEpoch, unixTime }) {
      svm.setClock(new native.Clock(slot, epochStart, epoch, leaderEpoch, unixTime))
    },
  }
  loadPrograms(machine, programs, snapshot)
  return machine
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
 * Code before the programs that point to it: in any other order the machine loads nothing, and says
 * nothing.
 */
function loadPrograms(machine: Machine, programs: readonly Program[], snapshot: Snapshot): void {
  for (const { account } of programs) {
    const address = programDataAddress(account)
    const code = address && snapshot.get(address)
    if (address && code) machine.set(address, code)
  }
  for (const { address, account } of programs) {
    try {
      machine.set(address, account)
    } catch {
      // Code that the loader refuses cannot run on the chain either: without it, calls fail as they
      // would there.
    }
  }
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
