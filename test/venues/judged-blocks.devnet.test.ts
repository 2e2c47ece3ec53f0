import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../src/hex.js'
import { listOnV2 } from '../dex/list-pool.js'
import { createStage, type Stage } from '../dex/venue-stage.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from '../traps/checks-on-devnet.js'

/** Its blocks come every two seconds, so that a head is soon asked for again. */
const BASE = 8_453
const ASKED_AGAIN_MS = 2_200

let checks: ChecksOnDevnet
let stage: Stage
let played: string[] = []

beforeAll(async () => {
  checks = await startChecksOnDevnet(BASE, true, ({ scenario }) => played.push(scenario))
  stage = await createStage(checks.devnet)
})
afterAll(() => checks?.stop())

async function list(name: string): Promise<Address> {
  const [v2] = stage.chain.v2
  if (!v2) throw new Error('this chain has no V2')
  const token = await stage.deploy(name)
  const [tokenAmount, quoteAmount] = [parseEther('200000'), parseEther('40')]
  await listOnV2(v2)(stage, { token, quote: stage.chain.wrappedNative, tokenAmount, quoteAmount })
  return token
}

/** The next block, and what is said of the token then. */
async function askLater(token: Address) {
  played = []
  await checks.devnet.node.call('evm_mine')
  const head = BigInt(await checks.devnet.node.call<string>('eth_blockNumber'))
  await sleep(ASKED_AGAIN_MS)
  const assessment = await checks.assess(token)
  const { simulation, honeypot, phishing } = assessment
  const blocks = [simulation, honeypot, phishing].map((part) =>
    part && 'block' in part ? part.block.number : undefined,
  )
  return { ...assessment, blocks, head }
}

const SET = parseAbi(['function setClosed(bool)'])

test('a token of which nothing has changed is judged at its last block, and not anew', async () => {
  const token = await list('SmallTax')
  const first = await askLater(token)
  expect(first.blocks).toEqual([first.head, first.head, first.head])
  expect(played).toContain('sweepPowers')
  const again = await askLater(token)
  expect(again.head).toBeGreaterThan(first.head)
  expect(again.blocks).toEqual(first.blocks)
  expect(again.verdict).toEqual(first.verdict)
  expect(played.filter((scenario) => scenario !== 'roundTrip')).toEqual([])
})

test('a switch that its owner turns is seen at the next block', async () => {
  const token = await list('OwnerCanClose')
  const open = await askLater(token)
  expect(open.honeypot).toMatchObject({ isHoneypot: false })
  await stage.send({ to: token, data: encodeFunctionData({ abi: SET, functionName: 'setClosed', args: [true] }) })
  const closed = await askLater(token)
  expect(closed.blocks).toEqual([closed.head, closed.head, closed.head])
  expect(closed.honeypot).toMatchObject({ isHoneypot: true })
  await stage.send({ to: token, data: encodeFunctionData({ abi: SET, functionName: 'setClosed', args: [false] }) })
  expect((await askLater(token)).honeypot).toMatchObject({ isHoneypot: false })
})

test('a trade of others in its pool has it judged anew', async () => {
  const token = await list('Clean')
  const first = await askLater(token)
  const [v2] = stage.chain.v2
  const BUY = parseAbi([
    'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256, address[], address, uint256) payable',
  ])
  await stage.send({
    to: v2?.router ?? '0x',
    value: parseEther('1'),
    data: encodeFunctionData({ abi: BUY, args: [0n, [stage.chain.wrappedNative, token], stage.issuer, 1n << 40n] }),
  })
  const second = await askLater(token)
  expect(second.blocks).toEqual([second.head, second.head, second.head])
  expect(second.head).toBeGreaterThan(first.head)
  expect(played).toContain('sweepPowers')
})
