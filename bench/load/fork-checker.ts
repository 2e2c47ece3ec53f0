import { type ChildProcess, spawn } from 'node:child_process'
import fastify from 'fastify'
import { findAnvilBinary } from '../../src/devnet/anvil.js'
import { createDevnetNode, type DevnetNode } from '../../src/devnet/node.js'
import type { Address, Hex } from '../../src/hex.js'
import type { Job } from '../speed/evm-job.js'

/**
 * How most simulators are built: for each request a node that forks the chain, and transactions
 * sent to it. Buys, approves and sells in one known pool.
 */
export async function startForkChecker(job: Job): Promise<{ url: string; stop(): Promise<void> }> {
  const app = fastify()
  app.post('/', async () => {
    const { child, node } = await startFork(job.devnet.url)
    try {
      return { success: true, isHoneypot: !(await trade(job, node)) }
    } finally {
      child.kill('SIGKILL')
    }
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), stop: () => app.close() }
}

async function startFork(url: string): Promise<{ child: ChildProcess; node: DevnetNode }> {
  const options = ['--fork-url', url, '--port', '0', '--no-storage-caching', '--auto-impersonate']
  const child = spawn(findAnvilBinary(), options, { stdio: ['ignore', 'pipe', 'ignore'] })
  const port = await new Promise<number>((found, failed) => {
    let printed = ''
    child.once('exit', () => failed(new Error('anvil ended')))
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const match = /Listening on [^\s]*:(\d+)/.exec(printed)?.[1]
      if (match !== undefined) found(Number(match))
    })
  })
  return { child, node: createDevnetNode(`http://127.0.0.1:${port}`) }
}

/** Whether everything that was bought could be sold. */
async function trade({ trader: from, token, buy, approve, sell, balanceOf }: Job, node: DevnetNode): Promise<boolean> {
  const send = async ({ to, data, value = 0n }: { to?: Address; data?: Hex; value?: bigint }) => {
    const tx = { from, to, data, value: `0x${value.toString(16)}`, gas: '0x1e8480' }
    const receipt = await node.call<{ status: Hex; transactionHash: Hex } | null>('eth_sendTransactionSync', tx)
    await node.call('debug_traceTransaction', receipt?.transactionHash, { tracer: 'callTracer' })
    return receipt?.status === '0x1'
  }
  await node.call('anvil_setBalance', from, '0xde0b6b3a7640000')
  if (!(await send(pick(buy)))) return false
  if (!(await send(pick(approve)))) return false
  const balance = await node.call<Hex>('eth_call', { to: token, data: balanceOf }, 'latest')
  return send(pick(sell(BigInt(balance))))
}

const pick = ({ to, data, value }: Job['buy']) => ({
  ...(to && { to }),
  ...(data && { data }),
  ...(value !== undefined && { value }),
})
