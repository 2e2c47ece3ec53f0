import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SolanaTokenReport } from '../../src/checks/solana/solana-report.js'
import { RENT, type SolanaChain } from '../../src/devnet/solana/cluster.js'
import { MARKETS } from '../../src/devnet/solana/examples/markets.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import {
  addressFor,
  hookEntry,
  placeData,
  placeHook,
  placeHookList,
  placeToken,
  wallet,
} from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import { extension } from '../../src/devnet/solana/token-data.js'
import { addressBytes } from '../../src/solana/address.js'
import { packed } from '../../src/solana/instruction.js'
import {
  CLOCK_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  UPGRADEABLE_LOADER,
} from '../../src/solana/programs.js'
import { SolanaUnavailableError } from '../../src/solana/rpc/solana-rpc-client.js'
import { createSvmEngine } from '../../src/solana/svm/engine.js'
import { transferChecked } from '../../src/solana/token/token-instructions.js'
import { createSolanaStage, type Judged, type SolanaStage } from './solana-stage.js'

/** A token whose hook is placed by hand. */
const withHook = (
  name: string,
  placeProgram: (chain: SolanaChain, hook: ReturnType<typeof addressFor>) => void,
): SolanaExample => ({
  name,
  summary: name,
  expect: { trustStatus: 'Critical Risk' },
  place(chain) {
    const hook = addressFor(`hook of ${name}`, 'program')
    placeProgram(chain, hook)
    return placeToken(chain, name, { extensions: [extension.transferHook(undefined, hook)] }).mint
  },
})

/** A hook with twelve accounts, each named by the data of the one before. */
const withChain = (name: string, behaviour: string): SolanaExample => ({
  name,
  summary: name,
  expect: { trustStatus: 'Low Risk' },
  place(chain) {
    const hook = placeHook(chain, name, { behaviour })
    const { mint, vault } = placeToken(chain, name, { extensions: [extension.transferHook(undefined, hook)] })
    let next = placeData(chain, `${name} end`, hook, new Uint8Array(32))
    for (let i = 0; i < LINKS; i += 1) next = placeData(chain, `${name} ${i}`, hook, addressBytes(next))
    const links = Array.from({ length: LINKS }, (_, i) => hookEntry.keyInData(FIRST_EXTRA + 1 + i, 0))
    placeHookList(chain, hook, mint, [hookEntry.literal(vault ?? mint), hookEntry.literal(next), ...links])
    return mint
  },
})
const LINKS = 11
/** Behind source, mint, destination, owner and the list. */
const FIRST_EXTRA = 5

const HOSTILE: readonly SolanaExample[] = [
  withHook('hook of garbage', (chain, hook) => {
    const program = { lamports: RENT, owner: UPGRADEABLE_LOADER, executable: true }
    const code = addressFor('garbage code', 'program')
    chain.set(code, {
      ...program,
      executable: false,
      data: packed([32, 3], [64, 1], [8, 0], new Uint8Array(32), new Uint8Array(5_000).fill(0xab)),
    })
    try {
      chain.set(hook, { ...program, data: packed([32, 2], addressBytes(code)) })
    } catch {
      // The devnet's own machine refuses it too; on the chain the account could stand there.
    }
  }),
  withHook('hook without its code', (chain, hook) => {
    const data = packed([32, 2], addressBytes(addressFor('no code here', 'program')))
    try {
      chain.set(hook, { lamports: RENT, owner: UPGRADEABLE_LOADER, executable: true, data })
    } catch {
      // As above.
    }
  }),
  {
    name: 'hook with an account of ten megabytes',
    summary: '',
    expect: { trustStatus: 'Low Risk' },
    place(chain) {
      const hook = placeHook(chain, 'huge account', { behaviour: 'allow' })
      const { mint } = placeToken(chain, 'huge account', { extensions: [extension.transferHook(undefined, hook)] })
      const huge = placeData(chain, 'huge', hook, new Uint8Array(10 * 1024 * 1024))
      placeHookList(chain, hook, mint, [hookEntry.literal(huge)])
      return mint
    },
  },
  {
    name: 'hook that wants all accounts there are',
    summary: '',
    expect: { trustStatus: 'Critical Risk' },
    place(chain) {
      const hook = placeHook(chain, 'greedy', { behaviour: 'allow' })
      const { mint } = placeToken(chain, 'greedy', { extensions: [extension.transferHook(undefined, hook)] })
      const entries = Array.from({ length: 32 }, (_, i) => hookEntry.literal(addressFor(`wanted ${i}`)))
      placeHookList(chain, hook, mint, entries)
      return mint
    },
  },
  withChain('chained hook', 'allow'),
  withChain('chained hook that denies sales', 'deny-sell'),
  {
    name: 'multisig',
    summary: '',
    expect: { trustStatus: 'not-a-mint' },
    place(chain) {
      const address = addressFor('a multisig', 'program')
      chain.set(address, {
        lamports: RENT,
        owner: TOKEN_2022_PROGRAM,
        executable: false,
        data: new Uint8Array(355).fill(1),
      })
      return address
    },
  },
  ...RULES.filter(({ name }) => name === 'plain' || name === 'freezable'),
  ...MARKETS.filter(({ name }) => name === 'one wallet'),
]

