import { getAddress, isAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Address } from '../hex.js'
import type { Chain } from './chain.js'
import { ethereum } from './ethereum.js'
import { chains, findChainNamed } from './index.js'

/** The same on every chain that has them. */
const FIRST_UNISWAP_V3 = [
  '0x1F98431c8aD98523631AE4a59f267346ea31F984',
  '0xE592427A0AEce92De3Edee1F18E0157C05861564',
  '0xb27308f9F90D607463bb33eA1BeBb41C27CE5AB6',
  '0xC36442b4a4522E871399CD717aBDD847Ab11FE88',
]
const PANCAKESWAP_V3 = [
  '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
  '0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9',
  '0x1b81D678ffb9C0263b24A97847620C99d213eB14',
  '0xB048Bbc1Ee6b733FFfCFb9e9CeF7375518e25997',
]

/**
 * Every address of an exchange as its makers spell it, with the EIP-55 checksum, which a wrong
 * digit does not pass: the deployment pages of Uniswap (V2, V3, V4), SushiSwap, PancakeSwap and
 * Camelot, the repositories of Aerodrome and Slipstream, BaseScan for BaseSwap. Those that the page
 * gives in lower case alone are spelled as the block explorers do.
 */
const CITED: Record<string, Record<string, readonly string[]>> = {
  ethereum: {
    'Uniswap V2': ['0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f', '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D'],
    'SushiSwap V2': ['0xC0AEe478e3658e2610c5F7A4A2E1777cE9e4f2Ac', '0xd9e1cE17f2641f24aE83637ab66a2cca9C378B9F'],
    'PancakeSwap V2': ['0x1097053Fd2ea711dad45caCcc45EfF7548fCB362', '0xEfF92A263d31888d860bD50809A8D171709b7b1c'],
    'Uniswap V3': FIRST_UNISWAP_V3,
    'PancakeSwap V3': PANCAKESWAP_V3,
    'SushiSwap V3': [
      '0xbACEB8eC6b9355Dfc0269C18bac9d6E2Bdc29C4F',
      '0x2E6cd2d30aa43f40aa81619ff4b6E0a41479B13F',
      '0x64e8802FE490fa7cc61d3463958199161Bb608A7',
      '0x2214A42d8e2A1d20635c2cb0664422c528B6A432',
    ],
    'Uniswap V4': [
      '0x000000000004444c5dc75cB358380D2e3dE08A90',
      '0xbD216513d74C8cf14cf4747E6AaA6420FF64ee9e',
      '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af',
      '0x000000000022D473030F116dDEE9F6B43aC78BA3',
    ],
  },
  bsc: {
    'PancakeSwap V2': ['0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73', '0x10ED43C718714eb63d5aA57B78B54704E256024E'],
    'Uniswap V2': ['0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6', '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24'],
    'SushiSwap V2': ['0xc35DADB65012eC5796536bD9864eD8773aBc74C4', '0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506'],
    'PancakeSwap V3': PANCAKESWAP_V3,
    'Uniswap V3': [
      '0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7',
      '0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2',
      '0x78D78E420Da98ad378D7799bE8f4AF69033EB077',
      '0x7b8A01B39D58278b5DE7e48c8449c9f4F5170613',
    ],
    'Uniswap V4': [
      '0x28e2Ea090877bF75740558f6BFB36A5ffeE9e9dF',
      '0x7A4a5c919aE2541AeD11041A1AEeE68f1287f95b',
      '0x1906c1d672b88cD1B9aC7593301cA990F94Eae07',
      '0x000000000022D473030F116dDEE9F6B43aC78BA3',
    ],
  },
  base: {
    'Uniswap V2': ['0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6', '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24'],
    'SushiSwap V2': ['0x71524B4f93c58fcbF659783284E38825f0622859', '0x6BDED42c6DA8FBf0d2bA55B2fa120C5e0c8D7891'],
    'PancakeSwap V2': ['0x02a84c1b3BBD7401a5f7fa98a384EBC70bB5749E', '0x8cFe327CEc66d1C090Dd72bd0FF11d690C33a2Eb'],
    BaseSwap: ['0xFDa619b6d20975be80A10332cD39b9a4b0FAa8BB', '0x327Df1E6de05895d2ab08513aaDD9313Fe505d86'],
    'Uniswap V3': [
      '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
      '0x2626664c2603336E57B271c5C0b26F421741e481',
      '0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a',
      '0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1',
    ],
    'PancakeSwap V3': PANCAKESWAP_V3,
    'SushiSwap V3': [
      '0xc35DADB65012eC5796536bD9864eD8773aBc74C4',
      '0xFB7eF66a7e61224DD6FcD0D7d9C3be5C8B049b9f',
      '0xb1E835Dc2785b52265711e17fCCb0fd018226a6e',
      '0x80C7DD17B01855a6D2347444a0FCC36136a314de',
    ],
    Aerodrome: [
      '0x420DD381b31aEf6683db6B902084cB0FFECe40Da',
      '0xcF77a3Ba9A5CA399B7c97c74d54e5b1Beb874E43',
      '0xA4e46b4f701c62e14DF11B48dCe76A7d793CD6d7',
    ],
    'Aerodrome Slipstream': [
      '0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A',
      '0xBE6D8f0d05cC4be24d5167a3eF062215bE6D18a5',
      '0xeC8E5342B19977B4eF8892e02D8DAEcfa1315831',
    ],
    'Uniswap V4': [
      '0x498581fF718922c3f8e6A244956aF099B2652b2b',
      '0x7C5f5A4bBd8fD63184577525326123B519429bDc',
      '0x6fF5693b99212Da76ad316178A184AB56D299b43',
      '0x000000000022D473030F116dDEE9F6B43aC78BA3',
    ],
  },
  optimism: {
    'Uniswap V2': ['0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf', '0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2'],
    'Velodrome V2': [
      '0xF1046053aa5682b4F9a81b5481394DA16BE5FF5a',
      '0xa062aE8A9c5e11aaA026fc2670B0D65cCc8B2858',
      '0x95885Af5492195F0754bE71AD1545Fe81364E531',
    ],
    'Velodrome Slipstream': [
      '0xCc0bDDB707055e04e497aB22a59c2aF4391cd12F',
      '0x0792a633F0c19c351081CF4B211F68F79bCc9676',
      '0xc28aD28853A547556780BEBF7847628501A3bCbb',
    ],
    'Uniswap V3': FIRST_UNISWAP_V3,
    'Uniswap V4': [
      '0x9a13F98Cb987694C9F086b1F5eB990EeA8264Ec3',
      '0x3C3Ea4B57a46241e54610e5f022E5c45859A1017',
      '0x851116D9223fabED8E56C0E6b8Ad0c31d98B3507',
      '0x000000000022D473030F116dDEE9F6B43aC78BA3',
    ],
  },
  arbitrum: {
    'SushiSwap V2': ['0xc35DADB65012eC5796536bD9864eD8773aBc74C4', '0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506'],
    'Uniswap V2': ['0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9', '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24'],
    'PancakeSwap V2': ['0x02a84c1b3BBD7401a5f7fa98a384EBC70bB5749E', '0x8cFe327CEc66d1C090Dd72bd0FF11d690C33a2Eb'],
    'Camelot V2': ['0x6EcCab422D763aC031210895C81787E87B43A652', '0xc873fEcbd354f5A56E00E710B90EF4201db2448d'],
    'Uniswap V3': FIRST_UNISWAP_V3,
    'PancakeSwap V3': PANCAKESWAP_V3,
    'SushiSwap V3': [
      '0x1af415a1EbA07a4986a52B6f2e7dE7003D82231e',
      '0x8A21F6768C1f8075791D08546Dadf6daA0bE820c',
      '0x0524E833cCD057e4d7A296e3aaAb9f7675964Ce1',
      '0xF0cBce1942A68BEB3d1b73F0dd86C8DCc363eF49',
    ],
    'Camelot V3': [
      '0x1a3c9B1d2F0529D97f2afC5136Cc23e58f1FD35B',
      '0x6Dd3FB9653B10e806650F107C3B5A0a6fF974F65',
      '0x1F721E2E82F6676FCE4eA07A5958cF098D339e18',
    ],
    'Uniswap V4': [
      '0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32',
      '0xd88F38F930b7952f2DB2432Cb002E7abbF3dD869',
      '0xA51afAFe0263b40EdaEf0Df8781eA9aa03E381a3',
      '0x000000000022D473030F116dDEE9F6B43aC78BA3',
    ],
  },
}

