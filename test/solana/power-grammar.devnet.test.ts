import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RENT, type SolanaChain } from '../../src/devnet/solana/cluster.js'
import {
  addressFor,
  placeHook,
  placeHookList,
  placeMultisig,
  placeToken,
  readProgram,
} from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import { type ExtensionData, extension, type MintOrder } from '../../src/devnet/solana/token-data.js'
import { address, type SolanaAddress } from '../../src/solana/address.js'
import { TOKEN_2022_PROGRAM, USDC } from '../../src/solana/programs.js'
import { someOf } from '../some-of.js'
import { showBesideProgram } from './group-accounts.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/**
 * Every power that an account can have over a token, held by every kind of account, with and
 * without a market: each is proven, told by its name, and High Risk at least where one person holds
 * it. The same token without the power, with a rule that harms no holder, or with a group that can
 * freeze or pause as issuers do, is Medium at most.
 */
type Chain = SolanaChain
type Parts = Pick<MintOrder, 'mintAuthority' | 'freezeAuthority'> & { extensions?: readonly ExtensionData[] }

const POWERS: Readonly<
  Record<string, { finding: string; parts(by: SolanaAddress, chain: Chain, name: string): Parts }>
> = {
  freeze: { finding: 'freeze', parts: (by) => ({ freezeAuthority: by, extensions: [] }) },
  seize: { finding: 'permanent-delegate', parts: (by) => ({ extensions: [extension.permanentDelegate(by)] }) },
  pause: { finding: 'pause', parts: (by) => ({ extensions: [extension.pausable(by, false)] }) },
  'raise the fee': { finding: 'mutable-fee', parts: (by) => ({ extensions: [noFee(by)] }) },
  'replace the hook': {
    finding: 'replaceable-hook',
    parts: (by, chain, name) => ({ extensions: [extension.transferHook(by, harmlessHook(chain, name))] }),
  },
}

const noFee = (authority: SolanaAddress | undefined) =>
  extension.transferFee({ ...(authority && { authority }), bps: 0 })

const hookOf = (name: string) => addressFor(`hook of ${name}`, 'program')
function harmlessHook(chain: Chain, name: string): SolanaAddress {
  return placeHook(chain, name, { behaviour: 'allow' })
}

/** Two of three persons. */
const GROUP = 'two of three'
const OF_ISSUERS: readonly string[] = ['freeze', 'pause']
/** In a multisig of the token programs. */
const FIRST_KEY_AT = 3
const SECOND_KEY_AT = 35

const HOLDERS: Readonly<Record<string, (chain: Chain, name: string) => SolanaAddress>> = {
  'a wallet': (_, name) => addressFor(`owner of ${name}`),
  'one key in two places': (chain, name) => {
    const holder = placeMultisig(chain, name, TOKEN_2022_PROGRAM)
    const account = chain.get(holder)
    if (account === undefined) throw new Error('no multisig')
    const data = Uint8Array.from(account.data)
    data.copyWithin(SECOND_KEY_AT, FIRST_KEY_AT, SECOND_KEY_AT)
    chain.set(holder, { ...account, data })
    return holder
  },
  [GROUP]: (chain, name) => placeMultisig(chain, name, TOKEN_2022_PROGRAM),
  'an account of a program that a wallet can replace': (chain, name) => {
    const program = addressFor(`owning program of ${name}`, 'program')
    const holder = addressFor(`program account of ${name}`, 'program')
    chain.deploy(program, readProgram('hook-allow'), addressFor(`deployer of ${name}`))
    chain.set(holder, { lamports: RENT, owner: program, executable: false, data: new Uint8Array(8) })
    return holder
  },
}

const MARKETS: readonly ('a market' | 'no market')[] = ['a market', 'no market']

/** Rules that harm no holder. */
const TWINS: Readonly<Record<string, (chain: Chain, name: string) => Parts>> = {
  'no power at all': () => ({}),
  'no power, with extensions': () => ({ extensions: [] }),
  'a fee of nothing for ever': () => ({ extensions: [noFee(undefined)] }),
  'a hook for ever': (chain, name) => ({ extensions: [extension.transferHook(undefined, harmlessHook(chain, name))] }),
  'a modest interest': () => ({ extensions: [extension.interestBearing(undefined, 500)] }),
  'a display factor of one': () => ({ extensions: [extension.scaledUiAmount(undefined, 1)] }),
  'a pause without an authority': () => ({ extensions: [extension.pausable(undefined, false)] }),
  'burns that need leave': (_, name) => ({ extensions: [extension.permissionedBurn(addressFor(`burner of ${name}`))] }),
  'a name': (_, name) => ({
    extensions: [
      extension.metadataPointer(undefined, addressFor(`mint ${name}`)),
      extension.metadata({ mint: addressFor(`mint ${name}`), name: 'Some Name', symbol: 'SOME' }),
    ],
  }),
}

