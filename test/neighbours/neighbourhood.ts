import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '../../src/clock.js'
import { startDevnet } from '../../src/devnet/start-devnet.js'
import type { Address, Hex } from '../../src/hex.js'
import { createKeyStore } from '../../src/keys/create-key-store.js'
import { issueKey } from '../../src/keys/issue.js'
import type { Attack, AttackStage } from './hostile-callers.js'

/** One or more processes of the service, with a victim and an attacker as their callers. */
export interface Neighbourhood {
  /** The victim's question about one of its tokens, to the next process in turn. */
  ask(example: string): Promise<Answer>
  /** Any request of the victim's, to the next process in turn; `example` adds its question. */
  request(path: string, body?: object, example?: string): Promise<{ status: number; body: Record<string, unknown> }>
  /** A batch of the victim's with one target and a webhook; gives its state when it was told. */
  orderBatch(): Promise<{ done: number; webhook: string }>
  /** Attacks until `victim` is done. */
  under<T>(attack: Attack, victim: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

export const EXAMPLES = ['clean', 'sell-blocked'] as const

export interface Answer {
  status: number
  code: string | undefined
  /** What it says of the token. */
  verdict: unknown
}

export interface NeighbourhoodOptions {
  /** Starts a process of the service; its settings decide what is shared. */
  start(env: Readonly<Record<string, string>>): Promise<{ url: string; stop(): Promise<void> }>
  processes: number
  env?: Readonly<Record<string, string>>
  /** Tokens of the victim's; {@link EXAMPLES} if absent. */
  examples?: readonly string[]
  /** See `DevnetOptions`. */
  blockEverySeconds?: number
}

const HANGING_CHAIN = 56
/** Hashes 32 KB again and again, until a bound ends it. */
const COSTLY: Hex = '0x5b61800060002050600056'
/** Calls an empty account with 64 KB of input, and logs as much, again and again. */
const FLOODING: Hex = '0x5b60006000620100006000600061dead5af1506201000060006000a0600056'
const ROOMY = { tier: 'partner', limits: { analysis: 10_000, general: 10_000 } } as const
const ATTACKER_KEYS = 5

export async function startNeighbourhood({
  start,
  processes,
  env = {},
  examples = EXAMPLES,
  blockEverySeconds,
}: NeighbourhoodOptions): Promise<Neighbourhood> {
  const devnet = await startDevnet({ chainId: 1, examples, ...(blockEverySeconds && { blockEverySeconds }) })
  const costly = [COSTLY, FLOODING].map((code, i) => ({ code, address: `0x${'0'.repeat(32)}bad0000${i}` as Address }))
  for (const { code, address } of costly) await devnet.node.call('anvil_setCode', address, code)
  const silent = await startServer(() => {})
  const confirming = await startServer((respond) => respond())
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-neighbours-'))
  const settings = {
    HOST: '127.0.0.1',
    PORT: '0',
    ASSAY_LOG_LEVEL: 'error',
    ASSAY_RPC_1: devnet.url,
    [`ASSAY_RPC_${HANGING_CHAIN}`]: silent.url,
    ASSAY_MAX_HEAD_AGE: '0',
    ASSAY_DATA_DIR: dataDir,
    ASSAY_PRIVATE_WEBHOOKS: '1',
    ...env,
  }
  const [key = '', freeKey = '', ...keys] = await issueKeys(dataDir, env.DATABASE_URL)
  const services = await Promise.all(Array.from({ length: processes }, () => start(settings)))
  const urls = services.map(({ url }) => url)
  const stage: AttackStage = {
    ...{ urls, keys, freeKey, hangingWebhook: silent.url, hangingChain: HANGING_CHAIN },
    costly: costly.map(({ address }) => address),
  }
  let asked = 0

  const request: Neighbourhood['request'] = async (path, question, example) => {
    asked += 1
    const body = example === undefined ? question : { ...targetOf(example), ...question }
    const response = await fetch(`${urls[asked % urls.length]}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const targetOf = (example: string) => {
    const { targetContractAddress } =
      devnet.examples.find(({ name }) => name === example) ?? raise(`this devnet has no example ${example}`)
    // Another amount is another question.
    return { targetContractAddress, chainId: 1, only: true, amount: `${10n ** 15n + BigInt(asked)}` }
  }

  return {
    request,
    async ask(example) {
      const { status, body } = await request('/api/simulate/execute-simulation', {}, example)
      const { code, checks } = body as { code?: string; checks?: Checks }
      return { status, code, verdict: checks && verdictOf(checks) }
    },
    async orderBatch() {
      const webhook = { url: confirming.url, secret: 's'.repeat(16) }
      const targets = [{ ...targetOf('clean'), check: 'simulate' }]
      const { id } = await accepted(request('/api/batch', { targets, webhook }))
      for (;;) {
        const { done, webhook: state } = (await accepted(request(`/api/batch/${id}`))) as never
        if (state !== 'waiting') return { done, webhook: state }
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
    async under({ run }, victim) {
      const over = new AbortController()
      const attacking = run(stage, over.signal)
      try {
        return await victim()
      } finally {
        over.abort()
        await attacking
      }
    },
    async stop() {
      silent.close()
      confirming.close()
      await Promise.all(services.map((service) => service.stop()))
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A refusal is shown as it was answered. */
async function accepted(asked: ReturnType<Neighbourhood['request']>): Promise<Record<string, unknown>> {
  const { status, body } = await asked
  return status === 200 || status === 202 ? body : raise(`answered ${status}: ${JSON.stringify(body)}`)
}

interface Checks {
  simulateResult: { success: boolean; isHoneypot: boolean; estimatedTax: string }
  byteCodeResult: { trustStatus: string; riskFlags: { title: string }[] }
}

const verdictOf = ({ simulateResult: trade, byteCodeResult: code }: Checks) => ({
  trade: [trade.success, trade.isHoneypot, trade.estimatedTax],
  code: [code.trustStatus, ...code.riskFlags.map(({ title }) => title)],
})

function raise(reason: string): never {
  throw new RangeError(reason)
}

/** The victim's, the attacker's free one, and its others. */
async function issueKeys(dataDir: string, databaseUrl: string | undefined): Promise<string[]> {
  const store = await createKeyStore({ dataDir, databaseUrl })
  const clock = createSystemClock()
  const keys: string[] = []
  for (const order of [ROOMY, { tier: 'free' } as const, ...Array.from({ length: ATTACKER_KEYS }, () => ROOMY)]) {
    keys.push((await issueKey({ store, clock }, { label: 'neighbours', ...order })).key)
  }
  await store.close()
  return keys
}

async function startServer(answer: (respond: () => void) => void) {
  const server = createServer((request, response) => {
    request.resume()
    answer(() => response.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