let stage: SolanaStage
beforeAll(async () => {
  stage = await createSolanaStage({ examples: HOSTILE, engine: createSvmEngine({ threads: 1, runsPerThread: 3 }) })
})
afterAll(() => stage.close())

const ask = async (name: string): Promise<Judged<SolanaTokenReport>> => {
  const report = await stage.check({ address: stage.addressOf(name) })
  if (report.kind !== 'token') throw new Error(`${name} is no token`)
  return report
}

describe('what is made to break an analysis', () => {
  test.each(['hook of garbage', 'hook without its code'])('%s lets nobody sell', async (name) => {
    expect(await ask(name)).toMatchObject({ level: 'Critical Risk', isHoneypot: true, gaps: [] })
  })

  test('an account of ten megabytes is passed through', async () => {
    const report = await ask('hook with an account of ten megabytes')
    expect(report).toMatchObject({ level: 'Low Risk', isHoneypot: false, gaps: [] })
  })

  test('a hook that wants more accounts than the runtime carries lets nobody sell', async () => {
    const report = await ask('hook that wants all accounts there are')
    expect(report).toMatchObject({ level: 'Critical Risk', gaps: [], isHoneypot: true })
  })

  test('accounts that depend on each other are followed to the end, for a trap and for its twin', async () => {
    expect(await ask('chained hook that denies sales')).toMatchObject({
      ...{ level: 'Critical Risk', isHoneypot: true, gaps: [] },
    })
    expect(await ask('chained hook')).toMatchObject({ level: 'Low Risk', isHoneypot: false, gaps: [] })
  })

  test('a multisig is no mint', async () => {
    expect(await stage.check({ address: stage.addressOf('multisig') })).toMatchObject({
      kind: 'not-a-mint',
      isProgram: false,
    })
  })

  test('threads are replaced under way, and nothing of one token is left for the next', async () => {
    const before = await ask('plain')
    for (let i = 0; i < 8; i += 1) await ask(i % 2 === 0 ? 'freezable' : 'one wallet')
    const after = await ask('plain')
    expect(after.findings).toEqual(before.findings)
    expect(after.play).toEqual(before.play)
  })
})

describe('history', () => {
  test('a token that nobody has moved is dead, and one that is traded is not', async () => {
    expect((await ask('plain')).history).toMatchObject({
      success: true,
      activityPulse: 'Dead / No Activity',
      recent: [],
    })
    const { chain } = stage.devnet
    const { mint, vault } = placeToken(chain, 'lively', {})
    const [trader, account] = [addressFor('lively trader'), addressFor('lively account', 'program')]
    chain.set(trader, wallet())
    const held = chain.get(vault ?? mint)
    if (held === undefined || vault === undefined) throw new Error('no vault')
    const data = Uint8Array.from(held.data)
    data.set(addressBytes(trader), 32)
    chain.set(account, { ...held, data })
    const order = { address: mint, tokenProgram: TOKEN_PROGRAM, decimals: 6 }
    for (let i = 0; i < 12; i += 1) {
      const sale = transferChecked(order, { from: account, to: vault, authority: trader, amount: BigInt(i + 1) })
      expect(chain.send(trader, [sale], i * 600)).toBe(true)
    }
    const report = await stage.check({ address: mint })
    expect(report.history).toMatchObject({ success: true, activityPulse: 'Active' })
    expect(report.history.recent).toHaveLength(10)
  })
})

test('a clock that makes no sense is no answer', async () => {
  const broken = await createSolanaStage({
    examples: RULES.filter(({ name }) => name === 'plain'),
    maxHeadAgeMs: 60_000,
    nodeUrls: async (url) => {
      const { startFaultProxy } = await import('../fault-proxy/fault-proxy.js')
      const proxy = await startFaultProxy(url)
      proxy.inject({
        name: 'garbage clock',
        method: 'getMultipleAccounts',
        answer: (honest, { params }) => {
          const at = (params[0] as string[]).indexOf(CLOCK_SYSVAR)
          const { value } = honest.result as { value: unknown[] }
          if (at >= 0) value[at] = { lamports: 1, owner: SYSTEM_PROGRAM, executable: false, data: ['AAAA', 'base64'] }
          return honest
        },
      })
      return [proxy.url]
    },
  })
  try {
    await expect(broken.check({ address: broken.addressOf('plain') })).rejects.toThrow(SolanaUnavailableError)
  } finally {
    await broken.close()
  }
})
