import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SolanaChain } from '../../src/devnet/solana/cluster.js'
import { addressFor, placeToken } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import { extension } from '../../src/devnet/solana/token-data.js'
import { assemble, type Slot } from './sbf-assembler.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/**
 * Hooks that go by a calendar: sales are refused in some parts of a cycle, and in none of the three
 * windows. The twin asks the same of the same clock, and refuses nothing.
 */
interface Calendar {
  name: string
  /** Where it stands in a clock: slot, epoch, time. */
  at: 0 | 16 | 32
  /** One part of the cycle, and how many there are. */
  part: number
  parts: number
  /** Parts in which sales go through, counted from the one that it is now. */
  open: readonly number[]
  by?: 'comparing' | 'mask' | 'loop' | 'table'
}

const [SLOT, EPOCH, TIME] = [0, 16, 32] as const
const HOUR = 3_600
const DAY = 86_400
const upTo = (end: number) => Array.from({ length: end }, (_, i) => i)

const CALENDARS: readonly Calendar[] = [
  { name: 'two days of the week', at: TIME, part: DAY, parts: 7, open: [0, 1] },
  { name: 'two days of the week, by a mask', at: TIME, part: DAY, parts: 7, open: [0, 1], by: 'mask' },
  { name: 'two days of the week, by a loop', at: TIME, part: DAY, parts: 7, open: [0, 1], by: 'loop' },
  { name: 'two days of the week, by a table', at: TIME, part: DAY, parts: 7, open: [0, 1], by: 'table' },
  { name: 'six days of the week', at: TIME, part: DAY, parts: 7, open: [0, 1, 2, 3, 4, 5] },
  { name: 'the day after tomorrow is shut', at: TIME, part: DAY, parts: 7, open: [0, 1, 3, 4, 5, 6] },
  { name: 'twenty hours of the day', at: TIME, part: HOUR, parts: 24, open: upTo(20) },
  { name: 'eleven days of the fortnight', at: TIME, part: DAY, parts: 14, open: upTo(11) },
  { name: 'a few epochs', at: EPOCH, part: 1, parts: 9, open: upTo(6) },
  { name: 'half of the slots of a day', at: SLOT, part: 27_000, parts: 8, open: upTo(4) },
]

const CLOCK_BYTES = 64
const REFUSED = 0x1773

/** Register 3 holds the part of the cycle, counted from now; the slot behind the last refuses. */
const DECIDE: Readonly<Record<NonNullable<Calendar['by']>, (calendar: Calendar) => Slot[]>> = {
  comparing: ({ open }) => open.map((day, i) => ({ code: 0x15, to: 3, immediate: day, offset: open.length - i })),
  mask: ({ open }) => [
    { code: 0xb7, to: 4, immediate: open.reduce((mask, day) => mask | (1 << day), 0) },
    { code: 0x7f, to: 4, from: 3 },
    { code: 0x57, to: 4, immediate: 1 },
    { code: 0x15, to: 4, immediate: 1, offset: 1 },
  ],
  loop: ({ open }) => [
    { code: 0xb7, to: 5, immediate: 0 },
    { code: 0x1d, to: 3, from: 5, offset: 3 },
    { code: 0x07, to: 5, immediate: 1 },
    { code: 0xa5, to: 5, immediate: open.length, offset: -3 },
  ],
  table: ({ parts, open }) => [
    ...upTo(parts).map((day) => ({
      code: 0x72,
      to: 10,
      offset: day - TABLE_AT,
      immediate: open.includes(day) ? 1 : 0,
    })),
    { code: 0xbf, to: 5, from: 10 },
    { code: 0x0f, to: 5, from: 3 },
    { code: 0x71, to: 4, from: 5, offset: -TABLE_AT },
    { code: 0x15, to: 4, immediate: 1, offset: 1 },
  ],
}
const TABLE_AT = 128

function hookOf(calendar: Calendar, now: number, refuses: boolean): Uint8Array {
  const { at, part, parts, by = 'comparing' } = calendar
  return assemble(0, [
    ...readClock(at),
    { code: 0x37, to: 3, immediate: part },
    { code: 0x07, to: 3, immediate: parts - now },
    { code: 0x97, to: 3, immediate: parts },
    { code: 0xb7, to: 0, immediate: 0 },
    ...DECIDE[by](calendar),
    { code: 0xb7, to: 0, immediate: refuses ? REFUSED : 0 },
    { code: 0x95 },
  ])
}

