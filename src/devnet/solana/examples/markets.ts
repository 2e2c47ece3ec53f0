import { metadataAddress } from '../../../checks/solana/read-names.js'
import { addressBytes, type SolanaAddress } from '../../../solana/address.js'
import { packed } from '../../../solana/instruction.js'
import { associatedTokenAddress } from '../../../solana/pda.js'
import { POOL_LAYOUTS, PUMP_CURVE } from '../../../solana/pools/layouts.js'
import { METADATA_PROGRAM, TOKEN_PROGRAM } from '../../../solana/programs.js'
import { DevnetError } from '../../node.js'
import { RENT, type SolanaChain } from '../cluster.js'
import { addressFor, placeToken, readProgram, wallet } from '../scene.js'
import type { SolanaExample, SolanaExpectation } from '../solana-example.js'
import { extension, mintAccount, text, tokenAccount } from '../token-data.js'

const owner = addressFor('owner')
type Windows = NonNullable<SolanaExpectation['windows']>
const FREE: Windows = [
  [0, 0],
  [0, 0],
  [0, 0],
]

/**
 * Tokens that differ in their holders, their pool and their name, and addresses that are no token.
 */
export const MARKETS: readonly SolanaExample[] = [
  {
    name: 'wallet',
    summary: 'A wallet, and no token.',
    place(chain) {
      const address = addressFor('some wallet')
      chain.set(address, wallet())
      return address
    },
    expect: { trustStatus: 'not-a-mint' },
  },
  {
    name: 'program',
    summary: 'A program, and no token.',
    place(chain) {
      const address = addressFor('some program', 'program')
      chain.deploy(address, readProgram('hook-allow'))
      return address
    },
    expect: { trustStatus: 'not-a-mint' },
  },
  {
    name: 'nothing',
    summary: 'An address that was never used.',
    place: () => addressFor('unused address'),
    expect: { trustStatus: 'not-a-mint' },
  },
  {
    name: 'one wallet',
    summary: 'One wallet holds everything, and there is no pool.',
    place: (chain) =>
      placeToken(chain, 'one wallet', { distribution: { pool: 0, wallets: 100, walletCount: 1, burnt: 0 } }).mint,
    expect: { trustStatus: 'Medium Risk', windows: FREE, findings: ['concentrated-supply', 'no-pool'] },
  },
  {
    name: 'frozen holders',
    summary: 'Three of the largest holders were frozen.',
    place: (chain) =>
      placeToken(chain, 'frozen holders', { freezeAuthority: owner, distribution: { frozenWallets: 3 } }).mint,
    expect: { trustStatus: 'High Risk', windows: FREE, findings: ['frozen-holders', 'freeze'] },
  },
  {
    name: 'liquidity in one hand',
    summary: 'One wallet can take out all of the liquidity.',
    place: (chain) => placeToken(chain, 'liquidity in one hand', { pool: { heldLiquidity: 95 } }).mint,
    expect: { trustStatus: 'Medium Risk', windows: FREE, findings: ['liquidity-not-locked'] },
  },
  {
    name: 'liquidity pulled',
    summary: 'The coins were taken out of the pool.',
    place: (chain) => placeToken(chain, 'liquidity pulled', { pool: { quote: 0n } }).mint,
    expect: { trustStatus: 'High Risk', findings: ['liquidity-gone'] },
  },
  {
    name: 'pool of a tenth of a coin',
    summary: 'The pool pays next to nothing for whatever is sold.',
    place: (chain) =>
      placeToken(chain, 'pool of a tenth of a coin', { supply: SUPPLY, pool: { quote: 100_000_000n } }).mint,
    expect: { trustStatus: 'Medium Risk', findings: ['thin-market'], absent: ['liquidity-gone'] },
  },
  {
    name: 'rich pool in coins that are none',
    summary: 'A pool of its own money beside one that holds next to nothing.',
    place: (chain) => {
      const name = 'rich pool in coins that are none'
      const { mint } = placeToken(chain, name, {
        supply: SUPPLY,
        pool: { quote: 100_000_000n },
        distribution: WITH_SECOND_POOL,
      })
      placeWorthlessPool(chain, name, mint)
      return mint
    },
    expect: { trustStatus: 'Medium Risk', findings: ['thin-market'], absent: ['no-pool'] },
  },
  {
    name: 'young pool',
    summary: 'Three coins lie in the pool, beside another in money of its own.',
    place: (chain) => {
      const { mint } = placeToken(chain, 'young pool', {
        supply: SUPPLY,
        pool: { quote: 3_000_000_000n },
        distribution: WITH_SECOND_POOL,
      })
      placeWorthlessPool(chain, 'young pool', mint)
      return mint
    },
    expect: { trustStatus: 'Safe', windows: FREE, absent: ['thin-market', 'no-pool'] },
  },
  {
    name: 'pool switched off',
    summary: 'The exchange refuses all swaps.',
    place: (chain) => placeToken(chain, 'pool switched off', { pool: { isOpen: false } }).mint,
    expect: { trustStatus: 'High Risk', findings: ['pool-closed'] },
  },
  {
    name: 'pool that opens tomorrow',
    summary: 'Swaps begin in twelve hours.',
    place: (chain) => placeToken(chain, 'pool that opens tomorrow', { pool: { opensInSeconds: 43_200 } }).mint,
    expect: { trustStatus: 'High Risk', findings: ['pool-closed'] },
  },
  {
    name: 'copycat',
    summary: 'Calls itself USDС, with a Cyrillic letter.',
    place(chain) {
      const address = addressFor('mint copycat')
      const named = extension.metadata({ mint: address, name: 'USD Coin', symbol: 'USDС' })
      const pointer = extension.metadataPointer(undefined, address)
      return placeToken(chain, 'copycat', { address, extensions: [pointer, named] }).mint
    },
    expect: { trustStatus: 'High Risk', windows: FREE, findings: ['copycat'], absent: ['mutable-metadata'] },
  },
  {
    name: 'changeable Metaplex name',
    summary: 'The metadata program lets an authority give it another name.',
    place: (chain) => placeMetaplex(chain, 'changeable Metaplex name', true),
    expect: { trustStatus: 'Low Risk', windows: FREE, findings: ['mutable-metadata'] },
  },
  {
    name: 'fixed Metaplex name',
    summary: 'The metadata program lets no account give it another name.',
    place: (chain) => placeMetaplex(chain, 'fixed Metaplex name', false),
    expect: { trustStatus: 'Safe', windows: FREE, absent: ['mutable-metadata'] },
  },
  {
    name: 'launch curve',
    summary: 'Still on the curve of its launch.',
    place: (chain) => placeCurve(chain, 'launch curve', false),
    expect: { trustStatus: 'Safe', windows: FREE, absent: ['no-pool'] },
  },
  {
    name: 'finished launch curve',
    summary: 'The curve has sold out, and no pool followed.',
    place: (chain) => placeCurve(chain, 'finished launch curve', true),
    expect: { trustStatus: 'Low Risk', windows: FREE, findings: ['no-pool'] },
  },
  {
    name: 'unknown extension',
    summary: 'The mint has an extension that is not known.',
    place: (chain) =>
      placeToken(chain, 'unknown extension', { extensions: [{ type: 77, value: new Uint8Array(8) }] }).mint,
    expect: { trustStatus: 'Critical Risk', findings: ['unknown-extension'] },
  },
  {
    name: 'cut extension',
    summary: 'The extensions of the mint end in the middle of one.',
    place(chain) {
      const trailing = packed([16, 3], [16, 32], new Uint8Array(7))
      return placeToken(chain, 'cut extension', { extensions: [extension.interestBearing(undefined, 0)], trailing })
        .mint
    },
    expect: { trustStatus: 'Critical Risk', findings: ['unknown-extension'] },
  },
]

