import fc from 'fast-check'
import { encodeAbiParameters, type Hex as ViemHex } from 'viem'
import { namehash } from 'viem/ens'
import { describe, expect, test } from 'vitest'
import { chains } from '../chains/index.js'
import type { Address, Hex } from '../hex.js'
import { RpcRejectedError } from '../rpc/node-replies.js'
import { RpcUnavailableError } from '../rpc/rpc-client.js'
import { createLookup, type LookupOptions } from './create-lookup.js'
import { ENS_REGISTRY, readName, resolveName } from './resolve-name.js'

const TARGET: Address = `0x${'ab'.repeat(20)}`
const RESOLVER: Address = `0x${'cd'.repeat(20)}`
const word = (address: Address) => encodeAbiParameters([{ type: 'address' }], [address as ViemHex])
const NOTHING = word(`0x${'00'.repeat(20)}`)

describe('a name', () => {
  test('is asked for in the registry, and then at its resolver', async () => {
    const asked: [Address, Hex][] = []
    const address = await resolveName('assay.eth', async (to, data) => {
      asked.push([to, data])
      return to === ENS_REGISTRY ? word(RESOLVER) : word(TARGET)
    })
    const node = namehash('assay.eth').slice(2)
    expect(address).toBe(TARGET)
    expect(asked).toEqual([
      [ENS_REGISTRY, `0x0178b8bf${node}`],
      [RESOLVER, `0x3b3b57de${node}`],
    ])
  })

  test.each<[string, Hex]>([
    ['no resolver', NOTHING],
    ['no answer', '0x'],
    ['more than a word', `${word(RESOLVER)}00`],
    ['a word that is no address', `0x${'ff'.repeat(32)}`],
  ])('with %s is not found', async (_case, reply) => {
    expect(await resolveName('assay.eth', async () => reply)).toBeUndefined()
  })

  test('that its resolver keeps elsewhere is not found, and no other host is asked', async () => {
    const offChain = new RpcRejectedError({ method: 'eth_call', kind: 'reverted', data: '0x556f1830' })
    const ask = async (to: Address) => (to === ENS_REGISTRY ? word(RESOLVER) : Promise.reject(offChain))
    expect(await resolveName('assay.eth', ask)).toBeUndefined()
  })

  test.each([new RpcUnavailableError(1, undefined), new RpcRejectedError({ method: 'eth_call', kind: 'slow' })])(
    'is not taken for absent when no node answers: %s',
    async (error) => {
      await expect(resolveName('assay.eth', () => Promise.reject(error))).rejects.toBe(error)
    },
  )

  test.each([
    ['Vitalik.ETH', 'vitalik.eth'],
    ['vitalik.eth', 'vitalik.eth'],
  ])('%s is spelled %s', (text, name) => {
    expect(readName(text)).toBe(name)
  })

  test.each([
    'vit\u0430lik.eth',
    'a b.eth',
    'vitalik',
    'vitalik.com',
    '.eth',
    'x\u202ey.eth',
    `${'a'.repeat(256)}.eth`,
  ])('%j is none', (text) => {
    expect(readName(text)).toBeUndefined()
  })

  test('no text throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const name = readName(`${text}.eth`)
        expect(name === undefined || readName(name) === name).toBe(true)
      }),
    )
  })
})

describe('the chain of an address', () => {
  const create = (options: Partial<LookupOptions>) =>
    createLookup({ chains, getCode: async () => '0x', askEthereum: async () => '0x', ...options })
  const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name)

  test('is each where it has code', async () => {
    const lookup = create({ getCode: async ({ id }) => (id === 1 || id === 8453 ? '0x6000' : '0x') })
    const { chains: found, unanswered } = await lookup.findChains(TARGET)
    expect([namesOf(found), unanswered]).toEqual([['Ethereum', 'Base'], []])
  })

  test('is not one where it is a wallet that has delegated', async () => {
    const lookup = create({ getCode: async () => `0xef0100${'ab'.repeat(20)}` })
    expect((await lookup.findChains(TARGET)).chains).toEqual([])
  })

  test('may be one that does not answer, and the others are told all the same', async () => {
    const getCode = ({ id }: { id: number }): Promise<Hex> => {
      if (id === 1) return Promise.resolve('0x6000')
      return id === 56 ? Promise.reject(new RpcUnavailableError(56, undefined)) : new Promise(() => {})
    }
    const { chains: found, unanswered } = await create({ getCode, waitMs: 20 }).findChains(TARGET)
    expect(namesOf(found)).toEqual(['Ethereum'])
    expect(unanswered).toHaveLength(chains.length - 1)
  })
})
