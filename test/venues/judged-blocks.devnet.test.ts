import { setTimeout as sleep } from 'node:timers/promises'
import { type Abi, encodeFunctionData, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roundTrip } from '../../src/checks/trade/round-trip.js'
import { createSystemClock } from '../../src/clock.js'
import { readContract } from '../../src/devnet/artifacts.js'
import { L1_BLOCK } from '../../src/evm/op-fees.js'
import { type Address, type Hex, toPaddedHex, toQuantity } from '../../src/hex.js'
import { keccak256 } from '../../src/keccak.js'
import { createRpcClient } from '../../src/rpc/rpc-client.js'
import { createSimulator } from '../../src/simulation/simulator.js'
import { keyOf } from '../../src/state/known-state.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { listOnV2 } from '../dex/list-pool.js'
import { createStage, type Stage } from '../dex/venue-stage.js'
import { threadsOfWorker } from '../threads-of-worker.js'
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

async function list(name: string, args: readonly unknown[] = []): Promise<Address> {
  const [v2] = stage.chain.v2
  if (!v2) throw new Error('this chain has no V2')
  const token = await stage.deploy(name, args)
  const [tokenAmount, quoteAmount] = [parseEther('200000'), parseEther('40')]
  await listOnV2(v2)(stage, { token, quote: stage.chain.wrappedNative, tokenAmount, quoteAmount })
  return token
}

type Wishes = NonNullable<Parameters<ChecksOnDevnet['assess']>[1]>

