import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONDITIONS } from '../../src/devnet/solana/examples/hook-conditions.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { addressFor } from '../../src/devnet/solana/scene.js'
import { addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import { type SolanaService, startSolanaService } from '../solana-service.js'
import { readEvents } from './read-events.js'

interface AlertBody {
  id: string
  kind: string
  chainId: number | string
  address: string
  text: string
  block: { number: number; hash: string } | null
  after: { level: string } | null
}

interface WatchBody {
  id: string
  chainId: number | string
  targetContractAddress: string
  verdict: { level: string } | null
  dependencies: { words: number; isComplete: boolean } | null
}

const NAMES = ['hook that counts sales', 'plain', 'fee of 1 %', 'hook with a switch', 'mintable', 'pausable']
let service: SolanaService
beforeAll(async () => {
  service = await startSolanaService([...RULES, ...CONDITIONS].filter(({ name }) => NAMES.includes(name)))
})
afterAll(() => service?.stop())

const addressOf = (name: string) => {
  const found = service.devnet.examples.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no example ${name}`)
  return found.address
}

async function watch(address: SolanaAddress, more: object = {}) {
  const order = { targetContractAddress: address, chainId: 'SOL', ...more }
  const { status, body } = await service.ask<{ watch: WatchBody }>('POST', '/api/watches', order)
  expect(status).toBe(201)
  return service.until(async () => {
    const read = await service.ask<{ watch: WatchBody }>('GET', `/api/watches/${body.watch.id}`)
    return read.body.watch.verdict === null ? undefined : read.body.watch
  })
}

const listAlerts = async () => (await service.ask<{ alerts: AlertBody[] }>('GET', '/api/watches/alerts')).body.alerts
const findAlert = (address: string, kind: string) =>
  service.until(async () => (await listAlerts()).find((alert) => alert.address === address && alert.kind === kind))

/** Writes into an account, as its program would. */
function write(address: SolanaAddress, change: (data: Uint8Array, view: DataView) => void) {
  const { chain } = service.devnet
  const account = chain.get(address)
  if (account === undefined) throw new Error('no account')
  const data = Uint8Array.from(account.data)
  change(data, new DataView(data.buffer))
  chain.set(address, { ...account, data })
}

describe('a watched mint', () => {
  test('that gets an owner of its freezes is told of, and then its worse verdict, by list and by event', async () => {
    const events = readEvents(`${service.url}/api/watches/events`, service.key)
    const mint = addressOf('plain')
    const watched = await watch(mint)
    expect(watched).toMatchObject({ chainId: 'SOL', targetContractAddress: mint, verdict: { level: 'Safe' } })
    expect(watched.dependencies).toMatchObject({ isComplete: true })
    write(mint, (data, view) => {
      view.setUint32(46, 1, true)
      data.set(addressBytes(addressFor('new owner')), 50)
    })
    const owner = await findAlert(mint, 'owner')
    expect(owner).toMatchObject({ chainId: 'SOL', block: { hash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]+$/) } })
    expect(await findAlert(mint, 'level')).toMatchObject({ after: { level: 'High Risk' } })
    await events.until((all) => all.some(({ id }) => id === owner.id))
    events.close()
  })

  test('whose extension changes, whose hook is switched, and whose coins leave is told of', async () => {
    const [pausable, hooked, drained] = ['pausable', 'hook with a switch', 'mintable'].map(addressOf) as SolanaAddress[]
    if (!pausable || !hooked || !drained) throw new Error('an example is missing')
    for (const each of [pausable, hooked, drained]) await watch(each)
    // The last byte of the extension says whether it is paused.
    write(pausable, (data) => data.set([1], data.length - 1))
    const { chain } = service.devnet
    const hook = chain.ownedBy(addressFor('hook of hook with a switch', 'program'))
    const state = hook.find(({ account }) => account.data.length < 64)
    if (state === undefined) throw new Error('the hook has no data')
    write(state.address, (data) => data.fill(1))
    write(addressFor(`quote vault of ${drained}`, 'program'), (_, view) => view.setBigUint64(64, 1_000n, true))
    expect(await findAlert(pausable, 'condition')).toMatchObject({ chainId: 'SOL' })
    expect(await findAlert(pausable, 'level')).toMatchObject({ after: { level: 'Critical Risk' } })
    expect((await findAlert(drained, 'liquidity')).text).toMatch(/0 % are left/)
    await findAlert(hooked, 'condition')
  })

  test('in which people trade is not told of', async () => {
    const [mint, counting] = [addressOf('fee of 1 %'), addressOf('hook that counts sales')]
    const hook = addressFor('hook of hook that counts sales', 'program')
    const [count] = service.devnet.chain.ownedBy(hook).filter(({ account }) => account.data.length === 32)
    if (count === undefined) throw new Error('the hook has no data')
    await watch(mint)
    await watch(counting)
    const before = await listAlerts()
    for (let i = 1; i <= 4; i += 1) {
      write(count.address, (data) => data.fill(i))
      // Supply, fees that were withheld, and a little of the coins.
      write(mint, (_, view) => {
        view.setBigUint64(36, view.getBigUint64(36, true) - 5n, true)
        view.setBigUint64(166 + 4 + 64, BigInt(i), true)
      })
      write(addressFor(`quote vault of ${mint}`, 'program'), (_, view) => {
        view.setBigUint64(64, view.getBigUint64(64, true) - 1_000n, true)
      })
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    expect((await listAlerts()).filter(({ address }) => [mint, counting].includes(address as SolanaAddress))).toEqual(
      [],
    )
    expect(before.every(({ address }) => address !== mint)).toBe(true)
  })
})

test('verdicts of watched mints are followed, to see what becomes of them', async () => {
  await watch(addressOf('pausable'))
  const followed = await service.until(async () => {
    const { body } = await service.ask<{ followed: number }>('GET', '/api/stats')
    return body.followed > 0 ? body.followed : undefined
  })
  expect(followed).toBeGreaterThan(0)
})

describe('POST /api/watches', () => {
  test.each([
    ['0xdAC17F958D2ee523a2206206994597C13D831ec7', 'SOL', 'invalid_address'],
    ['nothing', 'SOL', 'invalid_address'],
    [addressFor('any'), 'sol', 'invalid_address'],
    ['0xdAC17F958D2ee523a2206206994597C13D831ec7', 'sol', 'unsupported_chain'],
    ['0xdAC17F958D2ee523a2206206994597C13D831ec7', 0, 'unsupported_chain'],
  ])('refuses %s on %s', async (targetContractAddress, chainId, code) => {
    expect(await service.ask('POST', '/api/watches', { targetContractAddress, chainId })).toMatchObject({
      status: 400,
      body: { success: false, code },
    })
  })
})