function placeMetaplex(chain: SolanaChain, name: string, mutable: boolean) {
  const { mint } = placeToken(chain, name, {})
  const address = metadataAddress(mint)
  if (address === undefined) throw new DevnetError('no address for metadata')
  const data = packed(
    [8, 4],
    addressBytes(owner),
    addressBytes(mint),
    ...[text('Some Name\0\0\0'), text('SOME\0'), text('')],
    [16, 0],
    // One creator.
    packed([8, 1], [32, 1], addressBytes(owner), [8, 1], [8, 100]),
    [8, 0],
    [8, mutable ? 1 : 0],
  )
  chain.set(address, { lamports: RENT, owner: METADATA_PROGRAM, executable: false, data })
  return mint
}

/** In small units the example exchange reckons too coarsely with few coins. */
const SUPPLY = 1_000_000_000_000n
/** Leaves a tenth of the supply for a second pool. */
const WITH_SECOND_POOL = { pool: 60, wallets: 20, burnt: 10 }
const IN_SECOND_POOL = SUPPLY / 10n

/** A pool of Raydium beside that of the token, which holds much of what is worth nothing. */
function placeWorthlessPool(chain: SolanaChain, name: string, mint: SolanaAddress) {
  const layout = POOL_LAYOUTS.find(({ id }) => id === 'raydium-clmm')
  if (layout === undefined) throw new DevnetError('no layout of Raydium')
  const money = placeToken(chain, `money of ${name}`, { decimals: 9, distribution: { pool: 0 } }).mint
  const pool = addressFor(`worthless pool of ${name}`, 'program')
  const data = new Uint8Array(layout.minBytes)
  for (const [i, each] of [mint, money].entries()) {
    const vault = addressFor(`vault of ${each} beside ${name}`, 'program')
    const mintData = chain.get(each) ?? mintAccount({ supply: 0n })
    chain.set(vault, tokenAccount({ mint: each, mintAccount: mintData, owner: pool, amount: IN_SECOND_POOL }))
    data.set(addressBytes(each), layout.mints[i])
    data.set(addressBytes(vault), layout.vaults[i])
  }
  chain.set(pool, { lamports: RENT, owner: layout.program, executable: false, data })
}

const CURVE_TOKENS = 600_000_000_000_000n

function placeCurve(chain: SolanaChain, name: string, complete: boolean) {
  const { mint } = placeToken(chain, name, { distribution: { pool: 0, wallets: 20, walletCount: 19, burnt: 20 } })
  const curve = PUMP_CURVE.addressOf(mint)
  if (curve === undefined) throw new DevnetError('no address for a curve')
  const data = packed(
    new Uint8Array(8),
    [64, CURVE_TOKENS],
    [64, 40_000_000_000],
    [64, CURVE_TOKENS],
    [64, 10_000_000_000],
    [64, 10n ** 15n],
    [8, complete ? 1 : 0],
    addressBytes(owner),
  )
  chain.set(curve, { lamports: RENT + 10_000_000_000n, owner: PUMP_CURVE.program, executable: false, data })
  const account = chain.get(mint) ?? mintAccount({ supply: 0n })
  const vault = associatedTokenAddress(curve, mint, TOKEN_PROGRAM)
  chain.set(vault, tokenAccount({ mint, mintAccount: account, owner: curve, amount: CURVE_TOKENS }))
  return mint
}
