import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { threadsOfWorker } from '../../test/threads-of-worker.js'
import { deploy } from '../devnet/deploy.js'
import type { DevnetTransaction } from '../devnet/devnet-ledger.js'
import { approve, createV2Market } from '../devnet/market.js'
import { type Devnet, startDevnet } from '../devnet/start-devnet.js'
import type { Address } from '../hex.js'
import { run } from './program.js'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ chainId: 1, examples: [] })
})
afterAll(() => devnet?.stop())

/** Waits for the block: until it is made, the node tells the nonce before. */
const send = ({ from, to, data, value = 0n }: DevnetTransaction) =>
  devnet.node.call('eth_sendTransactionSync', { from, to, data, value: toHex(value), gas: toHex(6_000_000) })

/** Puts a token on sale that only its maker can sell. */
async function launch(): Promise<void> {
  const maker = devnet.accounts[0]?.address as Address
  const market = createV2Market(devnet.chain)
  const nonce = Number(await devnet.node.call<string>('eth_getTransactionCount', maker, 'latest'))
  const { address, transaction } = deploy(maker, nonce, 'SellBlocked', [market.router])
  await send(transaction)
  await send(approve(maker, address, market.lister))
  await send(market.list(maker, address, parseEther('100000'), parseEther('10')))
}

test('a token that comes to a market is told on the terminal, with its verdict', async () => {
  const written: string[] = []
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  let isTold = false
  // The feed begins at the head that it sees first: until then nothing that is launched is news.
  const keepLaunching = async () => {
    for (; !isTold; await sleep(2_000)) await launch()
  }
  const launching = keepLaunching()
  const code = await run(['feed', '--chain', '1', '--rpc-url', devnet.url, '--level', 'Critical Risk', '--json'], {
    env: { ASSAY_MAX_HEAD_AGE: '0' },
    threads: threadsOfWorker(),
    write(text) {
      written.push(text)
      stop()
    },
    writeError: (text) => written.push(text),
    untilStopped: () => stopped,
  }).finally(() => {
    isTold = true
  })
  await launching
  expect(code).toBe(0)
  expect(JSON.parse(written[0] ?? '')).toMatchObject({
    ...{ event: 'listing', state: 'judged', chainId: 1, exchange: 'Uniswap V2' },
    verdict: { level: 'Critical Risk', advice: 'Do not buy' },
  })
})

test('a level that is none is refused', async () => {
  const written: string[] = []
  const io = { env: {}, write: () => {}, writeError: (text: string) => void written.push(text) }
  expect(await run(['feed', '--chain', '1', '--level', 'Fine'], io)).toBe(2)
  expect(written.join('')).toContain('Each must be one of Safe')
})
