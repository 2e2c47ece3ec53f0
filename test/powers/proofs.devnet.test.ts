import { encodeFunctionData, parseAbi, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { listProofs, NoProofError, type ProofLine } from '../../src/cli/render-proof.js'
import { erc20Abi } from '../../src/dex/read-contract.js'
import type { Address, Hex } from '../../src/hex.js'
import { toEffort, toPowers } from '../../src/reports/honeypot/to-power-body.js'
import { someOf } from '../some-of.js'
import { expectations } from './power-expectations.js'
import { type SweepStage, startSweepStage } from './sweep-stage.js'

/** Each takes seconds: one in so many has its turn each day. */
const SHARE = 16
/** What sweeping all of them may take on a busy machine. */
const SWEEPS_MS = 600_000

const [, recent] = generations
const codes = (recent && readCompiledTraps(recent, 'powers')) ?? new Map<string, Hex>()
/** Fixtures of which a harm was shown. */
const proven = Object.keys(expectations).filter((name) => codes.has(name) && expectations[name]?.effect)

type Fork = (method: string, ...params: readonly unknown[]) => Promise<Hex>
type Sale = ReturnType<typeof listProofs>['sale']

/** Sends what a proof prints. Whether the last transaction went through. */
async function play(fork: Fork, lines: readonly ProofLine[]): Promise<boolean> {
  let went = true
  for (const line of lines) {
    if (line.kind === 'ask') await fork(line.method, ...line.params)
    if (line.kind !== 'send') continue
    const { from, to, input: data, value } = line.step
    const nonce = await fork('eth_getTransactionCount', from, 'latest')
    const hash = await fork('eth_sendTransaction', {
      nonce,
      from,
      to,
      data,
      value: toHex(BigInt(value)),
      gas: toHex(8_000_000),
    })
    const readReceipt = async () => (await fork('eth_getTransactionReceipt', hash)) as unknown as { status: Hex } | null
    // A busy node has not mined it yet.
    const receipt = (await readReceipt()) ?? (await fork('evm_mine').then(readReceipt))
    went = receipt?.status === '0x1'
  }
  return went
}

/** What anyone can ask of the token. */
function createBooks(fork: Fork, token: Address) {
  const read = async (functionName: 'balanceOf' | 'allowance', ...args: string[]) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName, args: args as never })
    const answer = await fork('eth_call', { to: token, data }, 'latest').catch(() => '0x' as const)
    return answer === '0x' ? 0n : BigInt(answer)
  }
  return {
    balanceOf: (of: string) => read('balanceOf', of),
    allowance: (a: string, b: string) => read('allowance', a, b),
  }
}

interface Seen {
  buyer: bigint
  pool: bigint
  /** Of everyone whom the calls name. */
  others: bigint
  allowed: bigint
  /** What the pool got of each unit that the buyer sold; nothing where the sale was refused. */
  soldShare: number
  movedShare: number
}

/** Does something and goes back to the state, and the time, of before. */
async function apart<T>(fork: Fork, act: () => Promise<T>): Promise<T> {
  const { timestamp } = (await fork('eth_getBlockByNumber', 'latest', false)) as unknown as { timestamp: Hex }
  const kept = await fork('evm_snapshot')
  try {
    return await act()
  } finally {
    await fork('evm_revert', kept)
    await fork('evm_setTime', Number(timestamp))
  }
}

async function look(fork: Fork, token: Address, pool: Address, sale: Sale, named: readonly string[]): Promise<Seen> {
  const { balanceOf, allowance } = createBooks(fork, token)
  const { from } = sale
  const [buyer, before] = [await balanceOf(from), await balanceOf(pool)]
  const sum = (of: readonly bigint[]) => of.reduce((total, each) => total + each, 0n)
  const others = sum(await Promise.all(named.map(balanceOf)))
  const allowed = sum(await Promise.all(named.flatMap((to) => [allowance(from, to), allowance(pool, to)])))
  const shareOf = (to: Address, lines: readonly ProofLine[]) =>
    apart(fork, async () => {
      const start = await balanceOf(to)
      const went = await play(fork, lines)
      const [lost, got] = [buyer - (await balanceOf(from)), (await balanceOf(to)) - start]
      return went && lost > 0n ? Number(got) / Number(lost) : 0
    })
  const soldShare = await shareOf(pool, [
    { kind: 'ask', method: 'anvil_impersonateAccount', params: [from] },
    { kind: 'send', step: sale },
  ])
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [NEIGHBOUR, buyer / 2n] })
  const move: ProofLine = { kind: 'send', step: { ...sale, to: token, input: data, value: '0' } }
  return { buyer, pool: before, others, allowed, soldShare, movedShare: await shareOf(NEIGHBOUR, [move]) }
}

const NEIGHBOUR: Address = `0x${'4e'.repeat(20)}`

