import { expect, test } from 'vitest'
import { createTestApp, failure, TOKEN } from '../../../../test/http/test-app.js'
import { chains } from '../../../chains/index.js'
import type { Lookup } from '../../../lookup/create-lookup.js'

async function setUp(lookup: Partial<Lookup> = {}) {
  const found = { chains: chains.slice(0, 1), unanswered: chains.slice(1, 2) }
  const all: Lookup = { findChains: async () => found, resolve: async () => undefined, ...lookup }
  const { app } = await createTestApp({ services: { lookup: all } })
  return (q: string) => app.inject({ url: `/api/lookup?q=${encodeURIComponent(q)}` })
}

test('an address is found on its chains, and those that did not answer are named', async () => {
  const look = await setUp()
  expect((await look(TOKEN)).json()).toEqual({
    success: true,
    address: '0x514910771AF9Ca656af840dff83E8264EcF986CA',
    chains: [{ id: 1, name: 'Ethereum' }],
    unanswered: [{ id: 56, name: 'BNB Smart Chain' }],
  })
})

test('a name is looked up in its one spelling', async () => {
  const asked: string[] = []
  const look = await setUp({
    resolve: async (name) => {
      asked.push(name)
      return TOKEN
    },
  })
  expect((await look('Assay.ETH')).json().chains).toHaveLength(1)
  expect(asked).toEqual(['assay.eth'])
})

test('what is neither is refused, and a name that stands for nothing is told from that', async () => {
  const look = await setUp()
  const mistyped = '0x0b0ffafCD31f13a12e3f0b538da4b78fef7dc943'
  for (const q of ['', '0x12', 'https://etherscan.io', 'a b.eth', mistyped])
    expect((await look(q)).json()).toEqual(failure('Invalid q', 'invalid_lookup'))
  expect((await look('nothing.eth')).json()).toEqual(failure('Name not found', 'name_not_found'))
})
