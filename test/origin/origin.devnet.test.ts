import { concatHex, encodeDeployData, getContractAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReadOrigin } from '../../src/checks/origin/read-origin.js'
import { readContract } from '../../src/devnet/artifacts.js'
import type { Address, Hex } from '../../src/hex.js'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { type Sale, startSale } from '../sale.js'

/** Makes a contract of the init code that it is sent: `CREATE(0, calldata)`. */
const FACTORY = '0x365f5f37365f5ff000'
const FACTORY_AT: Address = '0x00000000000000000000000000000000fac70123'
/** Logs a first mint whenever it is called: `LOG4(Transfer, 0, 1, 2)` cut to three topics. */
const LATE_MINTER_AT: Address = '0x000000000000000000000000000000001a7e0001'
const LATE_MINTER = concatHex([
  ...(['0x60015f', '0x7f'] as const),
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  '0x60205fa300',
])

let proxy: FaultProxy
let sale: Sale
beforeAll(async () => {
  sale = await startSale(async (url) => {
    proxy = await startFaultProxy(url)
    return proxy.url
  })
})
afterAll(async () => {
  await sale?.stop()
  await proxy?.close()
})

async function head() {
  const { number, hash, timestamp } = await sale.devnet.node.call<Record<'number' | 'hash' | 'timestamp', Hex>>(
    'eth_getBlockByNumber',
    'latest',
    false,
  )
  return { number: BigInt(number), hash, timestamp: BigInt(timestamp) }
}

const ask = async (token: Address, readOrigin = createReadOrigin(() => sale.rpc)) =>
  readOrigin({ chain: sale.devnet.chain, token, head: await head() })

test('who deployed a token themselves follows from its address', async () => {
  const token = await sale.deploy('Clean')
  const { known } = await ask(token)
  expect(known).toMatchObject({ creator: sale.owner, through: undefined, isProven: true })
  const codeAt = (block: bigint) => sale.devnet.node.call<Hex>('eth_getCode', token, `0x${block.toString(16)}`)
  expect(await codeAt((known?.block ?? 0n) - 1n)).toBe('0x')
  expect(await codeAt(known?.block ?? 0n)).not.toBe('0x')
  expect(known?.timestamp).toBeLessThanOrEqual((await head()).timestamp)
})

test('of a token from a factory the node tells who called it, and that there was no code before', async () => {
  await sale.devnet.node.call('anvil_setCode', FACTORY_AT, FACTORY)
  await sale.devnet.node.call('anvil_setNonce', FACTORY_AT, '0x1')
  const { abi, bytecode } = readContract('Clean')
  await sale.send({ from: sale.owner, to: FACTORY_AT, data: encodeDeployData({ abi, bytecode }) })
  const token = getContractAddress({ from: FACTORY_AT, nonce: 1n }).toLowerCase() as Address
  expect(await ask(token)).toMatchObject({
    known: { creator: sale.owner, through: FACTORY_AT, isProven: false },
  })
})

test('a contract that is older than its first mint has no known creator', async () => {
  await sale.devnet.node.call('anvil_setCode', LATE_MINTER_AT, LATE_MINTER)
  await sale.devnet.node.call('evm_mine')
  expect(await ask(LATE_MINTER_AT)).toEqual({ unknown: 'it logged neither a first mint nor a first owner' })
  await sale.send({ from: sale.owner, to: LATE_MINTER_AT, data: '0x' })
  expect(await ask(LATE_MINTER_AT)).toEqual({ unknown: 'it is older than its first mint' })
})

test('it takes two requests, then one, and none once it is settled', async () => {
  const token = await sale.deploy('Clean')
  const readOrigin = createReadOrigin(() => sale.rpc)
  const count = async () => {
    proxy.reset()
    await readOrigin({ chain: sale.devnet.chain, token, head: await head() })
    return proxy.seen.http
  }
  expect(await count()).toBe(2)
  // The chain may still take it back: its first log is looked at, and is the same.
  expect(await count()).toBe(1)
  await sale.devnet.node.call('anvil_mine', '0x101')
  expect(await count()).toBe(0)
})

test('an origin that the chain took back is told anew', async () => {
  const snapshot = await sale.devnet.node.call<string>('evm_snapshot')
  const readOrigin = createReadOrigin(() => sale.rpc)
  const token = await sale.deploy('Clean')
  const { known: first } = await ask(token, readOrigin)
  await sale.devnet.node.call('evm_revert', snapshot)
  await sale.devnet.node.call('evm_mine')
  expect(await sale.deploy('Clean')).toBe(token)
  const { known: second } = await ask(token, readOrigin)
  expect(second).toMatchObject({ creator: sale.owner, isProven: true })
  expect(second?.block).not.toBe(first?.block)
})
