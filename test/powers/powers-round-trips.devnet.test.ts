import { concatHex, encodeAbiParameters, getContractAddress, keccak256, parseEther, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { createReadTransfers } from '../../src/checks/history/read-transfers.js'
import { checkHolders } from '../../src/checks/holders/check-holders.js'
import { checkLiquidity } from '../../src/checks/liquidity/check-liquidity.js'
import { createReadShares } from '../../src/checks/liquidity/read-shares.js'
import { checkPowers } from '../../src/checks/powers/check-powers.js'
import { createReadRoleMembers, type RoleMembers } from '../../src/checks/powers/read-role-members.js'
import { createRecipeMemory } from '../../src/checks/powers/recipe-memory.js'
import { createV2Market, transfer } from '../../src/devnet/market.js'
import type { Address, Hex } from '../../src/hex.js'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { type Sale, startSale } from '../sale.js'

const SAFE = '0x41675c099f32341bf84bfc5382af534df5c7461a'
const [, recent] = generations
const codes = recent && readCompiledTraps(recent, 'powers')

let proxy: FaultProxy
let sale: Sale
beforeAll(async () => {
  sale = await startSale(async (url) => {
    proxy = await startFaultProxy(url)
    return proxy.url
  })
  await sale.devnet.node.call('anvil_setCode', SAFE, '0x60006000fd')
})
afterAll(async () => {
  await sale?.stop()
  await proxy?.close()
})

/** A fixture of `contracts/powers` on sale. */
async function onSale(name: string, ...after: string[]): Promise<{ token: Address; pool: Address }> {
  const { chain, node } = sale.devnet
  const argument = encodeAbiParameters([{ type: 'address' }], [createV2Market(chain).router])
  const nonce = BigInt(await node.call<Hex>('eth_getTransactionCount', sale.owner, 'latest'))
  await sale.send({ from: sale.owner, data: concatHex([codes?.get(name) ?? '0x', argument]) })
  const token = getContractAddress({ from: sale.owner, nonce }).toLowerCase() as Address
  const pool = await sale.list(token)
  for (const call of after)
    await sale.send({ from: sale.owner, to: token, data: keccak256(toHex(`${call}()`)).slice(0, 10) as Hex })
  return { token, pool }
}

/** HTTP requests until `work` is done. */
async function count(work: () => Promise<unknown>): Promise<number> {
  proxy.reset()
  await work()
  return proxy.seen.http
}

/** One for state; what is behind a timelock is known only when the timelock is. */
describe('requests beyond trading', () => {
  test.each([
    ['an ordinary owner', 'SettableFee', [], 1],
    ['a proxy', 'ProxySwap', [], 1],
    ['members of a role', 'RoleFee', ['renounce'], 1],
    ['a multisig', 'MultisigFee', ['handOver'], 1],
    ['a timelock', 'TimelockedFee', ['handOver'], 2],
  ] as const)('of a sweep with %s', async (_, name, after, expected) => {
    const { token: address } = await onSale(name, ...after)
    const state = await sale.openState(address)
    const target = { chain: sale.devnet.chain, address }
    const readRoleMembers = createReadRoleMembers(() => sale.rpc)
    let members: Promise<RoleMembers> = Promise.resolve({ accounts: [], areAll: true })
    const ask = () => {
      members = readRoleMembers(target, state)
      return members
    }
    // Asked for while the token is traded, and only of code with such events.
    expect(await count(ask)).toBe(name === 'RoleFee' ? 1 : 0)
    const dependencies = { ...people(), recipes: createRecipeMemory() }
    expect(await count(() => checkPowers(dependencies, target, state, members))).toBe(expected)
  })

  test('members of roles that no node tells leave the sweep unfinished, and everything else stands', async () => {
    const { token: address } = await onSale('RoleFee', 'renounce')
    const state = await sale.openState(address)
    const target = { chain: sale.devnet.chain, address }
    const failures: unknown[] = []
    const dependencies = {
      ...people(),
      recipes: createRecipeMemory(),
      onSweepFailure: (error: unknown) => void failures.push(error),
    }
    const whole = await checkPowers(dependencies, target, state, createReadRoleMembers(() => sale.rpc)(target, state))
    expect(whole.unfinished).toBeUndefined()
    const refused = new Error('no logs here')
    const blind = await checkPowers(dependencies, target, state, Promise.reject(refused))
    expect(blind.unfinished).toBe('who has roles in it could not be read')
    expect(blind.powers.length).toBeGreaterThan(0)
    expect(failures).toEqual([refused])
  })

  test('of a look at holders: their transfers and their state', async () => {
    const { token: address, pool } = await onSale('SettableFee')
    const { chain } = sale.devnet
    const market = createV2Market(chain)
    for (const person of sale.people) await sale.send(market.buy(person, address, parseEther('0.1')))
    const state = await sale.openState(address)
    const dependencies = { ...people(), readTransfers: createReadTransfers(() => sale.rpc) }
    expect(await count(() => checkHolders(dependencies, { chain, address }, state, Promise.resolve(pool)))).toBe(2)
  })

  test('of a look at liquidity in wallets: who was given any, and their state', async () => {
    const { token: address, pool } = await onSale('SettableFee')
    const { chain } = sale.devnet
    const shares = await sale.balanceOf(pool, sale.owner)
    await sale.send(transfer(sale.owner, pool, '0x000000000000000000000000000000000000dead', shares / 2n))
    const state = await sale.openState(address)
    const dependencies = { ...people(), readShares: createReadShares(() => sale.rpc) }
    expect(await count(() => checkLiquidity(dependencies, { chain, address }, state, pool))).toBe(2)
  })
})

const people = () => ({ simulator: sale.simulator, traderSecret: new Uint8Array(32) })
