import { expect, test } from 'vitest'
import { addressFor } from '../devnet/solana/scene.js'
import { extension, mintAccount, tokenAccount } from '../devnet/solana/token-data.js'
import type { SolanaAccount } from './account.js'
import { ACCOUNT_WORDS, readAccountWords, WATCHED_BYTES } from './account-words.js'
import { layoutOf, sampleKey, samplePool } from './pools/sample-pool.conformance.js'

const AT = sampleKey(1)
const owner = addressFor('owner')
const words = (account: SolanaAccount | undefined) => {
  const read = readAccountWords(AT, account)
  return Object.values(ACCOUNT_WORDS).map((slot) => read.get(slot) ?? 0n)
}
const mint = (bps: number, authority = owner, supply = 5n) =>
  mintAccount({ supply, mintAuthority: authority, extensions: [extension.transferFee({ authority, bps })] })

test('a mint has other words when its rules or its holders change, and the same when it is traded', () => {
  const [state, holders] = words(mint(1))
  expect(words(mint(1, owner, 9n)).slice(0, 2)).toEqual([state, holders])
  const withheld = mint(1)
  new DataView(withheld.data.buffer).setBigUint64(166 + 4 + 64, 77n, true)
  expect(words(withheld).slice(0, 2)).toEqual([state, holders])
  const dearer = words(mint(2))
  expect([dearer[0] === state, dearer[1] === holders]).toEqual([false, true])
  const sold = words(mint(1, addressFor('heir')))
  expect([sold[0] === state, sold[1] === holders]).toEqual([true, false])
})

test('a token account tells what it holds, and whether it is frozen', () => {
  const of = (amount: bigint, frozen: boolean) =>
    words(tokenAccount({ mint: AT, mintAccount: mintAccount({ supply: 1n }), owner, amount, frozen }))
  expect(of(7n, false)).toEqual([1n, 0n, 7n])
  expect(of(7n, true)).toEqual([2n, 0n, 7n])
})

test('a pool has another state when it is shut, and the same when it is traded in', () => {
  const layout = layoutOf('raydium-cpmm')
  const open = words(samplePool(layout))
  expect(words(samplePool(layout, (view) => view.setBigUint64(333, 5n, true)))).toEqual(open)
  expect(words(samplePool(layout, (view) => view.setUint8(329, 4)))).not.toEqual(open)
})

test('what is there no more, and what lies beyond what is looked at, says nothing', () => {
  expect(words(undefined)).toEqual([0n, 0n, 0n])
  const data = new Uint8Array(WATCHED_BYTES + 10)
  const account = { lamports: 1n, owner, executable: false, data }
  const longer = { ...account, data: Uint8Array.from(data).fill(1, WATCHED_BYTES) }
  expect(words(longer)).toEqual(words(account))
  expect(words({ ...account, data: Uint8Array.from(data).fill(1, 0, 1) })).not.toEqual(words(account))
})
