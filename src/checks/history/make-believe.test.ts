import { describe, expect, test } from 'vitest'
import { type Address, toPaddedHex, ZERO_ADDRESS } from '../../hex.js'
import { accountsToDoubt, findEmptyTransfers } from './empty-transfers.js'
import type { TransferRecord } from './history-report.js'
import { findMakeBelieve } from './make-believe.js'

const POOL: Address = toPaddedHex(0x9001n, 20)
/** Ordinary addresses share no digits. */
const account = (index: number): Address => toPaddedHex((BigInt(index) + 1n) * 0x9e3779b97f4a7c15f39cc0605cedc834n, 20)

const transfer = (from: Address, to: Address, value = 100n): TransferRecord => ({
  hash: toPaddedHex(1n, 32),
  from,
  to,
  value,
  blockNumber: 1n,
  logIndex: 0,
  timestamp: 0,
})

const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const idsOf = (transfers: readonly TransferRecord[], pool?: Address) =>
  findMakeBelieve(transfers, pool).map(({ id }) => id)

/** Many people buying, and some selling. */
const lively = times(40, (i) => (i % 3 === 2 ? transfer(account(i - 2), POOL) : transfer(POOL, account(i))))

describe('findMakeBelieve', () => {
  test('a lively token shows no sign', () => {
    expect(idsOf(lively, POOL)).toEqual([])
  })

  test('a fifth of the transfers move nothing', () => {
    const empty = times(10, (i) => transfer(account(i), account(i + 100), 0n))
    expect(idsOf([...lively, ...empty], POOL)).toEqual(['zero-value-transfers'])
    expect(idsOf([...lively, ...empty.slice(0, 5)], POOL)).toEqual([])
  })

  test('a look-alike of a real counterparty appears in empty transfers', () => {
    const real = account(3)
    const fake: Address = `0x${real.slice(2, 6)}${'ab'.repeat(16)}${real.slice(-4)}`
    const poison = transfer(account(0), fake, 0n)
    expect(idsOf([...lively, poison], POOL)).toEqual(['look-alike-addresses'])
    // The same address with real business is a counterparty.
    expect(idsOf([...lively, transfer(account(0), fake, 5n), poison], POOL)).toEqual([])
    expect(idsOf([...lively, transfer(account(0), account(3), 0n)], POOL)).toEqual([])
  })

  test('one sender hands it to many', () => {
    const airdrop = times(30, (i) => transfer(account(999), account(i)))
    expect(idsOf(airdrop, POOL)).toEqual(['one-sender'])
    // The pool sells to many; that is what it is for.
    expect(
      idsOf(
        times(30, (i) => transfer(POOL, account(i))),
        POOL,
      ),
    ).toEqual([])
    expect(idsOf([...airdrop, ...lively], POOL)).toEqual([])
  })

  test('mints to many are an airdrop as well', () => {
    const [sign] = findMakeBelieve(
      times(30, (i) => transfer(ZERO_ADDRESS, account(i))),
      POOL,
    )
    expect(sign?.description).toBe('30 of 30 transfers are mints, to 30 accounts: handed out rather than traded.')
  })

  test('the same few trade with the pool over and over', () => {
    const wash = times(24, (i) => (i % 2 ? transfer(POOL, account(i % 3)) : transfer(account(i % 3), POOL)))
    expect(idsOf(wash, POOL)).toEqual(['few-accounts'])
    expect(idsOf(wash.slice(0, 10), POOL)).toEqual([])
  })
})

describe('events without balances', () => {
  const announced = times(12, (i) => transfer(account(i), account(i + 50)))

  test('receivers are doubted where nothing was traded', () => {
    expect(accountsToDoubt(announced, undefined)).toEqual(times(8, (i) => account(i + 50)))
    expect(accountsToDoubt([...announced, transfer(POOL, account(3))], POOL)).toEqual([])
    expect(accountsToDoubt(announced.slice(0, 9), undefined)).toEqual([])
  })

  test('who sent it on, or got nothing, need not have it', () => {
    const sentOn = times(12, (i) => transfer(account(i + 50), account(i)))
    expect(accountsToDoubt([...announced, ...sentOn], undefined)).toEqual([])
    expect(
      accountsToDoubt(
        times(12, (i) => transfer(account(i), account(i + 50), 0n)),
        undefined,
      ),
    ).toEqual([])
  })

  test('three without a balance, and half of those asked, are a sign', () => {
    const accounts = times(6, account)
    expect(findEmptyTransfers(accounts, [0n, 0n, 0n, 5n, 5n, 5n])).toHaveLength(1)
    expect(findEmptyTransfers(accounts, [0n, 0n, 5n, 5n, 5n, 5n])).toEqual([])
    expect(
      findEmptyTransfers(
        accounts,
        times(6, () => undefined),
      ),
    ).toEqual([])
  })
})
