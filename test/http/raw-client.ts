import { connect, type Socket } from 'node:net'
import type { TestAppOptions } from './test-app.js'
import { createTestApp } from './test-app.js'

/** The application on a real port, for what only a real connection shows. */
export async function listenTestApp(options: TestAppOptions = {}) {
  const setup = await createTestApp(options)
  await setup.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = setup.app.server.address() as { port: number }
  return { ...setup, port, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => setup.app.close() }
}

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** Writes bytes as they are and gives everything that comes back until the other side hangs up. */
export function sendRaw(port: number, text: string | Buffer): Promise<string> {
  const { socket, received } = open(port)
  socket.write(text)
  return received
}

export function open(port: number): { socket: Socket; received: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  const received = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
  return { socket, received }
}

/** Reads answers that stand one behind the other. */
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = text; rest.startsWith('HTTP/1.1 '); ) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(/: ?(.*)/s)))
    const status = Number(first.split(' ')[1])
    const length = status === 100 ? 0 : Number(headers['content-length'])
    const body = rest.slice(end + 4, end + 4 + length)
    answers.push({ status, headers, body: body === '' ? undefined : JSON.parse(body) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

export function rawPost(path: string, headers: Record<string, string | number>, body = ''): string {
  const lines = Object.entries({ host: 'assay', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
