import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PATIENT } from '../../test/service-on-devnet.js'
import { threadsOfWorker } from '../../test/threads-of-worker.js'
import { readConfig } from '../config.js'
import { type Devnet, startDevnet } from '../devnet/start-devnet.js'
import { issueKey } from '../keys/issue.js'
import { type RunningService, startService } from '../wiring/start-service.js'
import { run } from './program.js'

const CHECKS = {
  simulation: '/api/simulate/execute-simulation',
  honeypot: '/api/honeypot/honeypot-checks',
  phishing: '/api/phishing/phishing-checks',
}
/** A wallet's own request: what it would send, its sender, and what it would sign. */
const WALLET = {
  from: '0x00000000000000000000000000000000000000a1',
  calldata: '0x095ea7b300000000000000000000000000000000000000000000000000000000000000b2ffff',
  typedData: {
    domain: { chainId: 1 },
    types: { Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    message: { text: 'x' },
  },
}

/** What stands in a report when the machine had too much else to do. */
const HURRIED = /Analysis resisted|Our analysis|Internal error|"unfinished":"/

describe('a report of the service', { timeout: 120_000 }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-replay-'))
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const fileOf = (name: string) => join(dataDir, name)
  let devnet: Devnet
  let service: RunningService
  let env: Record<string, string>
  let key: string
  beforeAll(async () => {
    devnet = await startDevnet({ chainId: 1, examples: ['taxed'] })
    writeFileSync(fileOf('key.pem'), pem)
    env = {
      HOST: '127.0.0.1',
      PORT: '0',
      ASSAY_DATA_DIR: dataDir,
      ASSAY_LOG_LEVEL: 'silent',
      ASSAY_RPC_1: devnet.url,
      ASSAY_MAX_HEAD_AGE: '0',
    }
    service = await startService(readConfig({ ...env, ASSAY_SIGNING_KEY: fileOf('key.pem') }), PATIENT, {
      threads: threadsOfWorker(),
    })
    key = (await issueKey({ store: service.keyStore, clock: service.clock }, { label: 'test', tier: 'partner' })).key
  })
  afterAll(async () => {
    await service?.stop()
    await devnet?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Asks until nothing ran out of time, as it may on a busy machine. */
  async function ask(path: string, more: object = {}): Promise<Record<string, unknown>> {
    for (let turn = 0; turn < 6; turn += 1) {
      const { status, text } = await post(path, more)
      if (status === 200 && !HURRIED.test(text)) return JSON.parse(text)
    }
    throw new Error('the machine is too busy for a whole analysis')
  }

  async function post(path: string, more: object) {
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ targetContractAddress: devnet.examples[0]?.targetContractAddress, chainId: 1, ...more }),
    })
    return { status: response.status, text: await response.text() }
  }

  async function assay(...args: string[]) {
    let [out, err] = ['', '']
    const write = (text: string) => {
      out += text
    }
    const writeError = (text: string) => {
      err += text
    }
    return { code: await run(args, { env, write, writeError, threads: threadsOfWorker() }), out, err }
  }

  const save = (name: string, report: unknown) => {
    writeFileSync(fileOf(name), JSON.stringify(report))
    return fileOf(name)
  }

  test.each([
    ['simulation', {}],
    ['simulation', { amount: '5000000000000000' }],
    ['honeypot', {}],
    ['phishing', {}],
    ['phishing', WALLET],
  ] as const)(
    'of the %s check (%j) is made again to the last field, on a chain that has gone on',
    async (check, more) => {
      const report = await ask(CHECKS[check], more)
      expect(report.inputs).toMatchObject({ check, traderSeed: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
      const path = save(`${check}.json`, report)
      const mine = { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] }
      const headers = { 'content-type': 'application/json' }
      await fetch(devnet.url, { method: 'POST', headers, body: JSON.stringify(mine) })
      expect(await assay('replay', path)).toEqual({ code: 0, out: 'the report is the same\n', err: '' })
    },
  )

  test('that its reader holds to be wrong is listed for the operator, made again by its id, and removed', async () => {
    let reported: { id: string; overall: { inconclusive: string | null } } | undefined
    // A machine that is busy keeps what it could make of it.
    for (let turn = 0; turn < 6 && reported?.overall.inconclusive !== null; turn += 1) {
      const { status, text } = await post('/api/false-results', {
        message: '\u001b[31mIt is mine.',
        expected: 'harmless',
      })
      expect(status).toBe(201)
      reported = JSON.parse(text)
    }
    const id = reported?.id ?? ''
    const { out } = await assay('false-results', 'list')
    expect(out).toContain(id)
    expect(out).toContain('expected harmless\n    [31mIt is mine.\n')
    expect(JSON.parse((await assay('false-results', 'show', id)).out)).toMatchObject({
      ...{ id, complaint: { expected: 'harmless' } },
      answers: { simulation: { success: true }, honeypot: { success: true }, phishing: { success: true } },
    })
    const same = 'the report is the same'
    expect(await assay('replay', id)).toEqual({
      ...{ code: 0, err: '' },
      out: `simulation: ${same}\nhoneypot: ${same}\nphishing: ${same}\n`,
    })
    expect((await assay('false-results', 'remove', id)).code).toBe(0)
    expect((await assay('replay', id)).err).toContain('there is no such false result')
    expect((await assay('false-results', 'show', 'f_nonsense')).code).toBe(1)
  })

  test('that was changed is caught, field by field', async () => {
    const report = await ask(CHECKS.simulation)
    const changed = structuredClone(report) as {
      checks: { simulateResult: { sellTax: string } }
      engineVersion: string
    }
    changed.checks.simulateResult.sellTax = '0'
    changed.engineVersion = '\u001b[31m'
    const { code, out, err } = await assay('replay', save('changed.json', changed))
    expect(code).toBe(1)
    expect(out.split('\n')[0]).toBe('checks.simulateResult.sellTax: "0" in the report, "8" now')
    expect(out.split('\n')[1]).toMatch(/^engineVersion: "\\u001b\[31m" in the report, /)
    expect(err).toBe('assay: the report differs in 2 fields\n')
  })

  test('at another block than it says is caught by the hash of the block', async () => {
    const report = await ask(CHECKS.simulation)
    const block = report.block as { number: number }
    const { code, out } = await assay(
      'replay',
      save('moved.json', { ...report, block: { ...block, number: block.number - 1 } }),
    )
    expect(code).toBe(1)
    expect(out).toMatch(/^block\.hash: /m)
    expect(out).toMatch(/^inputs\.digest: /m)
  })

  test('is signed by the key that the service publishes, and only as it is', async () => {
    const report = await ask(CHECKS.honeypot)
    const path = save('signed.json', report)
    const published = await (await fetch(`${service.url}/api/signing-key`)).json()
    const keyPath = save('published.json', published)
    expect(await assay('verify', path, '--key', keyPath)).toEqual({ code: 0, out: 'the signature is right\n', err: '' })
    const forged = save('forged.json', { ...report, engineVersion: '9.9.9' })
    expect(await assay('verify', forged, '--key', keyPath)).toEqual({
      ...{ code: 1, out: '' },
      err: 'assay: the signature is missing, of another key, or not of this report\n',
    })
    writeFileSync(fileOf('other.pem'), generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }))
    expect((await assay('verify', path, '--key', fileOf('other.pem'))).code).toBe(1)
  })

  test.each([
    ['no report', { a: 1 }, 'The report does not say what it was made from'],
    ['a list', [], 'is no readable report'],
    ['a report on Solana', { inputs: { check: 'solana' } }, 'Solana nodes keep no old states'],
    [
      'a name of the prototype',
      { inputs: { check: 'constructor', traderSeed: `0x${'00'.repeat(32)}` } },
      'The report does not say what it was made from',
    ],
  ])('%s is refused, said in a line', async (_, content, words) => {
    const { code, out, err } = await assay('replay', save('odd.json', content))
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(words)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  test('a file that is not there is a failure, said in a line', async () => {
    const { code, err } = await assay('replay', fileOf('nothing.json'))
    expect({ code, err }).toEqual({ code: 1, err: `assay: ${fileOf('nothing.json')} is no readable report\n` })
  })
})
