import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import type { Address } from '../../src/hex.js'

/** What an attacker has: keys of its own, an address of its own, and whatever it put on a chain. */
export interface AttackStage {
  urls: readonly string[]
  /** With more room than an attack needs. */
  keys: readonly string[]
  freeKey: string
  /** Code that was written to cost as much as can be, and code that floods its own trace. */
  costly: readonly Address[]
  /** Confirms nothing. */
  hangingWebhook: string
  /** Its node takes questions and never answers. */
  hangingChain: number
}

/** Takes all that it can of one resource, until the signal fires. */
export interface Attack {
  name: string
  run(stage: AttackStage, signal: AbortSignal): Promise<void>
}

const SIMULATE = '/api/simulate/execute-simulation'
/** Where nothing else comes from. */
const ADDRESS = '127.0.0.2'

export const ATTACKS: readonly Attack[] = [
  {
    name: 'a key that asks for more analyses than there is room for',
    run: (stage, signal) => askAll(stage, signal, { lanes: 80, keys: stage.keys.slice(0, 1) }),
  },
  {
    name: 'five keys, and a token that costs and floods',
    run: (stage, signal) => askAll(stage, signal, { lanes: 20, keys: stage.keys, more: { trace: 'full' } }),
  },
  {
    name: 'a chain whose node hangs',
    run: (stage, signal) => askAll(stage, signal, { lanes: 40, keys: stage.keys, chainId: stage.hangingChain }),
  },
  {
    name: 'targets that are all new',
    run: (stage, signal) => askAll(stage, signal, { lanes: 8, keys: stage.keys, target: newAddress }),
  },
  {
    name: 'a key beyond its limit',
    run: ({ freeKey, ...stage }, signal) =>
      flood(stage, signal, 16, (ask) => ask(`/api/batch/batch_${'0'.repeat(32)}`, { key: freeKey })),
  },
  {
    name: 'keys that are guessed',
    run: (stage, signal) => flood(stage, signal, 16, (ask) => ask('/api/batch', { key: guess(), body: {} })),
  },
  {
    name: 'sign-ins that come to nothing',
    run: (stage, signal) =>
      flood(stage, signal, 8, async (ask) => {
        await ask(`/api/auth/nonce?chainId=1&address=${newAddress()}`, {})
        await ask('/api/auth/verify', { body: { message: 'none', signature: '0x' } })
      }),
  },
  { name: 'connections that are opened and held', run: (stage, signal) => hold(stage, signal, 400, () => {}) },
  {
    name: 'requests that never end',
    run: (stage, signal) =>
      hold(stage, signal, 100, (socket) => {
        socket.write('GET /health HTTP/1.1\r\nhost: a\r\nx-slow: ')
        const drip = setInterval(() => socket.write('x'), 200)
        socket.once('close', () => clearInterval(drip))
      }),
  },
  {
    name: 'answers that are not read',
    run: (stage, signal) =>
      hold(stage, signal, 12, (socket) => {
        socket.pause()
        socket.write('GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(1_600))
      }),
  },
  {
    name: 'batches, and webhooks that hang',
    async run(stage, signal) {
      await flood(stage, signal, stage.keys.length, async (ask, i) => {
        const targets = Array.from({ length: 40 }, () => ({ targetContractAddress: newAddress(), chainId: 1 }))
        const webhook = { url: `${stage.hangingWebhook}/${i}`, secret: 's'.repeat(16) }
        await ask('/api/batch', { key: stage.keys[i], body: { targets, webhook } })
        await sleep(50)
      })
    },
  },
]

interface AskOptions {
  key?: string | undefined
  body?: object
}
type Ask = (path: string, options: AskOptions) => Promise<unknown>

/** Asks again and again over so many connections; what is answered is of no account. */
async function flood(
  { urls }: Pick<AttackStage, 'urls'>,
  signal: AbortSignal,
  lanes: number,
  once: (ask: Ask, lane: number) => Promise<unknown>,
): Promise<void> {
  const dispatcher = new Agent({ connect: { localAddress: ADDRESS }, headersTimeout: 0, bodyTimeout: 0 })
  const lane = async (_: unknown, i: number) => {
    const ask: Ask = async (path, { key, body }) => {
      const response = await fetch(`${urls[i % urls.length]}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        ...(body && { body: JSON.stringify(body) }),
        dispatcher,
        signal,
      })
      await response.text()
    }
    // A connection that was hung up on is made again; a client in one process with the service must
    // let it breathe.
    while (!signal.aborted) await once(ask, i).catch(() => sleep(5))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  await dispatcher.destroy()
}

interface Questions {
  lanes: number
  keys: readonly string[]
  chainId?: number
  target?: () => Address
  more?: object
}

function askAll(stage: AttackStage, signal: AbortSignal, { lanes, keys, target, ...more }: Questions): Promise<void> {
  let asked = 0
  return flood(stage, signal, lanes, (ask, i) => {
    asked += 1
    const amount = `${10n ** 15n + BigInt(asked)}`
    const body = questionOf(stage, { amount, ...more, ...(target && { targetContractAddress: target() }) })
    return ask(SIMULATE, { key: keys[i % keys.length], body })
  })
}

const questionOf = ({ costly }: AttackStage, { more = {}, ...fields }: { amount: string; more?: object }) => ({
  targetContractAddress: costly[Number(BigInt(fields.amount) % BigInt(costly.length))],
  chainId: 1,
  only: true,
  ...fields,
  ...more,
})

const newAddress = (): Address => `0x${randomBytes(20).toString('hex')}`
const guess = () => `assay_${randomBytes(32).toString('hex').slice(0, 49)}`

/** Holds so many connections to each process as it is let, and makes new ones when they close. */
async function hold(
  { urls }: AttackStage,
  signal: AbortSignal,
  count: number,
  begin: (socket: Socket) => void,
): Promise<void> {
  const sockets = new Set<Socket>()
  const open = (url: string) => {
    if (signal.aborted) return
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: ADDRESS })
    sockets.add(socket)
    // Otherwise the end of a connection is never heard of, and none is made anew.
    socket.resume()
    socket.on('error', () => {})
    socket.once('connect', () => begin(socket))
    // What is not read never hears of its end either.
    const renewal = setTimeout(() => socket.destroy(), RENEWED_MS)
    socket.once('close', () => {
      clearTimeout(renewal)
      sockets.delete(socket)
      setTimeout(open, AGAIN_MS, url)
    })
  }
  for (const url of urls) for (let i = 0; i < count; i += 1) open(url)
  if (!signal.aborted) await once(signal, 'abort')
  for (const socket of sockets) socket.destroy()
}

/** A client in one process with the service must let it breathe. */
const AGAIN_MS = 100
const RENEWED_MS = 20_000
