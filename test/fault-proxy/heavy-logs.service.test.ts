import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRANSFER_TOPIC } from '../../src/checks/history/transfer-log.js'
import { type Hex, toPaddedHex, toQuantity } from '../../src/hex.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'

/**
 * A token's author against all others: a block with ten megabytes of the token's own Transfer
 * logs. The service runs as `npm start` runs it, on one node, with the limits of service.
 */

const HEAVY = '0x00000000000000000000000000000000000ea700'
/**
 * LOG3 (Transfer, between two zero addresses) with as many bytes as the first word of calldata
 * says.
 */
const EMITTER: Hex = `0x5f5f7f${TRANSFER_TOPIC.slice(2)}5f355fa300`
const MIB = 1024n * 1024n
/** Five in hex are more than the 8 MiB that an answer may have. */
const LOGS = 5
/**
 * Log data costs 8 gas a byte, the memory a little less than a third of it; below the 2^24 of
 * EIP-7825.
 */
const GAS_PER_LOG = 12_000_000n
/** More than open a breaker, at the same time. */
const ATTACKS = 8
const ROUNDS = 2

interface Answer {
  checks: { simulateResult: { success: boolean }; transactionHistoryResult: { success: boolean } }
}

let service: ServiceOnDevnet

beforeAll(async () => {
  service = await startServiceOnDevnet({ chainId: 1, examples: ['clean'] })
  const { node, accounts } = service.devnet
  await node.call('anvil_setCode', HEAVY, EMITTER)
  await node.call('evm_setAutomine', false)
  for (let i = 0; i < LOGS; i += 1) {
    const call = { from: accounts[0]?.address, to: HEAVY, data: toPaddedHex(MIB, 32), gas: toQuantity(GAS_PER_LOG) }
    await node.call('eth_sendTransaction', call)
  }
  await node.call('evm_setBlockGasLimit', toQuantity(BigInt(LOGS) * GAS_PER_LOG))
  await node.call('anvil_mine', '0x1')
  await node.call('evm_setAutomine', true)
  const logs = await node.call<unknown[]>('eth_getLogs', { address: HEAVY, fromBlock: 'latest', toBlock: 'latest' })
  expect(logs).toHaveLength(LOGS)
})
afterAll(() => service.stop())

/** Different amounts are different questions: none of them shares the answer of another. */
let amount = 10n ** 15n
async function analyse(address: string): Promise<{ status: number; trades?: boolean; moves?: boolean }> {
  amount += 1n
  const response = await fetch(`${service.url}/api/simulate/execute-simulation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ targetContractAddress: address, chainId: 1, amount: `${amount}` }),
  })
  const { checks } = (await response.json()) as Partial<Answer>
  return {
    status: response.status,
    ...(checks && { trades: checks.simulateResult.success, moves: checks.transactionHistoryResult.success }),
  }
}

test('a token with ten megabytes of logs is said to be unreadable, and no other token notices', async () => {
  const clean = service.addressOf('clean')
  const quiet = { status: 200, trades: true, moves: true }
  expect(await analyse(clean)).toEqual(quiet)
  for (let round = 0; round < ROUNDS; round += 1) {
    const attacks = Promise.all(Array.from({ length: ATTACKS }, () => analyse(HEAVY)))
    const victims: unknown[] = []
    const isOver = attacks.then(() => true)
    do victims.push(await analyse(clean))
    while (!(await Promise.race([isOver, Promise.resolve(false)])))
    victims.push(await analyse(clean))
    expect(victims).toEqual(victims.map(() => quiet))
    for (const { status, moves } of await attacks) expect({ status, moves }).toEqual({ status: 200, moves: false })
  }
})
