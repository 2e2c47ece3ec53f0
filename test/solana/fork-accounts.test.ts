import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SolanaAccount } from '../../src/solana/account.js'
import { addressAt, type SolanaAddress } from '../../src/solana/address.js'
import { MAINNET_EPOCHS, parseClock } from '../../src/solana/cluster-clock.js'
import { packed, writable, writableSigner } from '../../src/solana/instruction.js'
import { CLOCK_SYSVAR, SYSTEM_PROGRAM } from '../../src/solana/programs.js'
import { createFork } from '../../src/solana/svm/fork.js'
import { loadLiteSvm } from '../../src/solana/svm/load-litesvm.js'
import { createMachineRoom } from '../../src/solana/svm/svm-machine.js'

/**
 * What a fork has read of an account it reads again only after something could have changed it:
 * what is told is always what the machine holds.
 */
const COINS = 1_000_000_000n
const FEE = 5_000n
const clock = { slot: 400_000_000n, epochStart: 0n, epoch: 900n, leaderEpoch: 901n, unixTime: 1_700_000_000n }
const fresh = (): SolanaAddress => addressAt(randomBytes(32))
const wallet = (lamports: bigint): SolanaAccount => ({
  lamports,
  owner: SYSTEM_PROGRAM,
  executable: false,
  data: new Uint8Array(),
})
const [payer, friend] = [fresh(), fresh()]
const pay = (to: SolanaAddress, lamports: bigint) => ({
  program: SYSTEM_PROGRAM,
  accounts: [writableSigner(payer), writable(to)],
  data: packed([32, 2], [64, lamports]),
})

function openFork() {
  const accounts = new Map([
    [payer, wallet(COINS)],
    [friend, wallet(COINS)],
  ])
  const { machine } = createMachineRoom(loadLiteSvm()).take(accounts)
  const fork = createFork(machine, { accounts, clock, epochs: MAINNET_EPOCHS })
  const coinsOf = (address: SolanaAddress) => fork.account(address)?.lamports
  return { fork, coinsOf, both: () => [coinsOf(payer), coinsOf(friend)] }
}

test('accounts are told as the last transaction left them', () => {
  const { fork, both } = openFork()
  expect(both()).toEqual([COINS, COINS])
  expect(fork.send(payer, [pay(friend, 7n)]).ok).toBe(true)
  expect(both()).toEqual([COINS - FEE - 7n, COINS + 7n])
  fork.set(friend, wallet(3n))
  expect(both()).toEqual([COINS - FEE - 7n, 3n])
  fork.restore()
  expect(both()).toEqual([COINS, COINS])
})

test('a simulation tells of each account what it would be, and changes none', () => {
  const { fork, both } = openFork()
  const stranger = fresh()
  fork.invent(stranger)
  const result = fork.simulate(payer, [pay(friend, 7n), pay(stranger, COINS / 10n)])
  expect([payer, friend, stranger].map(result.lamportsAfter)).toEqual([
    COINS - FEE - 7n - COINS / 10n,
    COINS + 7n,
    COINS / 10n,
  ])
  expect(result.lamportsAfter(fresh())).toBeUndefined()
  expect(both()).toEqual([COINS, COINS])
})

test('the clock is told as it is set', () => {
  const { fork } = openFork()
  const time = () => parseClock(fork.account(CLOCK_SYSVAR)?.data ?? new Uint8Array())?.unixTime
  expect(time()).toBe(clock.unixTime)
  fork.moveTo(86_400)
  expect(time()).toBe(clock.unixTime + 86_400n)
})

test('what was read before is not changed by what comes after', () => {
  const { fork } = openFork()
  const before = fork.account(payer)
  fork.send(payer, [pay(friend, 7n)])
  expect(before?.lamports).toBe(COINS)
})

test('of what was set last a transaction hears, and the machine of nothing else', () => {
  const { fork, both } = openFork()
  const stranger = fresh()
  fork.invent(stranger)
  fork.set(stranger, wallet(COINS))
  fork.set(friend, wallet(1n))
  fork.set(friend, wallet(COINS / 2n))
  expect(fork.send(payer, [pay(friend, 7n)]).ok).toBe(true)
  expect(both()).toEqual([COINS - FEE - 7n, COINS / 2n + 7n])
  expect(fork.account(stranger)).toEqual(wallet(COINS))
  expect([...fork.changed]).not.toContain(stranger)
})

test('an account that is left without coins is none, before a transaction and after it', () => {
  const { fork, both } = openFork()
  fork.set(friend, wallet(0n))
  expect(both()).toEqual([COINS, undefined])
  expect(fork.simulate(payer, [pay(friend, 1n)]).ok).toBe(false)
  fork.set(payer, undefined)
  expect(fork.simulate(payer, [pay(friend, COINS / 2n)]).ok).toBe(false)
  fork.restore()
  expect(fork.simulate(payer, [pay(friend, COINS / 2n)]).ok).toBe(true)
})
