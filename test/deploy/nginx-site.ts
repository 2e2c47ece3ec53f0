import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { readSiteFile, type SiteRules } from './nginx-file.js'
import { createSelfSigned } from './self-signed.js'

/** What a file for nginx describes, on ports of this machine: TLS in front of the service. */
export interface Site {
  host: string
  /** What a program must be told to believe, and what Chromium must. */
  cert: string
  fingerprint: string
  httpsPort: number
  httpPort: number
  /** How many requests each process was given, by its URL. */
  given: ReadonlyMap<string, number>
  stop(): Promise<void>
}

/**
 * Does what the file says, with the processes at `urls`, in turn, in the place of the one that it
 * names. Where one takes no connection the next is asked, as nginx does by itself.
 */
export async function openSite(file: string, urls: readonly string[]): Promise<Site> {
  const rules = readSiteFile(file)
  const { key, cert, fingerprint } = createSelfSigned(rules.host)
  const processes = createProcesses(urls, rules)
  const secure = createSecureServer({ key, cert, allowHTTP1: true, minVersion: 'TLSv1.2' }, async (asked, reply) => {
    const body = await readBody(asked, rules.maxBodyBytes).catch(() => undefined)
    if (body === undefined) reply.writeHead(413).end()
    else if (!(await processes.answer({ asked, reply, body }))) reply.writeHead(502).end()
  })
  const endSessions = keepSessions(secure)
  const plain = createServer((asked, reply) => {
    const to = rules.redirect.replace('$host', rules.host).replace('$request_uri', asked.url ?? '')
    reply.writeHead(301, { location: to }).end()
  })
  return {
    ...{ host: rules.host, cert, fingerprint, given: processes.given },
    httpsPort: await listen(secure),
    httpPort: await listen(plain),
    async stop() {
      processes.stop()
      plain.close()
      secure.close()
      endSessions()
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A reader who leaves takes its connection along. Returns what ends those that are left. */
function keepSessions(server: ReturnType<typeof createSecureServer>): () => void {
  const sessions = new Set<{ destroy(): void }>()
  server.on('sessionError', () => {})
  server.on('secureConnection', (socket) => socket.on('error', () => {}))
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  return () => {
    for (const session of sessions) session.destroy()
  }
}

/** `undefined` when it is larger than the file allows. */
async function readBody(asked: Http2ServerRequest, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of asked) {
    length += part.length
    if (length > maxBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

interface Exchange {
  asked: Http2ServerRequest
  reply: Http2ServerResponse
  body: Buffer
}

function createProcesses(urls: readonly string[], rules: SiteRules) {
  const given = new Map(urls.map((url) => [url, 0]))
  const agent = new Agent({ keepAlive: true, maxFreeSockets: rules.idleConnections, timeout: rules.idleMs })
  let turn = 0
  return {
    given,
    stop: () => agent.destroy(),
    /** False where no process takes the request. */
    async answer(exchange: Exchange): Promise<boolean> {
      turn += 1
      const first = turn
      for (let i = 0; i < urls.length; i += 1) {
        // Others take their turns while this one waits.
        const url = urls[(first + i) % urls.length] ?? ''
        if (!(await forward(exchange, url, { agent, rules }))) continue
        given.set(url, (given.get(url) ?? 0) + 1)
        return true
      }
      return false
    },
  }
}

/** Whether the process took the request. Its answer is passed on as it comes. */
function forward(
  { asked, reply, body }: Exchange,
  url: string,
  { agent, rules }: { agent?: Agent; rules: SiteRules },
): Promise<boolean> {
  const headers = { ...headersFor(asked, rules), ...(body.length > 0 && { 'content-length': body.length }) }
  const options = { method: asked.method, headers, agent: agent ?? false, timeout: rules.readTimeoutMs }
  return new Promise((resolve) => {
    const upstream = request(`${url}${asked.url}`, options)
    upstream.on('timeout', () => upstream.destroy())
    upstream.on('error', () => {
      if (reply.headersSent) reply.destroy()
      // A connection that was kept and is closed just now says nothing of the process.
      if (upstream.reusedSocket && !reply.headersSent) resolve(forward({ asked, reply, body }, url, { rules }))
      else resolve(reply.headersSent)
    })
    upstream.on('response', (answer) => {
      passOn(answer, reply, rules)
      resolve(true)
    })
    reply.on('close', () => upstream.destroy())
    upstream.end(body)
  })
}

function passOn(answer: IncomingMessage, reply: Http2ServerResponse, { responseHeaders }: SiteRules): void {
  const headers = { ...endToEnd(answer.headers), ...Object.fromEntries(responseHeaders) }
  reply.writeHead(answer.statusCode ?? 502, headers)
  answer.on('error', () => reply.destroy())
  answer.pipe(reply)
}

function headersFor({ headers, socket, authority }: Http2ServerRequest, { requestHeaders }: SiteRules) {
  const variables: Readonly<Record<string, string>> = {
    $host: (authority ?? headers.host ?? '').replace(/:\d+$/, ''),
    $remote_addr: socket.remoteAddress ?? '',
    $scheme: 'https',
  }
  const written = requestHeaders.map(([name, value]) => {
    if (value.startsWith('$') && !(value in variables)) throw new Error(`unknown variable ${value}`)
    return [name, variables[value] ?? value] as const
  })
  // What is written as nothing is not sent.
  return { ...endToEnd(headers), ...Object.fromEntries(written.filter(([, value]) => value !== '')) }
}

/** Without what belongs to one connection, or to HTTP/2 itself. */
const endToEnd = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP.has(name)))
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'content-length', 'te'])