/** Into register 3. */
const readClock = (at: number): Slot[] => [
  { code: 0xbf, to: 1, from: 10 },
  { code: 0x07, to: 1, immediate: -CLOCK_BYTES },
  { code: 0x85, call: 'sol_get_clock_sysvar' },
  { code: 0x79, to: 3, from: 10, offset: at - CLOCK_BYTES },
]

/** From two to five o'clock of one day of the week. */
const hookOfHours = (day: number, refuses: boolean): Uint8Array =>
  assemble(0, [
    ...readClock(TIME),
    { code: 0xbf, to: 4, from: 3 },
    { code: 0x37, to: 3, immediate: DAY },
    { code: 0x97, to: 3, immediate: 7 },
    { code: 0x37, to: 4, immediate: HOUR },
    { code: 0x97, to: 4, immediate: 24 },
    { code: 0xb7, to: 0, immediate: 0 },
    { code: 0x55, to: 3, immediate: day, offset: 3 },
    { code: 0xa5, to: 4, immediate: 2, offset: 2 },
    { code: 0x35, to: 4, immediate: 5, offset: 1 },
    { code: 0xb7, to: 0, immediate: refuses ? REFUSED : 0 },
    { code: 0x95 },
  ])

const partNow = ({ clock }: SolanaChain, { at, part, parts }: Calendar) => {
  const value = at === SLOT ? clock.slot : at === EPOCH ? clock.epoch : clock.unixTime
  return Number((value / BigInt(part)) % BigInt(parts))
}

interface Row {
  name: string
  isTrap: boolean
  /** What cannot be computed backwards cannot be explained. */
  isExplained: boolean
  example: SolanaExample
}

const rowsOf = (
  rule: string,
  isExplained: boolean,
  code: (chain: SolanaChain, refuses: boolean) => Uint8Array,
): Row[] =>
  [true, false].map((isTrap) => {
    const name = `${rule}, ${isTrap ? 'trap' : 'twin'}`
    const example: SolanaExample = {
      name,
      summary: name,
      expect: { trustStatus: isTrap ? 'Critical Risk' : 'Low Risk' },
      place(chain) {
        const hook = addressFor(`hook of ${name}`, 'program')
        chain.deploy(hook, code(chain, isTrap))
        return placeToken(chain, name, { extensions: [extension.transferHook(undefined, hook)] }).mint
      },
    }
    return { name, isTrap, isExplained, example }
  })

const rows = [
  ...CALENDARS.flatMap((calendar) =>
    rowsOf(calendar.name, calendar.by !== 'table', (chain, refuses) =>
      hookOf(calendar, partNow(chain, calendar), refuses),
    ),
  ),
  ...rowsOf('three hours of one day', true, ({ clock }, refuses) =>
    hookOfHours(Number((clock.unixTime / BigInt(DAY) + 4n) % 7n), refuses),
  ),
]

let stage: SolanaStage
beforeAll(async () => {
  stage = await createSolanaStage({ examples: rows.map(({ example }) => example) })
})
afterAll(() => stage.close())

async function ask(name: string) {
  const report = await stage.check({ address: stage.addressOf(name) })
  if (report.kind !== 'token') throw new Error('no token')
  expect(report.windows.map(({ sell }) => sell.ok)).toEqual([true, true, true])
  return report
}

describe('sales are refused in parts of a cycle', () => {
  test.each(rows.filter(({ isTrap }) => isTrap))('$name', async ({ name }) => {
    expect(await ask(name)).toMatchObject({ level: 'Critical Risk', isTimeHoneypot: true })
  })
})

describe('the same clock, and nothing refused', () => {
  test.each(rows.filter(({ isTrap }) => !isTrap))('$name', async ({ name, isExplained }) => {
    const report = await ask(name)
    const level = isExplained ? 'Low Risk' : 'High Risk'
    expect(report).toMatchObject({ level, isTimeHoneypot: false, play: { hook: { isExplained, harmful: [] } } })
  })
})
