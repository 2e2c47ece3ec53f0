import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { startMethodNode } from '../../test/real-blocks/method-node.js'
import { run } from './program.js'

const UNICHAIN = resolve(import.meta.dirname, '../../deploy/chains/unichain.json')

async function assay(args: readonly string[], env: Record<string, string>) {
  const written: string[] = []
  const write = (text: string) => written.push(text)
  const code = await run(['chains', ...args], { env, write, writeError: write })
  return { code, output: written.join('') }
}

test('assay chains lists what is judged, the operator’s own chains among them', async () => {
  const { code, output } = await assay([], { ASSAY_CHAINS: UNICHAIN })
  expect(output).toMatch(/^1 Ethereum: Uniswap V2, .*\n/)
  expect(output).toContain('\n130 Unichain: Uniswap V2, Uniswap V3, Uniswap V4\n')
  expect(code).toBe(0)
})

test('assay chains verify names each contract that is not there, and fails', async () => {
  const head = { number: '0x1', hash: HASH, parentHash: HASH, timestamp: '0x1', miner: ZERO, gasLimit: '0x1' }
  const node = await startMethodNode({
    eth_chainId: () => '0x82',
    eth_getBlockByNumber: () => head,
    eth_getBlockByHash: () => head,
    eth_getCode: () => '0x',
    eth_call: () => '0x',
  })
  const env = { ASSAY_CHAINS: UNICHAIN, ASSAY_RPC_130: node.url, ASSAY_MAX_HEAD_AGE: '0' }
  const { code, output } = await assay(['verify', '--chain', '130'], env).finally(() => node.stop())
  expect(output).toContain('Unichain, Uniswap V2, router 0x284f11109359a7e1306c3e447ef14d38400063ff: has no code\n')
  expect(output).toMatch(/assay: \d+ contracts are not what the table says\n$/)
  expect(code).toBe(1)
})

test('a chain that is not judged is refused by its id', async () => {
  const { code, output } = await assay(['verify', '--chain', '130'], {})
  expect(output).toMatch(/the chain must be one of 1, 56, 8453, 42161, 10/)
  expect(code).toBe(2)
})

const HASH = `0x${'11'.repeat(32)}`
const ZERO = `0x${'00'.repeat(20)}`
