import { randomBytes } from 'node:crypto'
import { cpus } from 'node:os'
import type { WalletRequest } from '../../src/checks/wallet-request.js'
import { encodeCall } from '../../src/dex/encode-call.js'
import { erc20Abi } from '../../src/dex/read-contract.js'
import { type Address, bytesToHex } from '../../src/hex.js'
import { type PhishingOnDevnet, startPhishingOnDevnet } from '../../test/phishing/phishing-on-devnet.js'
import { median, report } from './measure.js'
import { processorMs } from './yardstick.js'

const ROUNDS = 1
const OWN_ROUNDS = 5
const WARM_UP_ROUNDS = 2
/** Large contracts of the wild, and the smallest drainer. */
const SHOWN = 8

/** What wallets are asked for: a payment, an approval, both in one, and a permit. */
function requestsOf({ devnet, operator }: PhishingOnDevnet): [string, WalletRequest][] {
  const { wrappedNative: token, v2 } = devnet.chain
  const from = devnet.accounts[3]?.address ?? operator
  const spender = v2[0]?.router ?? operator
  const approve = encodeCall({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] })
  const permit = { owner: from, spender, value: '5', nonce: 0, deadline: 1_900_000_000 }
  return [
    ['wrap', { from, value: 5n, calldata: '0xd0e30db0' }],
    ['approval', { from, calldata: approve }],
    [
      'wrap and approve',
      {
        from,
        calls: [
          { to: token, value: 5n, data: '0xd0e30db0' },
          { to: token, data: approve },
        ],
      },
    ],
    [
      'permit',
      { typedData: { domain: { verifyingContract: token }, types: {}, primaryType: 'Permit', message: permit } },
    ],
  ]
}

/**
 * Processor time of a whole warm phishing check, all threads together: the probes, the reading of
 * the code, and what the nodes are asked.
 */
export async function run(): Promise<void> {
  const stage = await startPhishingOnDevnet()
  try {
    const { chain } = stage.devnet
    const addresses = new Map<string, Address>(await stage.deployAll('0.8.30'))
    for (const { symbol, address } of chain.watchedTokens) addresses.set(symbol, address)
    for (const { name, router } of [...chain.v2.slice(0, 1), ...chain.v3.slice(0, 1), ...chain.v4]) {
      addresses.set(`${name} router`, router)
    }
    const rows: { name: string; cpuMs: number }[] = []
    for (const [name, address] of addresses) {
      for (let i = 0; i < WARM_UP_ROUNDS; i += 1) await stage.check(address, otherPeople())
      const times: number[] = []
      for (let i = 0; i < ROUNDS; i += 1) {
        times.push(await processorMs(() => stage.check(address, otherPeople())))
      }
      rows.push({ name, cpuMs: median(times) })
    }
    const sorted = rows.toSorted((a, b) => b.cpuMs - a.cpuMs)
    const times = sorted.map(({ cpuMs }) => cpuMs)
    report(
      'warm check, p50 of all contracts',
      median(times),
      'ms CPU',
      `${rows.length} contracts, ${cpus().length} cores`,
    )
    report('warm check, p95', times[Math.floor(times.length * 0.05)] ?? Number.NaN, 'ms CPU')
    for (const { name, cpuMs } of sorted.slice(0, SHOWN)) report(`  ${name}`, cpuMs, 'ms CPU')
    const own: number[] = []
    for (const [name, wallet] of requestsOf(stage)) {
      const token = chain.wrappedNative
      const times: number[] = []
      for (let i = 0; i < WARM_UP_ROUNDS + OWN_ROUNDS; i += 1) {
        const ms = await processorMs(() => stage.check(token, { wallet }))
        if (i >= WARM_UP_ROUNDS) times.push(ms)
      }
      own.push(median(times))
      report(`  own case: ${name}`, median(times), 'ms CPU')
    }
    report("a wallet's own case, p50", median(own), 'ms CPU', 'with the check of the contract and of the spender')
  } finally {
    await stage.stop()
  }
}

/** What was seen with the same people is known, and not looked at again. */
const otherPeople = () => ({ traderSeed: bytesToHex(randomBytes(32)) })
