import type { Chain } from './chain.js'
import { parseWireChainId, SOLANA_ID } from './chain-id.js'

/** What the first page offers to a visitor who has no address at hand. */
export interface ExampleTarget {
  readonly name: string
  readonly chainId: number
  readonly address: string
}

/** Tokens that everyone knows: right wherever the chains are the public ones. */
export const WELL_KNOWN_EXAMPLES: readonly ExampleTarget[] = Object.freeze([
  { name: 'USDT on Ethereum', chainId: 1, address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
  { name: 'USDC on Base', chainId: 8453, address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  { name: 'USDC on Solana', chainId: SOLANA_ID, address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
])

/** They stand in one line. */
const MAX_EXAMPLES = 6

const NO_EXAMPLES = '0'

/** Reads `1:0x…=A name, SOL:…=Another`; `0` for none. */
export const parseExamples =
  (among: readonly Chain[]) =>
  (text: string): readonly ExampleTarget[] | undefined => {
    if (text === NO_EXAMPLES) return []
    const parts = text.split(',')
    const examples = parts.map(parseExample(among)).filter((example) => example !== undefined)
    return parts.length <= MAX_EXAMPLES && examples.length === parts.length ? Object.freeze(examples) : undefined
  }

/** Names are shown as they are: no signs that turn or hide letters. */
const FORM = /^\s*([0-9]+|SOL):(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})=([\p{L}\p{N} .'%&()-]{1,40}?)\s*$/u

const parseExample =
  (among: readonly Chain[]) =>
  (text: string): ExampleTarget | undefined => {
    const [, chain = '', address = '', name = ''] = FORM.exec(text) ?? []
    const chainId = parseWireChainId(chain)
    const isSolana = chainId === SOLANA_ID
    const isServed = isSolana || among.some(({ id }) => id === chainId)
    // An address of the other kind is a mistake of the chain.
    if (chainId === undefined || !isServed || isSolana === address.startsWith('0x')) return undefined
    return { name, chainId, address }
  }