/** Whether the harm is seen that the report tells, by what anyone can ask of the token. */
function isHarmed(effect: string, usual: Seen, now: Seen): boolean {
  switch (effect) {
    case 'mints':
    case 'mints-unseen':
      return now.others + now.buyer > usual.others + usual.buyer
    case 'takes-allowance':
      return now.allowed > usual.allowed
    case 'moves-balance':
    case 'burns-balance':
      return now.buyer < usual.buyer
    case 'pulls-liquidity':
      return now.pool < usual.pool
    case 'raises-tax':
      return now.soldShare < usual.soldShare
    case 'blocks-transfers':
    case 'raises-transfer-tax':
      return now.movedShare < usual.movedShare
    default:
      return now.soldShare === 0
  }
}

/** Accounts that the calls come from, go to and name. */
const accountsIn = (lines: readonly ProofLine[]): string[] => {
  const words = lines.flatMap((line) =>
    line.kind === 'send'
      ? [line.step.from, ...(line.step.input.slice(10).match(/.{64}/g) ?? []).map((word) => `0x${word.slice(24)}`)]
      : [],
  )
  return [...new Set(words.map((word) => word.toLowerCase()))]
}

interface Traded {
  token: Address
  powers: unknown
  powersTried: unknown
}

/** What a report says of each, as JSON. */
async function sweepAll(stage: SweepStage, names: readonly string[]): Promise<Map<string, Traded>> {
  const offers = names.map((name) => ({
    ...{ name, creationCode: codes.get(name) ?? ('0x' as const) },
    after: expectations[name]?.after ?? [],
  }))
  const trades = new Map<string, Traded>()
  for (const [i, token] of (await stage.list(offers)).entries()) {
    const { facts } = await stage.sweep(token)
    const sweep = { ...facts, unfinished: facts.unfinished || undefined }
    const trade = JSON.stringify({ powers: toPowers(facts.powers), powersTried: toEffort(sweep) })
    trades.set(names[i] ?? '', { token, ...JSON.parse(trade) })
  }
  return trades
}

/** Proofs after which the harm that the report tells was not seen. */
async function listHarmless(stage: SweepStage, { token, ...trade }: Traded): Promise<string[]> {
  const { scene, sale, proofs } = listProofs({ honeypotResponse: trade })
  const fork: Fork = (method, ...params) => stage.devnet.node.call(method, ...params)
  const pool = await pairOf(fork, sale.to as Address, token)
  const harmless: string[] = []
  await apart(fork, async () => {
    expect(await play(fork, scene)).toBe(true)
    for (const { effect, lines } of proofs) {
      const named = accountsIn(lines).filter((each) => each !== sale.from.toLowerCase() && each !== pool)
      const usual = await look(fork, token, pool, sale, named)
      expect(usual.soldShare).toBeGreaterThan(0)
      await apart(fork, async () => {
        await play(fork, lines)
        const now = await look(fork, token, pool, sale, named)
        if (!isHarmed(effect, usual, now)) harmless.push(`${effect} ${JSON.stringify(lines)}`)
      })
    }
  })
  return harmless
}

describe('what a proof prints, sent to a node as plain transactions,', () => {
  const names = someOf(proven, SHARE)
  let stage: SweepStage
  /** All are swept before a node's clock is moved. */
  let trades = new Map<string, Traded>()
  beforeAll(async () => {
    stage = await startSweepStage()
    trades = await sweepAll(stage, names)
  }, SWEEPS_MS)
  afterAll(() => stage?.stop())

  test.each(names)('does the same harm: %s', async (name) => {
    const trade = trades.get(name) ?? { token: '0x', powers: [], powersTried: null }
    // A forced signature, and a contract that is not there yet, are no transactions.
    if (!JSON.stringify(trade).includes('"proof":{'))
      return expect(() => listProofs({ honeypotResponse: trade })).toThrow(NoProofError)
    expect(await listHarmless(stage, trade)).toEqual([])
  })
})

describe('a proof that waits for a date', () => {
  let stage: SweepStage
  beforeAll(async () => {
    stage = await startSweepStage()
  })
  afterAll(() => stage?.stop())

  // Other sweeps in between would give the node's clock the seconds that are asked for.
  test('comes no sooner than it, right after the report, in blocks that are a second apart', async () => {
    const trade = (await sweepAll(stage, ['ClosesLater'])).get('ClosesLater')
    expect(trade && (await listHarmless(stage, trade))).toEqual([])
  })
})

/** As the router tells it: proxies have no function for it. */
async function pairOf(fork: Fork, router: Address, token: Address): Promise<Address> {
  const ask = async (to: Address, data: Hex) =>
    `0x${(await fork('eth_call', { to, data }, 'latest')).slice(26)}` as Address
  const coin = await ask(router, encodeFunctionData({ abi: routerAbi, functionName: 'WETH' }))
  const factory = await ask(router, encodeFunctionData({ abi: routerAbi, functionName: 'factory' }))
  return ask(factory, encodeFunctionData({ abi: routerAbi, functionName: 'getPair', args: [token, coin] }))
}

const routerAbi = parseAbi([
  'function WETH() view returns (address)',
  'function factory() view returns (address)',
  'function getPair(address, address) view returns (address)',
])
