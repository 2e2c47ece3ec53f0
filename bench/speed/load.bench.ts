import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type autocannon from 'autocannon'
import fastify from 'fastify'
import { createAnswerCache } from '../../src/http/answer-cache.js'
import { createLog } from '../../src/http/log.js'
import { sampleChecks } from '../../test/http/sample-checks.js'
import { createTestApp, request, SIMULATE } from '../../test/http/test-app.js'
import { report } from './measure.js'

/** Seconds of each measurement. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const CONNECTIONS = [1, 16, 256]
const WARM_UP_SECONDS = 1

/**
 * A cached analysis over HTTP, with key, limits and log, beside a bare Fastify route that sends as many bytes; and a fresh analysis that takes no
 * time, which is what rendering alone costs. The client has a process
 * of its own; on a busy machine the answers for a second of CPU mean more than those for a second.
 */
export async function run(): Promise<void> {
  const cached = await listen(sampleChecks.block.hash)
  const fresh = await listen(undefined)
  const body = JSON.stringify(request())
  const answer = await fetch(cached.url, { method: 'POST', headers: cached.headers, body })
  const text = await answer.text()
  const bare = fastify()
  bare.post('/', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  const bareUrl = await bare.listen({ host: '127.0.0.1', port: 0 })
  report('size of the answer', text.length / 1_024, 'KB')
  try {
    for (const connections of CONNECTIONS) {
      const base = await drive('bare Fastify', { url: bareUrl, headers: cached.headers, body, connections })
      const hit = await drive('cached analysis', { ...cached, body, connections })
      const made = await drive('analysis that takes no time', { ...fresh, body, connections })
      report(`cached against bare, ${connections} connections`, (100 * hit) / base, '%')
      report(`made against bare, ${connections} connections`, (100 * made) / base, '%')
    }
  } finally {
    await Promise.all([bare.close(), cached.close(), fresh.close()])
  }
}

/** The application with a limiter that lets everything through: at this rate every key would be refused. */
async function listen(head: string | undefined) {
  const destination = new Writable({ write: (_chunk, _encoding, done) => done() })
  const { app, key } = await createTestApp({
    services: {
      answers: createAnswerCache({ headOf: () => head }),
      limiter: { take: async ({ limit }) => ({ allowed: true, remaining: limit, resetMs: 1 }), close: async () => {} },
      log: createLog({ level: 'info', destination }),
    },
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return { url: `${address}${SIMULATE}`, headers, close: () => app.close() }
}

interface Load {
  url: string
  headers: Record<string, string>
  body: string
  connections: number
}

/** Answers for one second of this process's CPU. Rejects when any answer is not a 200: a rate of refusals says nothing. */
async function drive(name: string, { url, headers, body, connections }: Load): Promise<number> {
  const options = { url, method: 'POST', headers, body, connections } as const
  await fire({ ...options, duration: WARM_UP_SECONDS })
  const before = process.cpuUsage()
  const { requests, latency, non2xx, errors } = await fire({ ...options, duration: SECONDS })
  const { user, system } = process.cpuUsage(before)
  if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} answers were not 200, ${errors} failed`)
  const cpuSeconds = (user + system) / 1e6
  const times = `p50 ${latency.p50} ms, p97.5 ${latency.p97_5} ms, p99 ${latency.p99} ms`
  report(`${name}, ${connections} connections`, requests.average, '1/s', times)
  report(`${name}, ${connections} connections`, requests.total / cpuSeconds, '1/cpu s')
  return requests.total / cpuSeconds
}

/** Runs the client in a process of its own, so that the time of this one is the server's. */
async function fire(options: autocannon.Options): Promise<autocannon.Result> {
  const child = fork(join(import.meta.dirname, 'load-client.ts'))
  child.send(options)
  const [result] = await once(child, 'message')
  return result as autocannon.Result
}
