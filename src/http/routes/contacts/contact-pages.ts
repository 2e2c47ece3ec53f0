import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Services } from '../../services.js'

/**
 * `/contacts/…`: what links of messages lead to, for people without a key. A link that is opened
 * changes nothing, since programs that look for viruses open all of them: a button does.
 */
export function contactPages({ contacts }: Pick<Services, 'contacts'>): RouteOptions[] {
  const route = (method: 'GET' | 'POST', url: string, answer: (token: string) => Promise<Page>): RouteOptions => ({
    ...{ method, url },
    config: { access: 'shown', ignoresBody: true },
    schema: { hide: true },
    handler: async (request, reply) => show(reply, await answer(tokenOf(request))),
  })
  const stop = async (token: string, forGood: boolean) => {
    const isKnown = await contacts.stop(token, forGood)
    // A link that ended its messages already has done what it says.
    return forGood && isKnown ? REFUSED : STOPPED
  }
  return [
    route('GET', '/contacts/confirm/:token', async (token) =>
      (await contacts.findByCode(token)) === undefined ? UNKNOWN_CODE : ASK_CONFIRM,
    ),
    route('POST', '/contacts/confirm/:token', async (token) =>
      (await contacts.confirm(token)) === undefined ? UNKNOWN_CODE : CONFIRMED,
    ),
    route('GET', '/contacts/stop/:token', async (token) =>
      (await contacts.findByStopToken(token)) === undefined ? STOPPED : askStop(token),
    ),
    // Mail programs send this one by themselves when their own button is pressed (RFC 8058).
    route('POST', '/contacts/stop/:token', (token) => stop(token, false)),
    route('POST', '/contacts/stop/:token/for-good', (token) => stop(token, true)),
  ]
}

const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token

interface Page {
  status?: number
  title: string
  text: string
  /** Buttons, by what they say; each posts to an address, the page's own where it is empty. */
  buttons?: readonly (readonly [label: string, action: string])[]
}

const ASK_CONFIRM: Page = {
  title: 'Do you want these alerts?',
  text: 'Alerts about watched tokens will be sent to your address when you confirm. Each has a link that ends them.',
  buttons: [['Confirm', '']],
}
const CONFIRMED: Page = { title: 'Confirmed', text: 'Alerts come to your address from now on.' }
const UNKNOWN_CODE: Page = {
  status: 404,
  title: 'This link is used up or too old',
  text: 'A link confirms once, within a day. A new one can be ordered on the page of watches.',
}
const STOPPED: Page = { title: 'No more alerts', text: 'Nothing is sent to you by this contact any more.' }
const REFUSED: Page = {
  title: 'No more alerts, and no questions',
  text: 'All contacts with your address have ended, and it is not asked again for a year.',
}
/** The token came from a store: it is letters, digits, `-` and `_`. */
const askStop = (token: string): Page => ({
  title: 'Do you want no more of these?',
  text: 'The first button ends these messages. The second ends those of all users of this service, and their questions.',
  buttons: [
    ['No more of these', ''],
    ['Never write to me again', `/contacts/stop/${token}/for-good`],
  ],
})

const STYLE = `:root{color-scheme:light dark}
body{margin:0;font:17px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{max-width:34rem;margin:12vh auto;padding:0 20px}h1{font-size:24px}
button{font:inherit;padding:8px 16px;margin:0 8px 8px 0}`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

function show(reply: FastifyReply, { status = 200, title, text, buttons = [] }: Page): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', POLICY)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Assay</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
${buttons.map(([label, action]) => `<form method="post"${action && ` action="${action}"`}><button>${label}</button></form>`).join('\n')}
</main>
</body>
</html>
`)
}
