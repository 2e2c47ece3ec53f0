import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { encodeFunctionData, maxUint256, parseAbi, parseEther, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTokenStage } from '../../bench/accuracy/token-stage.js'
import type { RealContract } from '../../bench/accuracy/trades.js'
import { LEAST_SCORES } from '../../src/checks/levels.js'
import type { Power } from '../../src/checks/powers/power.js'
import { scoreOfPower } from '../../src/checks/powers/powers-score.js'
import { isFailed } from '../../src/checks/settle.js'
import { readConfig } from '../../src/config.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import type { Address, Hex } from '../../src/hex.js'
import type { Assessment } from '../../src/reports/assess.js'
import { createServices, type OwnedServices } from '../../src/wiring/create-services.js'
import { hasSharedData, SHARED_DATA } from '../conformance/shared-data.js'
import { isWhole, someOf } from '../some-of.js'
import { threadsOfWorker } from '../threads-of-worker.js'

const CORPUS = join(SHARED_DATA, 'deployable/ordinary.jsonl.gz')
const isHere = hasSharedData()

/** One token in so many is listed and judged. */
const SHARE = 24
const HIGH = LEAST_SCORES['High Risk']
const GAS = 5_000_000n
const routerAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256, address[], address, uint256) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256, uint256, address[], address, uint256)',
])
const tokenAbi = parseAbi([
  'function approve(address, uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
])

/**
 * Ordinary tokens of mainnet, as they were deployed: an accusation needs a proof that anyone can
 * repeat.
 */
describe.skipIf(!isHere)('ordinary tokens of mainnet', () => {
  let devnet: Devnet
  let owned: OwnedServices
  const listed: { name: string; token: Address }[] = []
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-ordinary-'))

  beforeAll(async () => {
    devnet = await startDevnet({ chainId: 1, examples: [] })
    // On a busy machine the last token's turn comes when the devnet's head is old.
    const env = {
      ...{ ASSAY_RPC_1: devnet.url, ASSAY_MAX_HEAD_AGE: '0', ASSAY_DATA_DIR: dataDir, ASSAY_LOG_LEVEL: 'fatal' },
    }
    owned = await createServices(readConfig(env), { threads: threadsOfWorker() })
    const stage = createTokenStage(devnet)
    for (const contract of someOf(readContracts(), SHARE)) {
      const outcome = await stage.list(contract)
      if ('token' in outcome) listed.push({ name: contract.name, token: outcome.token })
    }
  }, 300_000)
  afterAll(async () => {
    await owned?.close()
    await devnet?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('none is above Medium Risk without a proof that plain transactions reproduce', async () => {
    expect(listed.length).toBeGreaterThan(isWhole ? 40 : 2)
    const unproven: string[] = []
    for (const { name, token } of listed) {
      const assessment = await owned.services.assess({ chain: devnet.chain, address: token })
      const { score, headline } = assessment.verdict
      // Its name is that of a well-known token, which is at another address here.
      if (score < HIGH || headline.startsWith('It looks like')) continue
      const power = provenPower(assessment)
      if (power === undefined) unproven.push(`${name} (${score}): ${headline} without a proof`)
      else if (!(await isReproduced(token, power))) unproven.push(`${name} (${score}): ${power.effect} did not happen`)
    }
    expect(unproven).toEqual([])
  }, 600_000)

  /**
   * The call of a proof with this buyer in the place of the one that was invented for it: the
   * account that has never been used.
   */
  async function against(buyer: Address, input: Hex): Promise<Hex> {
    const words = input.slice(10).match(/.{64}/g) ?? []
    const meant = await Promise.all(
      words.map(async (word) => {
        if (!/^0{24}(?!0{8})/.test(word)) return word
        const account = `0x${word.slice(24)}`
        const [code, nonce] = await Promise.all([
          devnet.node.call<Hex>('eth_getCode', account, 'latest'),
          devnet.node.call<Hex>('eth_getTransactionCount', account, 'latest'),
        ])
        return code === '0x' && nonce === '0x0' ? buyer.slice(2).padStart(64, '0') : word
      }),
    )
    return `${input.slice(0, 10)}${meant.join('')}` as Hex
  }

  /**
   * Buys, sends the calls of the proof as their senders, and looks what became of the buyer, the
   * pool and the supply.
   */
  async function isReproduced(token: Address, { proof, holder }: Power): Promise<boolean> {
    const { node, chain, accounts } = devnet
    const router = chain.v2[0]?.router ?? expect.unreachable()
    const buyer = (accounts[9]?.address ?? expect.unreachable()) as Address
    const snapshot = await node.call<string>('evm_snapshot')
    try {
      const send = async (from: Address, to: Address, data: Hex, value = 0n) => {
        await node.call('anvil_setBalance', from, toHex(parseEther('1000')))
        await node.call('anvil_impersonateAccount', from)
        const fields = { from, to, data, value: toHex(value), gas: toHex(GAS) }
        const receipt = await node.call<{ status: Hex }>('eth_sendTransactionSync', fields).catch(() => undefined)
        return receipt?.status === '0x1'
      }
      const balanceOf = async (of: Address) => {
        const data = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [of] })
        const word = await node.call<Hex>('eth_call', { to: token, data }, 'latest').catch(() => '0x' as const)
        return word === '0x' ? 0n : BigInt(word.slice(0, 66))
      }
      const buying = [0n, [chain.wrappedNative, token], buyer, maxUint256] as const
      const buy = encodeFunctionData({
        ...{ abi: routerAbi, functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens', args: buying },
      })
      await send(buyer, router, buy, parseEther('0.05'))
      const approve = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [router, maxUint256] })
      await send(buyer, token, approve)
      const watched = [...new Set([buyer, ...(proof?.steps ?? []).flatMap(({ from }) => from)])]
      const before = await Promise.all(watched.map(balanceOf))
      await node.call('evm_increaseTime', holder.delaySeconds + 3_600)
      for (const { from, to, input } of proof?.steps ?? []) await send(from, to, await against(buyer, input))
      const after = await Promise.all(watched.map(balanceOf))
      const held = after[0] ?? 0n
      const selling = [held, 0n, [token, chain.wrappedNative], buyer, maxUint256] as const
      const sell = encodeFunctionData({
        ...{ abi: routerAbi, functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens', args: selling },
      })
      const isLost = held < (before[0] ?? 0n)
      // What others have more of came out of nothing, or out of the pool.
      const isGained = after.some((balance, i) => i > 0 && balance > (before[i] ?? 0n))
      return isLost || isGained || held === 0n || !(await send(buyer, router, sell))
    } finally {
      await node.call('evm_revert', snapshot)
    }
  }
})

function readContracts(): RealContract[] {
  const lines = gunzipSync(readFileSync(CORPUS)).toString().trim().split('\n')
  return lines.map((line) => JSON.parse(line) as RealContract).filter(({ kind }) => kind === 'erc20')
}

/** The worst that was shown, with its calls. */
function provenPower({ honeypot }: Assessment): Power | undefined {
  if (honeypot === undefined || isFailed(honeypot)) return undefined
  return honeypot.sweep?.powers.find((power) => power.proof !== undefined && scoreOfPower(power) >= HIGH)
}
