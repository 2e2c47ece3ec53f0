import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Chain } from '../../src/chains/chain.js'
import { createBytecodeJudge } from '../../src/checks/bytecode/bytecode-judge.js'
import { mappingSlot } from '../../src/dex/mapping-slot.js'
import { BaseError } from '../../src/errors.js'
import { type Address, toPaddedHex } from '../../src/hex.js'
import type { BlockFile } from '../../src/replay-blocks/block-file.js'
import { judgeTarget } from '../../src/reports/judge-target.js'
import { RpcRejectedError } from '../../src/rpc/node-replies.js'
import { createSimulator } from '../../src/simulation/simulator.js'
import { hasSharedData } from '../conformance/shared-data.js'
import { someOf } from '../some-of.js'
import { openWitness, type Witness } from './async-witness.js'
import { blockNames, readBlock } from './block-names.js'
import { type Case, findCases } from './find-cases.js'
import { type Engines, type Judged, judgeOnBlock } from './judge-block.js'
import { assumeUnwritten, readPeriphery, supplement } from './supplements.js'
import { blockChains } from './witness-chains.js'

/**
 * Each token with the exchanges whose pool of it a block's state holds; the number is the pool's
 * fee, or tick spacing. All are judged but `NOT_HELD`.
 */
const POOLS: Record<string, Record<string, readonly string[]>> = {
  '15050000': { USDT: ['V2'], USDC: ['V3 500'], WETH: ['counter'] },
  '15537394': { USDC: ['V3 500'], WETH: ['counter'] },
  '18884864': {
    USDT: ['V2', 'V3 3000', 'V3 500', 'V3 100'],
    USDC: ['V2', 'V3 3000', 'V3 500'],
    DAI: ['V3 3000', 'V3 500'],
    WBTC: ['V3 500'],
    WETH: ['counter'],
  },
  '21230867': { WETH: ['counter'] },
  '21688509': { LINK: ['V3 3000'], WETH: ['counter'] },
  '22615247': { WETH: ['counter'] },
  '24628607': {
    USDT: ['V3 100', 'V4 100'],
    USDC: ['V3 500', 'V3 100', 'V4 100'],
    DAI: ['V3 500'],
    WBTC: ['V3 500'],
    WETH: ['counter'],
  },
  '24628608': {
    USDT: ['V3 3000', 'V3 500', 'V3 100', 'V4 3000', 'V4 500', 'V4 100'],
    USDC: ['V2', 'V3 3000', 'V3 500', 'V3 100', 'V4 3000', 'V4 500', 'V4 100'],
    DAI: ['V2', 'V3 3000', 'V3 500'],
    WBTC: ['V3 500'],
    LINK: ['V3 500'],
    WETH: ['counter'],
  },
  '25229957': { USDT: ['V4 500'], USDC: ['V3 100'], WETH: ['counter'] },
  'op-132795025': { USDT: ['V3 500'], USDC: ['V3 500', 'Slipstream 100'], WETH: ['counter'] },
  'op-132796000': { USDT: ['V3 100', 'V4 500'], 'USDC.e': ['V3 500', 'V3 100'], WETH: ['counter'] },
  'op-132796100': { WETH: ['counter'] },
  'op-132799000': { USDC: ['V3 500'], VELO: ['Velodrome'], THALES: ['Velodrome'], WETH: ['counter'] },
  'unichain-10215000': { WETH: ['counter'] },
  'unichain-10311000': { WETH: ['counter'] },
}

/** What cannot be judged, and what the block does not hold of it. */
const NOT_HELD: Record<string, string> = {
  // What the pool has of the wrapped coin.
  'op-132796000 USDC.e V3 500':
    'slot 0x8b6cae00565de8056f496753ac5a00e899b5f230f16a83ddf0a870046cd990f3 of 0x4200000000000000000000000000000000000006',
  // What Velodrome's voter has of the pool's gauge.
  'op-132795025 USDC Slipstream 100':
    'slot 0x4f26c3876aa9f4b92579780beea1161a61f87ebf1ec6ee865b299e447ecba99c of 0x41c914ee0c7e1a5edcd0295623e6dc557b5abf3c',
}

/** Tokens whose code is exchanged by an account that the blocks do not hold. */
const CODE_NOT_HELD = ['USDC']

const ALL = Object.entries(POOLS).flatMap(([block, tokens]) =>
  Object.entries(tokens).flatMap(([token, venues]) => venues.map((venue) => ({ block, token, venue }))),
)
type Name = (typeof ALL)[number]
const nameOf = ({ block, token, venue }: Name) => `${block} ${token} ${venue}`
const named = (each: Name) => [nameOf(each), each] as const
/** One in so many is judged, other ones each day. */
const SHARE = 18
const HELD = someOf(
  ALL.filter((each) => !(nameOf(each) in NOT_HELD)),
  SHARE,
)

