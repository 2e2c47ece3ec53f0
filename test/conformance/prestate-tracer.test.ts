import { describe, expect, test } from 'vitest'
import { type AccountEntry, isEmpty } from '../../src/evm/account-entry.js'
import { type Address, bytesToHex, EMPTY_CODE_HASH, type Hex, toPaddedHex, toQuantity } from '../../src/hex.js'
import { hasSharedData, readShared } from './shared-data.js'
import { runTracerFixture, type TracerFixture, type TracerRun } from './tracer-fixture.js'

interface PrestateAccount {
  balance?: Hex
  nonce?: number
  code?: Hex
  codeHash?: Hex
  storage?: Record<Hex, Hex>
}
type Prestate = Record<Address, PrestateAccount>
type Diff = { pre: Prestate; post: Prestate }

const fixtures = <T>(file: string) =>
  hasSharedData() ? Object.entries(readShared<TracerFixture<T>>('call-tracer', file)) : []

/**
 * What the fixture calls the state before, as far as it tells of an account: the pre-state we were
 * given is the same.
 */
describe.skipIf(!hasSharedData())("geth's prestate tracer tests", () => {
  test.each(fixtures<Prestate>('prestate_tracer.json.gz'))(
    '%s: the run needs these accounts and slots',
    async (_, fixture) => {
      const { world } = await runTracerFixture(fixture)
      const needed = [...world.entries()].filter(isAsked)
      const accounts = needed.map(({ address }) => address)
      expect(accounts).toEqual(expect.arrayContaining(Object.keys(fixture.result)))
      for (const [address, { storage }] of Object.entries(fixture.result)) {
        if (fixture.tracerConfig?.disableStorage) continue
        const entry = needed.find((one) => one.address === address)
        const slots = [...(entry?.slots ?? [])]
          .filter(([, { known }]) => known)
          .map(([slot]) => toPaddedHex(BigInt(slot), 32))
        expect(slots.sort()).toEqual(Object.keys(storage ?? {}).sort())
      }
    },
  )
})

describe.skipIf(!hasSharedData())("geth's prestate tracer tests in diff mode", () => {
  test.each(fixtures<Diff>('prestate_tracer_with_diff_mode.json.gz'))(
    '%s: the run changes exactly this',
    async (_, fixture) => {
      const run = await runTracerFixture(fixture)
      expect(changes(run, fixture)).toEqual(fixture.result.post)
    },
  )
})

/** Known because the run asked for it, not merely warmed. */
function isAsked({ known }: AccountEntry): boolean {
  return known
}

/** The `post` half of the diff: of each changed account what has changed. */
function changes({ world }: TracerRun, { genesis, tracerConfig = {} }: TracerFixture<Diff>): Prestate {
  const post: Prestate = {}
  for (const entry of world.entries()) {
    const old = genesis.alloc[entry.address]
    if (!entry.known || isEmpty(entry)) continue
    const account: PrestateAccount = {}
    if (entry.balance !== BigInt(old?.balance ?? 0)) account.balance = toQuantity(entry.balance)
    if (entry.nonce !== BigInt(old?.nonce ?? 0)) account.nonce = Number(entry.nonce)
    const code = bytesToHex(world.code(entry).bytes)
    if (code !== (old?.code ?? '0x')) {
      if (!tracerConfig.disableCode) account.code = code
      if (entry.codeHash !== EMPTY_CODE_HASH) account.codeHash = entry.codeHash
    }
    const storage = tracerConfig.disableStorage ? {} : changedStorage(entry, old?.storage ?? {})
    if (Object.keys(storage).length > 0) account.storage = storage
    if (Object.keys(account).length > 0) post[entry.address] = account
  }
  return post
}

/** Slots with a new value; geth leaves out those that became zero. */
function changedStorage(entry: AccountEntry, old: Record<Hex, Hex>): Record<Hex, Hex> {
  const before = new Map(Object.entries(old).map(([slot, value]) => [BigInt(slot), BigInt(value)]))
  const changed = [...entry.slots].filter(
    ([slot, { value }]) => value !== 0 && BigInt(value) !== (before.get(BigInt(slot)) ?? 0n),
  )
  return Object.fromEntries(
    changed.map(([slot, { value }]) => [toPaddedHex(BigInt(slot), 32), toPaddedHex(BigInt(value), 32)]),
  )
}
