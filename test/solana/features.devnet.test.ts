import { afterEach, expect, test } from 'vitest'
import type { SolanaTokenReport } from '../../src/checks/solana/solana-report.js'
import { createSystemClock } from '../../src/clock.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { createRpcBudget } from '../../src/rpc/budget.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import { FEATURE_PROGRAM, KNOWN_FEATURES, readInactiveFeatures } from '../../src/solana/features.js'
import { SYSTEM_PROGRAM } from '../../src/solana/programs.js'
import { OFF_AT_RELEASE, ON_AT_RELEASE } from '../../src/solana/release-features.js'
import { createSolanaRpc } from '../../src/solana/rpc/solana-rpc-client.js'
import { loadLiteSvm } from '../../src/solana/svm/load-litesvm.js'
import { createSolanaStage, type Judged, type SolanaStage } from './solana-stage.js'

/**
 * A pair of the runtime's switches (agave feature-set): the first refuses programs of the oldest
 * format, the second takes that back.
 */
const REFUSE_V0 = 'TestFeature11111111111111111111111111111111' as SolanaAddress
const ALLOW_V0_AGAIN = 'TestFeature21111111111111111111111111111111' as SolanaAddress
/** Since when. */
const SLOT = [1, 0, 0, 0, 0, 0, 0, 0]
const examples = [...RULES, ...HOOKS].filter(({ name }) => ['plain', 'hook that allows all'].includes(name))

let stage: SolanaStage | undefined
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

/**
 * A devnet on which these switches are as said, and all others as when the machine was released.
 */
async function setUp(switches: { on?: readonly SolanaAddress[]; off?: readonly SolanaAddress[]; nodes?: number }) {
  const { nodes = 1 } = switches
  stage = await createSolanaStage({ examples, nodeUrls: async (url) => Array.from({ length: nodes }, () => url) })
  const { chain } = stage.devnet
  for (const feature of switches.off ?? []) chain.remove(feature)
  for (const feature of switches.on ?? []) {
    chain.set(feature, { lamports: 1n, owner: FEATURE_PROGRAM, executable: false, data: Uint8Array.of(1, ...SLOT) })
  }
  const { check, addressOf } = stage
  return async (name: string) => (await check({ address: addressOf(name) })) as Judged<SolanaTokenReport>
}

test('the switches that are written down are those of the machine', () => {
  const { LiteSvm, FeatureSet } = loadLiteSvm()
  const known = FeatureSet.allEnabled()
    .getActiveFeatures()
    .map((id) => addressAt(new Uint8Array(id)))
  const machine = new LiteSvm()
  const isOn = (feature: SolanaAddress) => machine.getAccount(addressBytes(feature))?.data()[0] === 1
  expect([...ON_AT_RELEASE].sort()).toEqual(known.filter(isOn).sort())
  expect([...OFF_AT_RELEASE].sort()).toEqual(known.filter((feature) => !isOn(feature)).sort())
})

test('what the cluster has not switched on is read from it', async () => {
  const isForTests = (feature: SolanaAddress) => [REFUSE_V0, ALLOW_V0_AGAIN].includes(feature)
  const [some = REFUSE_V0] = KNOWN_FEATURES
  await setUp({ on: KNOWN_FEATURES.filter((feature) => !isForTests(feature)), off: [REFUSE_V0, ALLOW_V0_AGAIN] })
  const { devnet } = stage as SolanaStage
  const clock = createSystemClock()
  const rpc = createSolanaRpc({ urls: [devnet.url], clock })
  const read = () => readInactiveFeatures(rpc, createRpcBudget({ clock }))
  try {
    const never = [REFUSE_V0, ALLOW_V0_AGAIN]
    expect(await read()).toEqual(never)
    devnet.chain.remove(some)
    expect(await read()).toEqual([...never, some].sort())
    // An account that does not belong to the switches' owner is none.
    devnet.chain.set(some, {
      lamports: 1n,
      owner: SYSTEM_PROGRAM,
      executable: false,
      data: Uint8Array.of(1, ...SLOT),
    })
    expect(await read()).toEqual([...never, some].sort())
    for (const feature of KNOWN_FEATURES) devnet.chain.remove(feature)
    // No cluster runs by none of the rules: a node that says so has not been told, or lies.
    expect(await read()).toBeUndefined()
  } finally {
    await rpc.close()
  }
})

test('programs that the cluster would not run do not run here either', async () => {
  const ask = await setUp({ on: [REFUSE_V0], off: [ALLOW_V0_AGAIN], nodes: 2 })
  const report = await ask('hook that allows all')
  expect(report.gaps).toEqual([])
  expect(report.windows[0]?.sell.ok).toBe(false)
})

test('that nearly all programs have ended is not believed of one node', async () => {
  const ask = await setUp({ on: [REFUSE_V0], off: [ALLOW_V0_AGAIN] })
  const report = await ask('hook that allows all')
  expect(report.gaps).toEqual(['no node said which rules of the runtime are in force'])
  expect(report.windows[0]?.sell.ok).toBe(true)
})

test('and run where both switches are off, as on mainnet', async () => {
  const ask = await setUp({ off: [REFUSE_V0, ALLOW_V0_AGAIN] })
  expect(await ask('plain')).toMatchObject({ gaps: [], level: 'Safe' })
  const [now] = (await ask('hook that allows all')).windows
  expect(now).toMatchObject({ buyTaxBps: 0, sellTaxBps: 0, sell: { ok: true } })
})

test('a cluster whose rules nobody knows is said to be one, and nothing on it is called safe', async () => {
  const ask = await setUp({ off: KNOWN_FEATURES })
  const report = await ask('plain')
  expect(report.gaps).toEqual(['no node said which rules of the runtime are in force'])
  expect(report.level).toBe('Medium Risk')
  expect(report.windows[0]?.sell.ok).toBe(true)
})
