import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  to: string
  headers: string
  /** Decoded. */
  text: string
}

export interface SmtpStandIn {
  url: string
  mails: ReceivedMail[]
  /** What the server says to the next recipients instead of yes. */
  refusals: string[]
  close(): Promise<void>
}

/** A mail server on this machine that speaks as much of RFC 5321 as a client needs. */
export async function startSmtpStandIn(): Promise<SmtpStandIn> {
  const mails: ReceivedMail[] = []
  const refusals: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.setEncoding('utf8'))
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    const say = (line: string) => socket.write(`${line}\r\n`)
    let [pending, to, isData] = ['', '', false]
    const answer = (line: string) => {
      const [, recipient = ''] = /^RCPT TO:<([^>]*)>/i.exec(line) ?? []
      if (recipient !== '') {
        to = recipient
        return say(refusals.shift() ?? '250 ok')
      }
      if (/^(EHLO|HELO)/i.test(line)) return say('250 stand-in')
      if (/^DATA/i.test(line)) isData = true
      if (/^QUIT/i.test(line)) return socket.end('221 bye\r\n')
      return say(isData ? '354 go on' : '250 ok')
    }
    say('220 stand-in')
    socket.on('data', (part: string) => {
      pending += part
      for (;;) {
        const end = pending.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const text = pending.slice(0, end)
        pending = pending.slice(end + (isData ? 5 : 2))
        if (!isData) answer(text)
        else {
          isData = false
          mails.push(toMail(to, text))
          say('250 taken')
        }
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    refusals,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

function toMail(to: string, raw: string): ReceivedMail {
  const split = raw.indexOf('\r\n\r\n')
  const [headers, body] = [raw.slice(0, split).replaceAll(/\r\n[ \t]+/g, ' '), raw.slice(split + 4)]
  const isQuoted = /^content-transfer-encoding: quoted-printable/im.test(headers)
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return { to, headers, text: isQuoted ? Buffer.from(bytes, 'latin1').toString('utf8') : body }
}
