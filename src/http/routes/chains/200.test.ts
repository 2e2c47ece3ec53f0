import { expect, test } from 'vitest'
import { createTestApp } from '../../../../test/http/test-app.js'
import { chains } from '../../../chains/index.js'

test('lists the chains of the configuration and Solana, and what to look at first, to anyone', async () => {
  const own = { ...(chains[0] ?? expect.unreachable()), id: 130, name: 'Unichain' }
  const config = {
    compat: false,
    engineVersion: '0',
    examples: [
      { name: 'One', chainId: 130, address: '0xA' },
      { name: 'Two', chainId: 0, address: 'b' },
    ],
    guestChecks: 0,
    privateWebhooks: false,
    publicOrigins: [],
    trustProxy: [],
  }
  const { app } = await createTestApp({ services: { config: { ...config, chains: [...chains, own] } } })
  const response = await app.inject({ url: '/api/chains' })
  expect(response.statusCode).toBe(200)
  expect(response.json().chains).toEqual([
    { id: 1, name: 'Ethereum', coin: 'ETH' },
    { id: 56, name: 'BNB Smart Chain', coin: 'BNB' },
    { id: 8453, name: 'Base', coin: 'ETH' },
    { id: 42161, name: 'Arbitrum One', coin: 'ETH' },
    { id: 10, name: 'OP Mainnet', coin: 'ETH' },
    { id: 130, name: 'Unichain', coin: 'ETH' },
    { id: 'SOL', name: 'Solana', coin: 'SOL' },
  ])
  expect(response.json().examples).toEqual([
    { name: 'One', chainId: 130, address: '0xA' },
    { name: 'Two', chainId: 'SOL', address: 'b' },
  ])
})

test('a request about a chain of the configuration is taken, and about no other', async () => {
  const own = { ...(chains[0] ?? expect.unreachable()), id: 130, name: 'Unichain' }
  const config = {
    compat: false,
    engineVersion: '0',
    examples: [],
    guestChecks: 0,
    privateWebhooks: false,
    publicOrigins: [],
    trustProxy: [],
  }
  const { post } = await createTestApp({ services: { config: { ...config, chains: [own] } } })
  const ask = (chainId: number) => post({ targetContractAddress: `0x${'11'.repeat(20)}`, chainId })
  expect((await ask(130)).statusCode).toBe(200)
  expect((await ask(1)).json()).toMatchObject({ code: 'unsupported_chain' })
})
