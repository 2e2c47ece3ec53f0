import { createHash, randomBytes } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import type { SolanaAccount } from '../../solana/account.js'
import { PROGRAM_DATA_HEADER_BYTES, viewOf } from '../../solana/account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../solana/address.js'
import { MAINNET_EPOCHS, parseClock, type SolanaClock } from '../../solana/cluster-clock.js'
import type { Instruction } from '../../solana/instruction.js'
import { compileTransaction } from '../../solana/message.js'
import { findProgramAddress } from '../../solana/pda.js'
import { CLOCK_SYSVAR, SYSTEM_PROGRAM, UPGRADEABLE_LOADER } from '../../solana/programs.js'
import { type LiteSvm, type LiteSvmModule, loadLiteSvm } from '../../solana/svm/load-litesvm.js'

/** A transaction that the devnet remembers. */
export interface RecordedTransaction {
  signature: string
  slot: bigint
  /** Seconds since 1970. */
  time: bigint
  failed: boolean
  /** Those that it names, the payer first, and the lamports of each before and after. */
  accounts: readonly { address: SolanaAddress; before: bigint; after: bigint }[]
}

/** A cluster of one, in memory. Its owner may write any account. */
export interface SolanaChain {
  readonly native: LiteSvmModule
  readonly svm: LiteSvm
  readonly clock: SolanaClock
  set(address: SolanaAddress, account: SolanaAccount): void
  get(address: SolanaAddress): SolanaAccount | undefined
  remove(address: SolanaAddress): void
  ownedBy(program: SolanaAddress): { address: SolanaAddress; account: SolanaAccount }[]
  /** Puts a program there, upgradeable by `authority`, or by none. */
  deploy(program: SolanaAddress, elf: Uint8Array, authority?: SolanaAddress): void
  /**
   * Runs a transaction without signatures, as if `secondsAgo`, and remembers it. Tells whether it
   * went through.
   */
  send(payer: SolanaAddress, instructions: readonly Instruction[], secondsAgo?: number): boolean
  /** Remembers a transaction that was made elsewhere, and that made the accounts `made`. */
  record(addresses: readonly SolanaAddress[], failed: boolean, made?: readonly SolanaAddress[]): string
  find(signature: string): RecordedTransaction | undefined
  inSlot(slot: bigint): readonly RecordedTransaction[]
  history(address: SolanaAddress): readonly RecordedTransaction[]
  setTime(unixTime: bigint): void
  nextSlot(): void
  /** The hash of a slot's block; `undefined` where it has none. */
  blockHash(slot: bigint): string | undefined
  /** The newest slots were of another fork: they are empty, and what was made in them is undone. */
  undo(slots: number): void
}

/** Mainnet had about this height in 2026. */
const START_SLOT = 400_000_000n
/** As many as a cluster keeps. */
const SLOT_HASHES = 512
/** Transactions remembered for each address. */
const MAX_HISTORY = 1_000
/** Transactions that can be asked for. */
const MAX_TRANSACTIONS = 10_000

