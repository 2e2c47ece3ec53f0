import { RequestError } from '../api/api-client.js'

/** What a person typed or pasted, as far as it says so by itself. Nothing is fetched for it. */
export type TypedTarget =
  | { kind: 'address'; address: string; chain: string | undefined }
  | { kind: 'name'; name: string }
  | { kind: 'none' }

/** How explorers and exchanges call a chain in hosts, paths and queries. A mint needs no word. */
const CHAIN_WORDS: Readonly<Record<string, readonly string[]>> = {
  '1': ['etherscan.io', 'eth.blockscout.com', 'ethereum', 'eth', 'ether', 'mainnet'],
  '56': ['bscscan.com', 'bsc', 'bnb', 'binance', 'pancakeswap.finance'],
  '8453': ['basescan.org', 'base.blockscout.com', 'base'],
  '42161': ['arbiscan.io', 'arbitrum', 'arbitrum-one', 'arb'],
  '10': ['optimistic.etherscan.io', 'optimism', 'op'],
}

/** Where exchanges put the token that is bought, the likeliest first. */
const BOUGHT = ['outputCurrency', 'outputMint', 'output', 'outputToken', 'buyToken', 'token', 'address', 'contract']

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** Base 58, as long as 32 bytes are. */
const MINT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const NAME = /^[^\s/?#:]+\.eth$/i

/** Longer than any link to a token. */
const MAX_CHARS = 2_000

/** Reads an address, a name of ENS, or a link of any explorer or exchange that holds an address. */
export function readTarget(typed: string): TypedTarget {
  const text = typed.trim().slice(0, MAX_CHARS)
  const address = readAddress(text)
  if (address !== undefined) return address
  if (NAME.test(text)) return { kind: 'name', name: text }
  const link = readLink(text)
  return link === undefined ? { kind: 'none' } : readFromLink(link)
}

function readAddress(text: string): TypedTarget | undefined {
  // `eip155:1:0x…`, and what some sites put before or behind an address.
  const bare = text.replace(/^.*[:_-](?=0x[0-9a-fA-F]{40}$)/, '')
  if (EVM_ADDRESS.test(bare)) return { kind: 'address', address: bare, chain: undefined }
  return MINT.test(text) ? { kind: 'address', address: text, chain: 'SOL' } : undefined
}

/** With or without its scheme, as people paste it. */
function readLink(text: string): URL | undefined {
  const full = /^https?:\/\//i.test(text) ? text : `https://${text}`
  return text.includes('.') && !/\s/.test(text) && URL.canParse(full) ? new URL(full) : undefined
}

function readFromLink(link: URL): TypedTarget {
  const inFragment = link.hash.replace(/^#\/?/, '').split('?')
  const query = new URLSearchParams(`${link.search.slice(1)}&${inFragment[1] ?? ''}`)
  const path = [...link.pathname.split('/'), ...(inFragment[0] ?? '').split('/')].filter((part) => part !== '')
  const asked = BOUGHT.flatMap((name) => query.get(name) ?? [])
  // Of a pair of tokens in a path, the second is the one that is bought.
  const candidates = [...asked, ...path.toReversed().flatMap((part) => [part, ...part.split(/[-_:]/).toReversed()])]
  const found = candidates.map(readAddress).find((each) => each?.kind === 'address')
  if (found === undefined || found.kind !== 'address') return { kind: 'none' }
  if (found.chain !== undefined) return found
  const words = [
    link.hostname.replace(/^www\./, ''),
    ...path,
    ...['chain', 'chainId', 'network'].flatMap((name) => query.get(name) ?? []),
  ]
  return { ...found, chain: readChain(words) }
}

/** The first word that names a chain. */
function readChain(words: readonly string[]): string | undefined {
  for (const word of words.map((each) => each.toLowerCase())) {
    for (const [chain, names] of Object.entries(CHAIN_WORDS)) {
      if (word === chain || names.includes(word)) return chain
    }
  }
  return undefined
}

/** Why nothing was found for what was asked, in the words of a person who typed it. */
export function explainFailure(error: unknown, asked: string): string {
  if (!(error instanceof RequestError)) return 'That did not work.'
  const { failure } = error
  if (failure.code === 'name_not_found') return 'This name stands for no address on Ethereum itself.'
  if (failure.code === 'invalid_lookup')
    return EVM_ADDRESS.test(asked)
      ? 'A letter or digit of this address is wrong: copy it again.'
      : 'This is no name that ENS allows.'
  return `${failure.errorReason}.`
}

/** Why what was typed is no target. */
export function explainTyped(text: string): string {
  if (text === '') return 'Enter the address of a token or contract, a link to it, or a name.'
  if (/^https?:|[/.]/i.test(text)) return 'This link holds no address.'
  return 'An address is 0x and 40 hex digits.'
}