/** The next block, and what is said of the token then. */
async function askLater(token: Address, wishes: Wishes = {}) {
  played = []
  await checks.devnet.node.call('evm_mine')
  const head = BigInt(await checks.devnet.node.call<string>('eth_blockNumber'))
  await sleep(ASKED_AGAIN_MS)
  const assessment = await checks.assess(token, wishes)
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

test('one that is asked about at head after head is judged anew while its block still stands', async () => {
  const token = await list('SmallTax')
  const first = await askLater(token)
  const askInSeconds = async (seconds: number) => {
    await checks.devnet.node.call('evm_increaseTime', seconds)
    return askLater(token)
  }
  await askInSeconds(12)
  // Twenty seconds before the sixty are over, of which up to twenty are less by its address.
  const last = await askInSeconds(26 - Number(BigInt(token) % 20n))
  expect(last.blocks).toEqual(first.blocks)
  await expect.poll(() => played, { timeout: 20_000 }).toContain('sweepPowers')
  await expect
    .poll(async () => (await askLater(token)).blocks, { timeout: 30_000 })
    .toEqual([last.head, last.head, last.head])
  expect((await askLater(token)).blocks).toEqual([last.head, last.head, last.head])
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

const router = () => stage.chain.v2[0]?.router ?? '0x'
const weth = () => stage.chain.wrappedNative
const account = (index: number): Address => checks.devnet.accounts[index]?.address ?? '0x'
const data = (signature: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never) as Abi, args })

/** From an account that has to do with no token. */
async function sendFrom(index: number, call: { to: Address; data?: Hex; value?: bigint }) {
  const fields = {
    data: '0x',
    ...call,
    from: account(index),
    value: toQuantity(call.value ?? 0n),
    gas: toQuantity(GAS),
  }
  const { status } = await checks.devnet.node.call<{ status: Hex }>('eth_sendTransactionSync', fields)
  if (status !== '0x1') throw new Error(`a transaction to ${call.to} failed`)
}
const GAS = 1_000_000n
const deposit = (index: number, coins: string) =>
  sendFrom(index, { to: weth(), value: parseEther(coins), data: data('deposit() payable') })

interface Scene {
  token: Address
  change(): Promise<unknown>
  wishes?: Wishes
}

/** What changes is no word of the token's, or none that the first question asked for. */
const TELLING: Record<string, () => Promise<Scene>> = {
  async 'coins of the wrapped coin, for which the token asks'() {
    await deposit(2, '3000')
    const token = await list('StaleWeth', [router()])
    const withdraw = data('withdraw(uint256)', [parseEther('3000')])
    return { token, change: () => sendFrom(2, { to: weth(), data: withdraw }) }
  },
  async 'coins of the router, for which the token asks'() {
    const token = await list('StaleRouterCoins', [router()])
    return { token, change: () => checks.devnet.node.call('anvil_setBalance', router(), toQuantity(parseEther('2'))) }
  },
  async 'the height of the chain below'() {
    const set = (height: bigint) =>
      checks.devnet.node.call('anvil_setStorageAt', L1_BLOCK, toPaddedHex(0n, 32), toPaddedHex(height, 32))
    await checks.devnet.node.call('anvil_setCode', L1_BLOCK, readContract('StaleL1Stub').runtimeBytecode)
    await set(0n)
    return { token: await list('StaleL1', [router()]), change: () => set(40n) }
  },
  async 'what blocks cost'() {
    const token = await list('StaleBaseFee', [router()])
    const fee = toQuantity(6_000_000_000n)
    return { token, change: () => checks.devnet.node.call('anvil_setNextBlockBaseFeePerGas', fee) }
  },
  async 'a member of a role, whom an event names'() {
    const token = await list('StaleRoles', [router()])
    const role = keccak256(Buffer.from('MINTER_ROLE'))
    return {
      token,
      change: () => stage.send({ to: token, data: data('grantRole(bytes32, address)', [role, account(3)]) }),
    }
  },
  async 'what is noted of the wallet that asks'() {
    const token = await stage.deploy('StaleClaims', [weth()])
    await deposit(5, '10')
    await sendFrom(5, { to: weth(), data: data('approve(address, uint256)', [token, parseEther('10')]) })
    const note = data('note(address, uint256)', [account(5), parseEther('10')])
    const wallet = { from: account(5), to: token, calldata: data('claim()') } as const
    return { token, change: () => stage.send({ to: token, data: note }), wishes: { wallet } }
  },
}

test.each(Object.keys(TELLING))('it is judged at the head when something else has changed: %s', async (name) => {
  const scene = await TELLING[name]?.()
  if (!scene) throw new RangeError(name)
  const { token, change, wishes = {} } = scene
  const calm = await askLater(token)
  expect(calm.blocks).toEqual([calm.head, calm.head, calm.head])
  await change()
  const again = await askLater(token, wishes)
  expect(again.blocks).toEqual([again.head, again.head, again.head])
  const afresh = await checks.assessAfresh(token, wishes)
  expect(again.verdict).toMatchObject({ level: afresh.verdict.level, score: afresh.verdict.score })
})

const NOTHING_TO_DO_WITH_IT: Record<string, () => Promise<Scene>> = {
  async 'coins of the wrapped coin, for which no code asks'() {
    return { token: await list('Clean'), change: () => deposit(7, '1') }
  },
  async 'what its owner does elsewhere'() {
    return { token: await list('OwnerCanClose'), change: () => stage.send({ to: account(9), data: '0x', value: 1n }) }
  },
}

test.each(Object.keys(NOTHING_TO_DO_WITH_IT))('it is judged at its last block all the same: %s', async (name) => {
  const scene = await NOTHING_TO_DO_WITH_IT[name]?.()
  if (!scene) throw new RangeError(name)
  const first = await askLater(scene.token)
  await scene.change()
  const again = await askLater(scene.token)
  expect(again.blocks).toEqual(first.blocks)
  expect(again.verdict).toEqual(first.verdict)
})

test('what one target has seen of a contract is seen again when that contract is asked about', async () => {
  const spender = await stage.deploy('StaleClaims', [weth()])
  const approve = data('approve(address, uint256)', [spender, 1n])
  const wallet = { from: account(5), to: weth(), calldata: approve } as const
  await askLater(weth(), { wallet })
  expect(played).toContain('probeTarget')
  played = []
  await checks.assess(spender)
  expect(played).toContain('probeTarget')
})

test('a run that is spared the look for markets rests on what was read for it', async () => {
  const token = await list('Clean')
  const { node, url, chain } = checks.devnet
  await node.call('evm_mine')
  const clock = createSystemClock()
  const rpc = createRpcClient({
    urls: [url],
    chainId: chain.id,
    clock,
    limits: { maxHeadAgeMs: Number.POSITIVE_INFINITY },
  })
  const simulator = createSimulator({ threads: threadsOfWorker().trades })
  const state = await openState({ rpc, chain, suspect: token })
  const read: Set<string>[] = []
  const seed = toPaddedHex(7n, 32)
  for (const amount of [10n ** 15n, 10n ** 15n + 1n])
    await simulator.simulate({
      ...{ scenario: roundTrip, input: { address: token, seed, amount }, chain, state },
      onReads: ({ reads }) => void read.push(new Set(reads.map(keyOf))),
    })
  await rpc.close()
  const [first = new Set(), second = new Set()] = read
  expect(first.size).toBeGreaterThan(50)
  expect([...first].filter((each) => !second.has(each))).toEqual([])
})