/** Every deployment of a chain, whatever its family. */
const deploymentsOf = ({ v2, v3, v4, solidly, slipstream, algebra }: Chain) => [
  ...v2,
  ...v3,
  ...v4,
  ...solidly,
  ...slipstream,
  ...algebra,
]
const addressesOf = (deployment: object): Address[] => [
  ...new Set(
    Object.values(deployment).filter((value) => typeof value === 'string' && isAddress(value, { strict: false })),
  ),
]

describe.each(chains.map((chain) => ({ chain, name: chain.name })))('$name', ({ chain }) => {
  const cited = CITED[chain.slug] ?? {}

  test('names the exchanges that are cited, each once', () => {
    const names = deploymentsOf(chain).map(({ name }) => name)
    expect(names.toSorted()).toEqual(Object.keys(cited).toSorted())
  })

  test.each(deploymentsOf(chain).map((deployment) => ({ deployment, name: deployment.name })))(
    'has the addresses of $name right to the last digit',
    ({ deployment, name }) => {
      const spelled = cited[name] ?? []
      expect(spelled.filter((address) => getAddress(address) !== address)).toEqual([])
      expect(addressesOf(deployment).toSorted()).toEqual(spelled.map((address) => address.toLowerCase()).toSorted())
    },
  )

  test('names its watched tokens once, the wrapped coin among them', () => {
    const addresses = chain.watchedTokens.map(({ address }) => address)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(addresses).toContain(chain.wrappedNative)
    expect(addresses.every((address) => address === address.toLowerCase())).toBe(true)
  })
})

test.each([
  ['1', 1],
  ['ethereum', 1],
  ['eth', 1],
  ['BSC', 56],
  ['bnb smart chain', 56],
  ['Base', 8453],
  ['arb', 42161],
  ['op mainnet', 10],
])('%s names chain %i', (text, id) => {
  expect(findChainNamed(text)?.id).toBe(id)
})

test.each(['', 'b', 'a', '2', 'mainnet', 'ethereum classic', '1e3', '0x1'])('%j names none', (text) => {
  expect(findChainNamed(text)).toBeUndefined()
})

test('what two chains begin with names neither', () => {
  const twins = ['Polygon', 'Polygon zkEVM'].map((name, id) => ({ ...ethereum, name, id }))
  expect([findChainNamed('poly', twins)?.name, findChainNamed('polygon', twins)?.name]).toEqual([undefined, 'Polygon'])
})
