import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readProgram } from '../../src/devnet/solana/scene.js'
import { type SolanaAccount, viewOf } from '../../src/solana/account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import { MAINNET_EPOCHS } from '../../src/solana/cluster-clock.js'
import { readonly, writable } from '../../src/solana/instruction.js'
import {
  MEMO_PROGRAM,
  SLOT_HASHES_SYSVAR,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  UPGRADEABLE_LOADER,
} from '../../src/solana/programs.js'
import { createFork } from '../../src/solana/svm/fork.js'
import { loadLiteSvm } from '../../src/solana/svm/load-litesvm.js'
import { createMachineRoom } from '../../src/solana/svm/svm-machine.js'

/**
 * A machine serves one run after the other, also with foreign programs in it: nothing of a run is
 * there in the next, and a program is never run as another deployment had it.
 */
type Accounts = Map<SolanaAddress, SolanaAccount | undefined>

const clock = { slot: 400_000_000n, epochStart: 0n, epoch: 900n, leaderEpoch: 901n, unixTime: 1_700_000_000n }
const DENIED = 0x1770
const fresh = (): SolanaAddress => addressAt(randomBytes(32))
const owned = (owner: SolanaAddress, data: Uint8Array, executable = false): SolanaAccount => ({
  lamports: 1_000_000_000n,
  owner,
  executable,
  data,
})

/** A program as the upgradeable loader keeps it, with what `behaviour` of `hook.c` does. */
function deploy(program: SolanaAddress, code: SolanaAddress, behaviour: string): Accounts {
  const head = new Uint8Array(36)
  viewOf(head).setUint32(0, 2, true)
  head.set(addressBytes(code), 4)
  const elf = readProgram(`hook-${behaviour}`)
  const held = new Uint8Array(45 + elf.length)
  viewOf(held).setUint32(0, 3, true)
  held.set(elf, 45)
  return new Map([
    [program, owned(UPGRADEABLE_LOADER, head, true)],
    [code, owned(UPGRADEABLE_LOADER, held)],
  ])
}

const room = createMachineRoom(loadLiteSvm())
const payer = fresh()
const coins = owned(SYSTEM_PROGRAM, new Uint8Array())

/** Calls the program once, with another account beside it, and gives the machine back. */
function call(accounts: Accounts, program: SolanaAddress, beside = fresh(), seconds = 0) {
  const all = new Map(accounts).set(payer, coins)
  const { machine, giveBack } = room.take(all)
  const fork = createFork(machine, { accounts: all, clock, epochs: MAINNET_EPOCHS })
  fork.moveTo(seconds)
  const metas = [payer, payer, payer, payer, payer].map(readonly)
  const accountsOfCall = [...metas, all.get(beside)?.owner === program ? writable(beside) : readonly(beside)]
  const result = fork.send(payer, [{ program, accounts: accountsOfCall, data: new Uint8Array(16) }])
  const isKept = giveBack(fork.changed)
  return { result, misses: [...fork.misses], svm: machine.svm, isKept }
}

test('the same machine, with the same program', () => {
  const [program, code] = [fresh(), fresh()]
  const accounts = deploy(program, code, 'allow')
  const first = call(accounts, program, fresh(), 7 * 86_400)
  const second = call(accounts, program)
  expect([first.result.ok, second.result.ok]).toEqual([true, true])
  expect(second.svm).toBe(first.svm)
})

test('another deployment at the same address is what is run', () => {
  const [program, code] = [fresh(), fresh()]
  expect(call(deploy(program, code, 'allow'), program).result.ok).toBe(true)
  expect(call(deploy(program, code, 'deny'), program).result.error?.code).toBe(DENIED)
  expect(call(deploy(program, code, 'allow'), program).result.ok).toBe(true)
})

test('a program that is not known by now is missing, and one that is gone is not run', () => {
  const [program, code] = [fresh(), fresh()]
  expect(call(deploy(program, code, 'allow'), program).misses).not.toContain(program)
  const unknown = call(new Map(), program)
  expect(unknown.misses).toContain(program)
  const gone = call(new Map([[program, undefined]]), program)
  expect([gone.result.ok, gone.result.error?.name]).toEqual([false, 'InvalidProgramForExecution'])
  const closed = call(new Map(deploy(program, code, 'allow')).set(code, undefined), program)
  expect(closed.result.ok).toBe(false)
  expect(call(deploy(program, code, 'allow'), program).result.ok).toBe(true)
})

test('what a run left in accounts is not there in the next', () => {
  const [program, code, memory] = [fresh(), fresh(), fresh()]
  const accounts = deploy(program, code, 'allow').set(memory, owned(program, Uint8Array.of(7)))
  expect(call(accounts, program, memory).result.ok).toBe(true)
  const { machine, giveBack } = room.take(new Map())
  expect(machine.get(memory)).toBeUndefined()
  expect(giveBack([])).toBe(true)
})

test('sysvars are the next run’s own', () => {
  const [program, code] = [fresh(), fresh()]
  const accounts = deploy(program, code, 'allow')
  const before = room.take(new Map())
  const own = before.machine.get(SLOT_HASHES_SYSVAR)
  before.giveBack([])
  const hashes = new Uint8Array(48)
  viewOf(hashes).setBigUint64(0, 1n, true)
  viewOf(hashes).setBigUint64(8, 399_999_999n, true)
  call(new Map(accounts).set(SLOT_HASHES_SYSVAR, owned(SYSVAR_OWNER, hashes)), program)
  const after = room.take(new Map())
  expect(after.machine.get(SLOT_HASHES_SYSVAR)).toEqual(own)
  after.giveBack([])
})

test('a machine whose programs a run may have written to is thrown away', () => {
  const [program, code] = [fresh(), fresh()]
  const { machine, giveBack } = room.take(deploy(program, code, 'allow'))
  expect(giveBack([code])).toBe(false)
  expect(room.take(new Map()).machine.svm).not.toBe(machine.svm)
})

test('code that the loader refuses is not run as it was before', () => {
  const [program, code] = [fresh(), fresh()]
  const accounts = deploy(program, code, 'allow')
  expect(call(accounts, program).result.ok).toBe(true)
  const empty = owned(UPGRADEABLE_LOADER, Uint8Array.from(accounts.get(code)?.data ?? []).fill(0, 45))
  expect(call(new Map(accounts).set(code, empty), program).result.ok).toBe(false)
  expect(call(accounts, program).result.ok).toBe(true)
})

test('a machine whose own programs were overlaid or taken out is thrown away', () => {
  const first = room.take(new Map([[MEMO_PROGRAM, coins]]))
  createFork(first.machine, { accounts: new Map([[MEMO_PROGRAM, coins]]), clock, epochs: MAINNET_EPOCHS }).account(
    MEMO_PROGRAM,
  )
  expect(first.giveBack([MEMO_PROGRAM])).toBe(false)
  const second = room.take(new Map())
  expect(second.giveBack([SYSTEM_PROGRAM])).toBe(false)
})
