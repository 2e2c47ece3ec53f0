import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../src/cli/free-port.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'

/** Every block of the quick starts, run as it stands on its page. */
const ROOT = resolve(import.meta.dirname, '../..')
const PAGES = ['guard-a-wallet', 'run-a-bot', 'run-a-trading-desk']
const BLOCK = /^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm
const blocks = PAGES.flatMap((page) =>
  [...readFileSync(join(ROOT, `docs/how-to/${page}.md`), 'utf8').matchAll(BLOCK)].map(([, file = '', text = '']) => ({
    file,
    text,
  })),
)

const SECRET = 'sixteen characters'
const hasTool = (tool: string, ask = '--version') => spawnSync(tool, [ask]).status === 0
const [PYTHON, OPENSSL, CURL] = [hasTool('python3'), hasTool('openssl', 'version'), hasTool('curl')]

let folder: string
let service: ServiceOnDevnet
const running: ChildProcess[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quick-starts-'))
  for (const { file, text } of blocks) writeFileSync(join(folder, file), text)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  // The package as it is published has these files compiled, under this name.
  const client = join(folder, 'node_modules/assay')
  mkdirSync(client, { recursive: true })
  for (const file of ['client', 'operations', 'guard-provider', 'parse-events', 'wallet-question']) {
    cpSync(join(ROOT, `src/client/${file}.ts`), join(client, `${file}.ts`))
  }
  writeFileSync(join(client, 'package.json'), '{"type":"module","exports":{"./client":"./client.ts"}}')
  service = await startServiceOnDevnet(
    { chainId: 1, examples: ['clean', 'sell-blocked', 'drainer', 'usdt'] },
    { env: { ASSAY_PRIVATE_WEBHOOKS: '1' } },
  )
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const COMMANDS: Record<string, readonly string[]> = {
  ts: [process.execPath, '--import', join(ROOT, 'node_modules/tsx/dist/loader.mjs')],
  py: ['python3'],
  sh: ['sh'],
}

function start(file: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const [command = '', ...before] = COMMANDS[file.split('.').at(-1) ?? ''] ?? []
  const child = spawn(command, [...before, file, ...args], {
    cwd: folder,
    env: { ...process.env, ASSAY_URL: service.url, ASSAY_KEY: service.key, HOOK_SECRET: SECRET, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.push(child)
  return child
}

async function run(file: string, args: readonly string[], { input = '', env = {} } = {}) {
  const child = start(file, args, env)
  let out = ''
  child.stdout?.on('data', (part) => (out += part))
  child.stderr?.on('data', (part) => (out += part))
  // A program that refuses early does not read all.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const code = await new Promise((done) => child.once('close', done))
  return { code, out }
}

test('the pages have the blocks that are run here, and no other', () => {
  const ran = ['wallet.ts', 'try.ts', 'bot.ts', 'bot.py', 'order.sh', 'receive.ts', 'verify.ts', 'verify.py']
  expect(blocks.map(({ file }) => file)).toEqual([...ran, 'verify.sh'])
  const wallet =
    blocks
      .find(({ file }) => file === 'wallet.ts')
      ?.text.trimEnd()
      .split('\n') ?? []
  expect(wallet.filter((line) => !/^(\s*\/[/*].*)?$/.test(line)).length).toBeLessThanOrEqual(20)
})

describe('a wallet in 20 lines', () => {
  const send = (transaction: object) =>
    run('try.ts', [JSON.stringify(transaction)], { env: { NODE_URL: service.devnet.url } })

  test('sends what is harmless, and stops an approval to a drainer', async () => {
    const [sender, receiver] = service.devnet.accounts.map(({ address }) => address)
    const { out } = await send({ from: sender, to: receiver, value: '0x1' })
    expect(out).toMatch(/^sent 0x[0-9a-f]{64}\n$/)
    const drainer = service.addressOf('drainer').slice(2).toLowerCase()
    const data = `0x095ea7b3${drainer.padStart(64, '0')}${'f'.repeat(64)}`
    const stopped = await send({ from: sender, to: service.addressOf('usdt'), data })
    expect(stopped.out).toContain('stopped BlockedByAssayError')
  })
})

describe('a bot', () => {
  const expectVerdicts = async (file: string) => {
    const [good, bad] = [service.addressOf('clean'), service.addressOf('sell-blocked')]
    const { out, code } = await run(file, [], { input: `${good}\n\n${bad}\n0x1\n` })
    const lines = out.trimEnd().split('\n')
    expect([code, lines.length], out).toEqual([0, 3])
    expect(lines[0]).toMatch(new RegExp(`^${good} (Safe|Low Risk) \\d+: `))
    expect(lines[1]).toMatch(new RegExp(`^${bad} Critical Risk \\d+: It can be bought and not sold`))
    expect(lines[2]).toBe('0x1 not judged: Invalid targetContractAddress (invalid_address)')
  }
  test('in TypeScript', () => expectVerdicts('bot.ts'))
  test.skipIf(!PYTHON)('in Python (skipped where there is no python3)', () => expectVerdicts('bot.py'))
})

describe('a trading desk', () => {
  test.skipIf(!CURL)('orders a batch and shows it when its webhook comes (skipped without curl)', async () => {
    const port = await findFreePort()
    const receiver = start('receive.ts', [], { PORT: String(port) })
    const lines: string[] = []
    const both = new Promise<void>((done) => {
      if (receiver.stdout === null) return
      createInterface(receiver.stdout).on('line', (line) => {
        if (lines.push(line) === 2) done()
      })
    })
    const knock = () =>
      fetch(`http://127.0.0.1:${port}`).then(
        ({ status }) => status,
        () => 'nothing listens yet',
      )
    await expect.poll(knock, { timeout: 120_000 }).toBe(401)
    const [good, bad] = [service.addressOf('clean'), service.addressOf('sell-blocked')]
    const env = { HOOK_URL: `http://127.0.0.1:${port}/` }
    const { out } = await run('order.sh', [], { input: `${good}\n${bad}\n`, env })
    expect(JSON.parse(out)).toMatchObject({ success: true, total: 2 })
    await both
    expect(lines[0]).toMatch(new RegExp(`^${good} (Safe|Low Risk)$`))
    expect(lines[1]).toBe(`${bad} Critical Risk`)
  })

  const BODY = '{"type":"batch.finished","id":"batch_1"}'
  const sign = (at: number, body = BODY, secret = SECRET) =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
  const now = () => Math.floor(Date.now() / 1_000)
  const cases: [name: string, header: () => string, isRight: boolean][] = [
    ['its own', () => sign(now()), true],
    ['one of another body', () => sign(now(), `${BODY} `), false],
    ['one by another secret', () => sign(now(), BODY, 'another secret 16'), false],
    ['an old one', () => sign(now() - 600), false],
    ['one from far ahead', () => sign(now() + 600), false],
    ['one whose time was changed', () => sign(now() - 600).replace(/t=\d+/, `t=${now()}`), false],
    ['none', () => '', false],
    ['one that is cut', () => sign(now()).slice(0, -1), false],
    ['one with more behind it', () => `${sign(now())}\nx`, false],
  ]
  const expectEach = async (file: string) => {
    for (const [name, header, isRight] of cases) {
      const { code, out } = await run(file, [header()], { input: BODY })
      expect([name, code === 0], out).toEqual([name, isRight])
    }
  }

  test('tells its signature from others in TypeScript', async () => {
    const { isSigned } = (await import(join(folder, 'verify.ts'))) as {
      isSigned(body: Uint8Array, header: string, secret: string): boolean
    }
    for (const [name, header, isRight] of cases) {
      expect([name, isSigned(Buffer.from(BODY), header(), SECRET)]).toEqual([name, isRight])
    }
  })
  test.skipIf(!PYTHON)('in Python (skipped where there is no python3)', () => expectEach('verify.py'))
  test.skipIf(!OPENSSL)('in a shell (skipped where there is no openssl)', () => expectEach('verify.sh'))
})