function place(chain: Chain, name: string, parts: Parts, market: string): SolanaAddress {
  const { mint } = placeToken(chain, name, {
    ...parts,
    ...(market === 'no market' && { distribution: { pool: 0, wallets: 20, burnt: 80 } }),
  })
  const hasHook = parts.extensions?.some(({ type }) => type === TRANSFER_HOOK)
  if (hasHook) placeHookList(chain, hookOf(name), mint, [])
  return mint
}
const TRANSFER_HOOK = 14

interface Row {
  name: string
  isTrap: boolean
  /** What tells of the power, where there is one. */
  finding: string | undefined
  example: SolanaExample
}

const row = ({ name, isTrap, finding }: Omit<Row, 'example'>, parts: (chain: Chain) => Parts, market: string): Row => ({
  name,
  isTrap,
  finding,
  example: {
    name,
    summary: name,
    expect: { trustStatus: isTrap ? 'High Risk' : 'Medium Risk' },
    place: (chain) => place(chain, name, parts(chain), market),
  },
})

const all: readonly Row[] = MARKETS.flatMap((market) => [
  ...Object.entries(POWERS).flatMap(([power, { finding, parts }]) =>
    Object.entries(HOLDERS).map(([holder, placeHolder]) => {
      const name = `${power}, held by ${holder}, with ${market}`
      const isTrap = holder !== GROUP || !OF_ISSUERS.includes(power)
      return row({ name, isTrap, finding }, (chain) => parts(placeHolder(chain, name), chain, name), market)
    }),
  ),
  ...Object.entries(TWINS).map(([rule, parts]) => {
    const name = `${rule}, with ${market}`
    return row({ name, isTrap: false, finding: undefined }, (chain) => parts(chain, name), market)
  }),
])

/** One in so many, other ones each day. */
const SHARE = 6
const rows = someOf(all, SHARE)

/** Widely used tokens, with the powers that their issuers have. */
const ISSUERS: readonly { name: string; mint: SolanaAddress; freeze: boolean; by: 'wallet' | 'program' }[] = [
  { name: 'USDC', mint: USDC, freeze: true, by: 'wallet' },
  { name: 'EURC', mint: address('HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr'), freeze: true, by: 'wallet' },
  { name: 'JitoSOL', mint: address('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'), freeze: false, by: 'program' },
  // Not on any list: a stake pool's mint, which its program alone mints.
  { name: 'a staking pool', mint: addressFor('mint of a staking pool'), freeze: false, by: 'program' },
]

const issued = ISSUERS.map(({ name, mint, freeze, by }): SolanaExample => {
  const issuer = addressFor(`issuer of ${name}`, by)
  return {
    name,
    summary: name,
    expect: { trustStatus: 'Low Risk' },
    place(chain) {
      showBesideProgram(chain, issuer)
      return placeToken(chain, name, {
        ...{ address: mint, mintAuthority: issuer },
        ...(freeze && { freezeAuthority: issuer }),
      }).mint
    },
  }
})

let stage: SolanaStage
beforeAll(async () => {
  stage = await createSolanaStage({ examples: [...rows.map(({ example }) => example), ...issued] })
})
afterAll(() => stage.close())

const GRAVE = ['High Risk', 'Critical Risk']

async function ask(name: string) {
  const report = await stage.check({ address: stage.addressOf(name) })
  if (report.kind !== 'token') throw new Error(`${name} is no token`)
  expect(report.gaps).toEqual([])
  return { ...report, ids: report.findings.map(({ id }) => id as string) }
}

describe('powers', () => {
  test.each(rows.filter(({ isTrap }) => isTrap))('$name', async ({ name, finding = '' }) => {
    const { level, ids, findings } = await ask(name)
    expect(ids).toContain(finding)
    expect(GRAVE, `${level}: ${ids}`).toContain(level)
    expect(findings.find(({ id }) => id === finding)?.proven).toBe(true)
  })
})

describe('twins', () => {
  test.each(rows.filter(({ isTrap }) => !isTrap))('$name', async ({ name, finding }) => {
    const { level, ids, isHoneypot, findings } = await ask(name)
    expect(isHoneypot).toBe(false)
    expect(GRAVE, `${level}: ${ids}`).not.toContain(level)
    if (finding) expect(findings.find(({ id }) => id === finding)?.proven).toBe(true)
  })
})

test.each(ISSUERS)('$name is calm', async ({ name }) => {
  const { level, ids, isHoneypot } = await ask(name)
  expect(isHoneypot).toBe(false)
  expect(GRAVE, `${level}: ${ids}`).not.toContain(level)
})
