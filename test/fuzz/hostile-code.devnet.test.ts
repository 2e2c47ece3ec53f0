import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { type Address, bytesToHex, type Hex, hexToBytes, toPaddedHex } from '../../src/hex.js'
import { createApp } from '../../src/http/app.js'
import { issueKey } from '../../src/keys/issue.js'
import { createServices, type OwnedServices } from '../../src/wiring/create-services.js'
import { HONEYPOT, SIMULATE } from '../http/test-app.js'
import { fuzz, patience } from './runs.js'

const FIRST_ADDRESS = 0xbad0000n
const CHAIN_ID = 1

let devnet: Devnet
let owned: OwnedServices
let ask: (path: string, target: Address) => Promise<{ status: number; text: string }>
let placed = 0n
const dataDir = mkdtempSync(join(tmpdir(), 'assay-fuzz-'))

beforeAll(async () => {
  devnet = await startDevnet({ chainId: CHAIN_ID, examples: ['taxed'] })
  const nodes = { [`ASSAY_RPC_${CHAIN_ID}`]: devnet.url, ASSAY_MAX_HEAD_AGE: '0' }
  owned = await createServices(readConfig({ ASSAY_DATA_DIR: dataDir, ASSAY_LOG_LEVEL: 'silent', ...nodes }))
  const { services, keyStore: store, clock } = owned
  const limiter = {
    take: async ({ limit }: { limit: number }) => ({ allowed: true, remaining: limit, resetMs: 1 }),
    close: async () => {},
  }
  const app = createApp({ ...services, limiter })
  const { key } = await issueKey({ store, clock }, { label: 'fuzz', tier: 'partner' })
  ask = async (url, targetContractAddress) => {
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ targetContractAddress, chainId: CHAIN_ID }),
    })
    return { status: statusCode, text: body }
  }
})
afterAll(async () => {
  await owned.close()
  await devnet.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Code that nobody wrote gets a report all the same, and nothing in it broke on the way. */
async function expectReports(code: Hex, target: Address = nextAddress()): Promise<void> {
  await devnet.node.call('anvil_setCode', target, code)
  await devnet.node.call('evm_mine')
  for (const path of [SIMULATE, HONEYPOT]) {
    const { status, text } = await ask(path, target)
    expect(status, text).toBe(200)
    expect(text).not.toContain('Internal error')
    expect(JSON.parse(text)).toMatchObject({ success: true })
  }
}

function nextAddress(): Address {
  placed += 1n
  return toPaddedHex(FIRST_ADDRESS + placed, 20)
}

/**
 * Answers every call with these bytes: `CODECOPY` of what follows the twelve bytes of code, then
 * `RETURN`.
 */
function returning(data: Uint8Array): Hex {
  const length = data.length.toString(16).padStart(4, '0')
  return `0x61${length}600c5f3961${length}5ff3${bytesToHex(data).slice(2)}`
}

const word = fc.oneof(
  fc.constantFrom(0n, 1n, 18n, 32n, 64n, 2n ** 255n, 2n ** 256n - 1n, 2n ** 64n),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
)
const words = fc
  .array(word, { maxLength: 8 })
  .map((values) => hexToBytes(`0x${values.map((each) => toPaddedHex(each, 32).slice(2)).join('')}`))

describe('a contract', { timeout: patience(120_000) }, () => {
  test('that answers every question with the same words or bytes', async () => {
    const data = fc.oneof(words, fc.uint8Array({ maxLength: 200 }))
    await fc.assert(
      fc.asyncProperty(data, (bytes) => expectReports(returning(bytes))),
      fuzz(15),
    )
  })

  test('whose code is any bytes', async () => {
    const code = fc.uint8Array({ minLength: 1, maxLength: 600 }).map(bytesToHex)
    await fc.assert(
      fc.asyncProperty(code, (bytes) => expectReports(bytes)),
      fuzz(10),
    )
  })

  test('that is a real token but for some bytes', async () => {
    const token = devnet.examples[0]?.targetContractAddress ?? '0x'
    const real = hexToBytes(await devnet.node.call<Hex>('eth_getCode', token, 'latest'))
    const edit = fc.record({ at: fc.nat(real.length - 1), to: fc.nat(255) })
    const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
      const code = Uint8Array.from(real)
      for (const { at, to } of edits) code[at] = to
      // At its own address, where it has a pool and holders.
      await expectReports(bytesToHex(code), token)
    })
    await fc.assert(property, fuzz(15))
  })
})
