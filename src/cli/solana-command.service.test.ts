import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RULES } from '../devnet/solana/examples/token-rules.js'
import { type SolanaDevnet, startSolanaDevnet } from '../devnet/solana/start-solana-devnet.js'
import type { SolanaAddress } from '../solana/address.js'
import { EXAMPLE_AMM_PROGRAM, usualPoolsOf } from '../solana/pools/layouts.js'
import { run } from './program.js'

const NAMES = ['plain', 'fee of 99 %']
let devnet: SolanaDevnet
let dataDir: string
beforeAll(async () => {
  devnet = await startSolanaDevnet({ examples: RULES.filter(({ name }) => NAMES.includes(name)) })
  dataDir = mkdtempSync(join(tmpdir(), 'assay-solana-'))
})
afterAll(async () => {
  await devnet?.stop()
  rmSync(dataDir, { recursive: true })
})

/** The example exchange is the one whose program a devnet has. */
const poolOf = (example: string): SolanaAddress => {
  const mint = devnet.examples.find(({ name }) => name === example)?.address ?? expect.unreachable(example)
  return usualPoolsOf(mint)[1] ?? expect.unreachable('its pool')
}

async function verify(...args: readonly string[]) {
  const written: string[] = []
  const write = (text: string) => written.push(text)
  const env = { ASSAY_DATA_DIR: dataDir, ASSAY_MAX_HEAD_AGE: '0' }
  const code = await run(['solana', 'verify', '--rpc', devnet.url, ...args], { env, write, writeError: write })
  return { code, output: written.join('') }
}

const kept = () => JSON.parse(readFileSync(join(dataDir, 'solana-proven.json'), 'utf8')).proven

test('swaps that work both ways are kept for the program as it is deployed', async () => {
  const { code, output } = await verify('--pool', poolOf('plain'))
  expect(output.match(/^Example AMM .*: right, [\d.]+ % lost$/gm)).toHaveLength(2)
  expect(output).toContain(
    'Raydium CLMM CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK: the cluster has no such program\n',
  )
  expect(output).toContain(`1 of 1 kept in ${join(dataDir, 'solana-proven.json')}\n`)
  expect(kept()).toEqual([
    { venue: 'example-amm', program: EXAMPLE_AMM_PROGRAM, deployedSlot: expect.stringMatching(/^\d+$/) },
  ])
  expect(code).toBe(0)
})

test('an exchange where more is lost than fees and prices take is not kept, nor is what was kept of it before', async () => {
  const { code, output } = await verify('--pool', poolOf('fee of 99 %'))
  expect(output).toContain('0 of 1 kept')
  expect(output).toMatch(/not all of what was tried works\n$/)
  expect(kept()).toEqual([])
  expect(code).toBe(1)
})

test('an address that is none is refused', async () => {
  const { code, output } = await verify('--pool', '0x12')
  expect(output).toContain('It must be an address in base58.')
  expect(code).toBe(2)
})