/** Starts an empty cluster with the usual programs, at the time `now` (seconds since 1970). */
export function createSolanaChain(now: bigint): SolanaChain {
  const native = loadLiteSvm()
  const svm = new native.LiteSvm()
  svm.setSigverify(false)
  svm.setBlockhashCheck(false)
  svm.setTransactionHistory(0n)
  const { slotsPerEpoch, leaderScheduleSlotOffset, warmup, firstNormalEpoch, firstNormalSlot } = MAINNET_EPOCHS
  svm.setEpochSchedule(
    new native.EpochSchedule(slotsPerEpoch, leaderScheduleSlotOffset, warmup, firstNormalEpoch, firstNormalSlot),
  )
  const histories = new Map<SolanaAddress, RecordedTransaction[]>()
  const transactions = new Map<string, RecordedTransaction>()
  const undone = new Set<bigint>()
  let height = START_SLOT
  const setClock = (slot: bigint, unixTime: bigint) => {
    const epoch = slot / slotsPerEpoch
    svm.setClock(new native.Clock(slot, unixTime - 3_600n, epoch, epoch + 1n, unixTime))
  }
  setClock(height, now)
  const hash = (slot: bigint) => getBase58Decoder().decode(createHash('sha256').update(String(slot)).digest())
  const slots = Array.from({ length: SLOT_HASHES }, (_, i) => height - 1n - BigInt(i))
  svm.setSlotHashes(slots.map((slot) => ({ slot, hash: hash(slot) })))

  const chain: SolanaChain = {
    native,
    svm,
    get clock() {
      const clock = parseClock(chain.get(CLOCK_SYSVAR)?.data ?? new Uint8Array())
      if (clock === undefined) throw new RangeError('no clock')
      return clock
    },
    set(address, { lamports, owner, executable, data }) {
      svm.setAccount(addressBytes(address), new native.Account(lamports, data, addressBytes(owner), executable, 0n))
    },
    get(address) {
      const account = svm.getAccount(addressBytes(address))
      return account === null ? undefined : toAccount(account)
    },
    remove(address) {
      chain.set(address, { lamports: 0n, owner: SYSTEM_PROGRAM, executable: false, data: new Uint8Array() })
    },
    ownedBy: (program) =>
      svm
        .getProgramAccounts(addressBytes(program))
        .map((entry) => ({ address: addressAt(entry.address), account: toAccount(entry.account()) })),
    deploy(program, elf, authority) {
      const code = findProgramAddress(UPGRADEABLE_LOADER, [addressBytes(program)])
      if (code === undefined) throw new RangeError('no address for the code')
      chain.set(code, programData(elf, height, authority))
      chain.set(program, {
        lamports: RENT,
        owner: UPGRADEABLE_LOADER,
        executable: true,
        data: Uint8Array.from([2, 0, 0, 0, ...addressBytes(code)]),
      })
    },
    send(payer, instructions, secondsAgo = 0) {
      const { bytes, accounts } = compileTransaction(payer, instructions)
      const { unixTime } = chain.clock
      const missing = accounts.filter((address) => (chain.get(address)?.lamports ?? 0n) === 0n)
      setClock(height, unixTime - BigInt(secondsAgo))
      const failed = svm.sendLegacyTransaction(bytes) instanceof native.FailedTransactionMetadata
      chain.record(accounts, failed, missing)
      setClock(height, unixTime)
      return !failed
    },
    record(addresses, failed, made = []) {
      const { unixTime: time } = chain.clock
      const accounts = addresses.map((address) => {
        const after = chain.get(address)?.lamports ?? 0n
        return { address, before: made.includes(address) ? 0n : after, after }
      })
      const record = { signature: getBase58Decoder().decode(randomBytes(64)), slot: height, time, failed, accounts }
      transactions.set(record.signature, record)
      const [oldest] = transactions.keys()
      if (transactions.size > MAX_TRANSACTIONS && oldest !== undefined) transactions.delete(oldest)
      for (const address of new Set(addresses)) {
        const history = [record, ...(histories.get(address) ?? [])].sort((a, b) => Number(b.time - a.time))
        histories.set(address, history.slice(0, MAX_HISTORY))
      }
      return record.signature
    },
    history: (address) => histories.get(address) ?? [],
    find: (signature) => transactions.get(signature),
    inSlot: (slot) => [...transactions.values()].filter((each) => each.slot === slot),
    setTime: (unixTime) => setClock(height, unixTime),
    nextSlot() {
      height += 1n
      setClock(height, chain.clock.unixTime)
    },
    blockHash: (slot) => (slot < START_SLOT || slot > height || undone.has(slot) ? undefined : hash(slot)),
    undo(slots) {
      const first = height - BigInt(slots) + 1n
      for (let slot = first; slot <= height; slot += 1n) undone.add(slot)
      for (const [address, history] of histories)
        histories.set(
          address,
          history.filter(({ slot }) => slot < first),
        )
      for (const [signature, { slot }] of transactions) if (slot >= first) transactions.delete(signature)
      chain.nextSlot()
    },
  }
  return chain
}

/** Enough for any account of the examples to stay. */
export const RENT = 1_000_000_000n

type NativeAccount = NonNullable<ReturnType<LiteSvm['getAccount']>>

const toAccount = (account: NativeAccount): SolanaAccount => ({
  lamports: account.lamports(),
  owner: addressAt(account.owner()),
  executable: account.executable(),
  data: account.data(),
})

function programData(elf: Uint8Array, slot: bigint, authority: SolanaAddress | undefined): SolanaAccount {
  const data = new Uint8Array(PROGRAM_DATA_HEADER_BYTES + elf.length)
  const view = viewOf(data)
  view.setUint32(0, 3, true)
  view.setBigUint64(4, slot, true)
  if (authority !== undefined) {
    data[12] = 1
    data.set(addressBytes(authority), 13)
  }
  data.set(elf, PROGRAM_DATA_HEADER_BYTES)
  return { lamports: RENT, owner: UPGRADEABLE_LOADER, executable: false, data }
}
