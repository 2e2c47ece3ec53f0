import { expect, test, vi } from 'vitest'
import { createManualClock } from '../clock.js'
import type { Family } from '../reports/family.js'
import type { FamilyQuestion } from './family-store.js'
import { createFamilyMemory } from './remember-families.js'

const NONE = { copies: 0, hostile: 0, turned: 0 }
const familyOf = (copies: number): Family => ({
  ...{
    ...NONE,
    copies,
    code: '0x01',
    isMore: false,
    alike: NONE,
    creatorsOfHostile: 0,
    since: undefined,
    imported: [],
  },
})
const QUESTION: FamilyQuestion = {
  ...{ chainId: 1, address: `0x${'a'.repeat(40)}`, code: '0x01', behaviour: 'calm' },
}

function open() {
  const clock = createManualClock()
  let copies = 0
  const read = vi.fn(async () => familyOf(copies++))
  const store = { read, record: async () => {}, forgetOld: async () => {} }
  const memory = createFamilyMemory({ store, clock, onFailure: (error) => expect.unreachable(String(error)) })
  const ask = async (change: Partial<FamilyQuestion> = {}) =>
    (await memory.tell({ ...QUESTION, ...change }, undefined))?.copies
  return { clock, read, ask }
}

test('a family is read once for the questions of some seconds about one token', async () => {
  const { clock, read, ask } = open()
  expect([await ask(), await ask(), await ask()]).toEqual([0, 0, 0])
  clock.advance(1_999)
  expect(await ask()).toBe(0)
  clock.advance(1)
  expect(await ask()).toBe(1)
  expect(read).toHaveBeenCalledTimes(2)
})

test('another token, another chain, other code and other behaviour are questions of their own', async () => {
  const { ask } = open()
  const others = [{ address: `0x${'b'.repeat(40)}` as const }, { chainId: 56 }, { code: '0x02' as const }]
  expect([await ask(), ...(await Promise.all(others.map((other) => ask(other))))]).toEqual([0, 1, 2, 3])
  expect([await ask({ behaviour: 'wild' }), await ask({ behaviour: undefined }), await ask()]).toEqual([4, 5, 0])
})

test('what could not be read is asked for again', async () => {
  const onFailure = vi.fn()
  const read = vi.fn(async () => familyOf(3)).mockRejectedValueOnce(new Error('gone'))
  const store = { read, record: async () => {}, forgetOld: async () => {} }
  const memory = createFamilyMemory({ store, clock: createManualClock(), onFailure })
  expect(await memory.tell(QUESTION, undefined)).toBeUndefined()
  expect((await memory.tell(QUESTION, undefined))?.copies).toBe(3)
  expect(onFailure).toHaveBeenCalledTimes(1)
})
