import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressFor, hookEntry, placeHook, placeHookList, placeToken } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import { extension } from '../../src/devnet/solana/token-data.js'
import { assemble, type Slot } from './sbf-assembler.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/**
 * Hooks in the newer versions of programs: what they decide by is found as in the oldest, and the
 * twin that looks at the same clock and refuses nothing is calm.
 */
const VERSIONS = [0, 1, 2, 3]
const MONTH_SECONDS = 30 * 86_400
/** Of a clock: slot, start of the epoch, epoch, leaders' epoch, time. */
const UNIX_TIME_AT = 32
const CLOCK_BYTES = 64
const REFUSED = 0x1773

/** Refuses everything from `seconds` since 1970 on, or logs that it would. */
function hookOf(version: number, seconds: number, refuses: boolean): Uint8Array {
  const movesFrames = version === 1 || version === 2
  const clockAt = movesFrames ? 0 : -CLOCK_BYTES
  const slots: Slot[] = [
    ...(movesFrames ? [{ code: 0x07, to: 10, immediate: -CLOCK_BYTES }] : []),
    { code: 0xbf, to: 1, from: 10 },
    { code: 0x07, to: 1, immediate: clockAt },
    { code: 0x85, call: 'sol_get_clock_sysvar' },
    { code: version === 2 ? 0x9c : 0x79, to: 3, from: 10, offset: clockAt + UNIX_TIME_AT },
    { code: 0xb7, to: 0, immediate: 0 },
    { code: 0xa5, to: 3, immediate: seconds, offset: 1 },
    { code: 0xb7, to: 0, immediate: refuses ? REFUSED : 0 },
    { code: 0x95 },
  ]
  return assemble(version, slots)
}

const rows = VERSIONS.flatMap((version) =>
  [true, false].map((isTrap) => ({ version, isTrap, name: `version ${version}, ${isTrap ? 'trap' : 'twin'}` })),
)

interface Asked {
  name: string
  /** What the program that is asked does. */
  refuses: boolean
  isReplaceable: boolean
}

const ASKED: readonly Asked[] = [
  { name: 'asks one that refuses later', refuses: true, isReplaceable: false },
  { name: 'asks one that refuses nothing', refuses: false, isReplaceable: false },
  { name: 'asks one that can be replaced', refuses: false, isReplaceable: true },
]

/** The hook calls the program, which decides. */
const askers = ASKED.map(
  ({ name, refuses, isReplaceable }): SolanaExample => ({
    name,
    summary: name,
    expect: { trustStatus: refuses ? 'Critical Risk' : 'Low Risk' },
    place(chain) {
      const asked = addressFor(`asked by ${name}`, 'program')
      const seconds = Number(chain.clock.unixTime) + MONTH_SECONDS
      chain.deploy(asked, hookOf(0, seconds, refuses), isReplaceable ? addressFor('author') : undefined)
      const hook = placeHook(chain, name, { behaviour: 'ask-another' })
      const { mint } = placeToken(chain, name, { extensions: [extension.transferHook(undefined, hook)] })
      placeHookList(chain, hook, mint, [hookEntry.literal(asked)])
      return mint
    },
  }),
)

const programs = rows.map(
  ({ version, isTrap, name }): SolanaExample => ({
    name,
    summary: name,
    expect: { trustStatus: isTrap ? 'Critical Risk' : 'Low Risk' },
    place(chain) {
      const hook = addressFor(`hook of ${name}`, 'program')
      chain.deploy(hook, hookOf(version, Number(chain.clock.unixTime) + MONTH_SECONDS, isTrap))
      return placeToken(chain, name, { extensions: [extension.transferHook(undefined, hook)] }).mint
    },
  }),
)

let stage: SolanaStage
beforeAll(async () => {
  stage = await createSolanaStage({ examples: [...programs, ...askers] })
})
afterAll(() => stage.close())

describe.each(VERSIONS)('version %i', (version) => {
  test('a month from now on', async () => {
    const report = await stage.check({ address: stage.addressOf(`version ${version}, trap`) })
    expect(report).toMatchObject({ level: 'Critical Risk', isTimeHoneypot: true, play: { hook: { unread: [] } } })
  })

  test('the same clock, and nothing refused', async () => {
    const report = await stage.check({ address: stage.addressOf(`version ${version}, twin`) })
    expect(report).toMatchObject({ level: 'Low Risk', play: { hook: { isExplained: true, harmful: [] } } })
  })
})

describe('a hook that asks another program', () => {
  test('which refuses a month from now on', async () => {
    const report = await stage.check({ address: stage.addressOf('asks one that refuses later') })
    expect(report).toMatchObject({ level: 'Critical Risk', isTimeHoneypot: true, play: { hook: { unread: [] } } })
  })

  test('which refuses nothing, and never will', async () => {
    const report = await stage.check({ address: stage.addressOf('asks one that refuses nothing') })
    expect(report).toMatchObject({ level: 'Low Risk', play: { hook: { isExplained: true, harmful: [] } } })
  })

  test('which may refuse tomorrow', async () => {
    const report = await stage.check({ address: stage.addressOf('asks one that can be replaced') })
    expect(report).toMatchObject({ level: 'High Risk', play: { hook: { isExplained: false } } })
  })
})
