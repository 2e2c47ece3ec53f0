/*
 * Writes what follows from `src/chains/`: the table of exchanges in docs/chains.md and the list of
 * chains that the portal offers, which takes no values from `src/`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Chain } from '../src/chains/chain.js'
import { chains } from '../src/chains/index.js'
import { testedOn } from '../src/chains/tested-on.js'

const root = resolve(import.meta.dirname, '..')
export const PORTAL_LIST = 'portal/src/chain-list.ts'
export const CHAINS_PAGE = 'docs/chains.md'

const BEGIN = '<!-- Written by npm run docs:chains. -->\n'
const END = '<!-- End of what is written. -->\n'

const FILES: [file: string, names: (chain: Chain) => string[]][] = [
  ['uniswap-v2.ts', (chain) => marked(chain, chain.v2)],
  ['uniswap-v3.ts', (chain) => marked(chain, chain.v3)],
  ['uniswap-v4.ts', (chain) => marked(chain, chain.v4)],
  ['solidly.ts', (chain) => marked(chain, chain.solidly).map((name) => `${name} (volatile and stable)`)],
  ['slipstream.ts', (chain) => marked(chain, chain.slipstream)],
  ['algebra.ts', (chain) => marked(chain, chain.algebra)],
  ['wrapped-native.ts', ({ nativeSymbol }) => [`W${nativeSymbol}`]],
]

/** A star where calls were tried on a stand-in alone. */
const marked = (chain: Chain, exchanges: readonly { name: string }[]) =>
  exchanges.map(({ name }) => (testedOn(chain, name) === 'stand-in' ? `${name} \\*` : name))

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`

/** The page with its table as the chains are. */
export function chainsPage(page: string): string {
  const start = page.indexOf(BEGIN) + BEGIN.length
  const table = [
    row(['family (`src/dex/`)', ...chains.map(({ name }) => name)]),
    row(['---', ...chains.map(() => '---')]),
    ...FILES.map(([file, namesOf]) => row([`\`${file}\``, ...chains.map((chain) => namesOf(chain).join(', '))])),
  ]
  return page.slice(0, start) + table.join('') + page.slice(page.indexOf(END))
}

/** The module with the portal's list. */
export function portalList(): string {
  const all = [...chains.map(({ id, name, nativeSymbol: coin }) => ({ id: String(id), name, coin })), SOLANA]
  const lines = all.map(({ id, name, coin }) => `  { id: '${id}', name: '${name}', coin: '${coin}' },\n`)
  return `/** The chains that can be asked, in the order in which they are offered: npm run docs:chains. */
export const CHAINS = [\n${lines.join('')}] as const\n`
}

const SOLANA = { id: 'SOL', name: 'Solana', coin: 'SOL' }

if (process.argv[1] === import.meta.filename) {
  const page = resolve(root, CHAINS_PAGE)
  writeFileSync(page, chainsPage(readFileSync(page, 'utf8')))
  writeFileSync(resolve(root, PORTAL_LIST), portalList())
}