describe.runIf(hasSharedData())('well-known tokens in blocks of production chains', () => {
  const blocks = new Map<string, Block>()
  let engines: Engines
  beforeAll(async () => {
    engines = { simulator: createSimulator({ threads: 1 }), bytecodeJudge: createBytecodeJudge({ threads: 1 }) }
    for (const chain of blockChains) for (const [name, block] of await readBlocks(chain)) blocks.set(name, block)
  })
  afterAll(async () => {
    await engines?.simulator.close()
    await engines?.bytecodeJudge.close()
  })

  async function judge(name: Name, witnessOf: (block: Block, one: Case) => Witness) {
    const block = blocks.get(name.block) ?? expect.unreachable(name.block)
    const one = block.cases.find(({ token, venue }) => token === name.token && venue === name.venue)
    if (!one) return expect.unreachable(nameOf(name))
    const judged = await judgeOnBlock(
      { ...block, ...one, witness: witnessOf(block, one), name: `${nameOf(name)} ${witnessOf.name}` },
      engines,
    )
    return { ...judged, verdict: verdictOf(one, judged) }
  }

  test('stand on every exchange that has their pool, and on no other', () => {
    const found = [...blocks].flatMap(([block, { cases }]) => cases.map((each) => nameOf({ block, ...each })))
    expect(found.toSorted()).toEqual(ALL.map(nameOf).toSorted())
  })

  test.each(HELD.map(named))('%s is no trap, and no worse than Medium Risk', async (_, name) => {
    const { trade, honeypot, bytecode, verdict } = await judge(name, assuming)
    expect(trade).toMatchObject({ success: true, isHoneypot: false, inconclusive: undefined })
    expect(honeypot).toMatchObject({ isHoneypot: false, isTimeHoneypot: false, inconclusive: undefined })
    expect(honeypot).toMatchObject({ buyTaxBps: 0, sellTaxBps: 0, findings: [] })
    const isCodeHeld = !CODE_NOT_HELD.includes(name.token)
    expect(bytecode).toMatchObject(isCodeHeld ? { complete: true } : { failed: true })
    expect(['Safe', 'Low Risk', 'Medium Risk']).toContain(verdict.level)
    expect(verdict.isUnfinished).toBe(!isCodeHeld)
    // What L1 takes of the steps of a round trip, on chains that live on it.
    const { l1Fee = 0n } = 'l1Fee' in trade ? trade : {}
    expect(l1Fee > 0n).toBe(/^(op|unichain)-/.test(name.block))
  })

  test.each(ALL.filter((each) => nameOf(each) in NOT_HELD).map(named))(
    '%s cannot be judged, and it is said what is missing',
    async (title, name) => {
      const { trade, honeypot, verdict } = await judge(name, assuming)
      expect(refusalOf(trade)).toContain(NOT_HELD[title])
      expect(refusalOf(honeypot)).toContain(NOT_HELD[title])
      expect(verdict).toMatchObject({ level: 'Medium Risk', isUnfinished: true })
    },
  )

  test('with nothing taken as never written, what is missing is an error, and never a better verdict', async () => {
    const judged = await judge({ block: '18884864', token: 'USDT', venue: 'V2' }, holding)
    for (const report of [judged.trade, judged.honeypot, judged.bytecode])
      expect(refusalOf(report)).toMatch(/does not hold slot 0x[0-9a-f]{64} of 0x(dac17f|c02aaa)/)
    expect(judged.refused).toContain(`slot ${toPaddedHex(1n, 32)} of 0xdac17f958d2ee523a2206206994597c13d831ec7`)
    expect(judged.verdict).toMatchObject({ level: 'Medium Risk', isUnfinished: true })
  })

  test.each(HELD.filter(({ token }) => token === 'WETH').map(named))(
    '%s: the block alone proves all of a round trip',
    async (_, name) => {
      const { trade } = await judge(name, holding)
      expect(trade).toMatchObject({ success: true, isHoneypot: false, buyTaxBps: 0, sellTaxBps: 0 })
    },
  )
})

interface Block {
  file: BlockFile
  witness: Witness
  cases: readonly Case[]
  periphery: ReadonlyMap<Address, Uint8Array>
}

async function readBlocks(chain: Chain): Promise<[string, Block][]> {
  const read = blockNames().flatMap((name) => {
    const file = readBlock(name)
    return file.chainId === chain.id ? [{ name, file }] : []
  })
  const witnesses = read.map(({ file }) => openWitness(file))
  const periphery = await readPeriphery(chain, witnesses)
  return Promise.all(
    read.map(async ({ name, file }, i): Promise<[string, Block]> => {
      const witness = witnesses[i] ?? expect.unreachable()
      return [name, { file, witness, periphery, cases: await findCases(chain, witness) }]
    }),
  )
}

/**
 * What the block proves, with the code of the exchange's contracts, and its pools in the factory's
 * list.
 */
const holding = ({ witness, periphery }: Block, { registered }: Case) =>
  supplement(witness, { codes: periphery, words: registered })

/** WETH9 has name, symbol and decimals before `balanceOf`. */
const WETH_BALANCES_SLOT = 3n

/**
 * As `holding`, with slots of the token, the wrapped coin and the exchange taken as never written
 * where they are not held. What a pool has of the wrapped coin stays unknown: zero would be a pool
 * without money.
 */
function assuming(block: Block, one: Case): Witness {
  const { address, chain, factory, pools } = one
  const balances = pools
    .filter((pool) => pool !== chain.wrappedNative)
    .map((pool) => mappingSlot(WETH_BALANCES_SLOT, pool))
  const mayBe = (at: Address, slot: bigint) =>
    at === chain.wrappedNative ? !balances.includes(slot) : [address, factory, ...pools].includes(at)
  return assumeUnwritten(holding(block, one), mayBe, () => {})
}

/** What the node answered at last, as the log has it. */
function refusalOf(report: object): string {
  const error = 'error' in report ? report.error : undefined
  return (error instanceof BaseError && error.find(RpcRejectedError)?.details) || 'no refusal'
}

function verdictOf({ chain: { id }, address }: Case, { trade, honeypot, bytecode }: Judged) {
  const chain = blockChains.find((each) => each.id === id) ?? expect.unreachable(`chain ${id}`)
  const missing = { failed: true, errorReason: 'not held' } as const
  const simulation = {
    ...{ block: { number: 0n, hash: '', timestamp: 0n }, history: missing, identity: undefined },
    trade: 'failed' in trade ? missing : trade,
    bytecode: 'failed' in bytecode ? missing : bytecode,
  }
  return judgeTarget({ chain, address }, { simulation, honeypot })
}
