import { encodeDeployData, encodeFunctionData, getContractAddress, keccak256, parseAbi, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { rankPowers } from '../../src/checks/powers/powers-score.js'
import { readPackaged } from '../../src/devnet/artifacts.js'
import { type Address, type Hex, ZERO_ADDRESS } from '../../src/hex.js'
import { type SweepStage, startSweepStage } from './sweep-stage.js'

const CONTROLLER = readPackaged('@openzeppelin/contracts/build/contracts/TimelockController.json')
const DELAY = 172_800n
const abi = parseAbi([
  'function handOver(address next)',
  'function renounceRole(bytes32 role, address account)',
  'function grantRole(bytes32 role, address account)',
])
const ADMIN_ROLE: Hex = `0x${'00'.repeat(32)}`
const EXECUTOR_ROLE = keccak256(toHex('EXECUTOR_ROLE'))
const WAITS = { kind: 'timelock', delaySeconds: Number(DELAY) }

let stage: SweepStage
beforeAll(async () => {
  stage = await startSweepStage()
})
afterAll(() => stage?.stop())

async function send(from: Address, to: Address | undefined, data: Hex): Promise<void> {
  const call = { from, ...(to && { to }), data, gas: '0x7a1200' }
  const { status } = await stage.devnet.node.call<{ status: Hex }>('eth_sendTransactionSync', call)
  if (status !== '0x1') throw new Error('a transaction failed')
}

/** A token with an unbounded fee in the hands of OpenZeppelin's own TimelockController. */
async function handOver(executors: readonly Address[], admin: Address, then: readonly Hex[] = []): Promise<Address> {
  const [, recent] = generations
  const creationCode = (recent && readCompiledTraps(recent, 'powers')?.get('HandedFee')) ?? '0x'
  const [token = ZERO_ADDRESS] = await stage.list([{ name: 'HandedFee', creationCode, after: [] }])
  const [owner, proposer] = stage.devnet.accounts.map(({ address }) => address)
  if (!owner || !proposer) throw new Error('the devnet has no accounts')
  const nonce = BigInt(await stage.devnet.node.call<Hex>('eth_getTransactionCount', owner, 'latest'))
  await send(owner, undefined, encodeDeployData({ ...CONTROLLER, args: [DELAY, [proposer], executors, admin] }))
  const controller = getContractAddress({ from: owner, nonce }).toLowerCase() as Address
  for (const data of then) await send(owner, controller, data)
  await send(owner, token, encodeFunctionData({ abi, functionName: 'handOver', args: [controller] }))
  return token
}

async function holderOf(token: Address) {
  const { facts, verdict } = await stage.sweep(token)
  expect(facts.unfinished).toBe('')
  const [worst] = rankPowers(facts.powers)
  return { effect: worst?.effect, kind: worst?.holder.kind, delaySeconds: worst?.holder.delaySeconds, verdict }
}

describe("OpenZeppelin's timelock is one", () => {
  const account = (index: number) => stage.devnet.accounts[index]?.address ?? ZERO_ADDRESS
  const renounce = () => encodeFunctionData({ abi, functionName: 'renounceRole', args: [ADMIN_ROLE, account(0)] })
  const grant = () => encodeFunctionData({ abi, functionName: 'grantRole', args: [EXECUTOR_ROLE, account(3)] })

  test.each<[string, () => Promise<Address>]>([
    ['with executors open to all, and no admin', () => handOver([ZERO_ADDRESS], ZERO_ADDRESS)],
    ['with one executor, and no admin', () => handOver([account(2)], ZERO_ADDRESS)],
    ['with one executor, and an admin', () => handOver([account(2)], account(0), [grant()])],
    ['with one executor, and an admin that has gone', () => handOver([account(2)], account(0), [renounce()])],
    ['with executors open to all, and an admin', () => handOver([ZERO_ADDRESS], account(0))],
  ])('%s', async (_, make) => {
    expect(await holderOf(await make())).toMatchObject({
      ...{ effect: 'blocks-sells', ...WAITS, verdict: { level: 'Low Risk', score: 30 } },
    })
  })
})
