import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Built by `npm run build`; the same place seen from `src/` and from `dist/`. */
const PORTAL_DIR = resolve(import.meta.dirname, '../../../../dist/portal')

/** Addresses that are pages of the portal: all of them are the same document, which finds out which it is. */
const PAGES = ['/', '/keys', '/reference', '/report/:chain/:address']

/**
 * Serves the portal, for everyone and not counted. Where it was not built the service does without: it is an API first. All files come from
 * one folder, listed when the service starts, so that no request can name another.
 */
export async function servePortal(app: FastifyInstance, directory = PORTAL_DIR): Promise<void> {
  if (!existsSync(resolve(directory, 'index.html'))) return
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ vary: 'accept-encoding', 'cache-control': cachingOf(request.url) })
  })
  // The plugin's own routes are open too, and no part of the described interface.
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'open' }
    route.schema = { ...route.schema, hide: true }
  })
  await app.register(fastifyStatic, {
    root: directory,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: ['index.html', '**/*.br', '**/*.gz', '.vite/**'],
    cacheControl: false,
  })
  for (const url of PAGES) app.get(url, async (_request, reply) => sendDocument(reply))
}

/** The name of an asset changes with its content; everything else may be another thing tomorrow. */
function cachingOf(url: string): string {
  return url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

async function sendDocument(reply: FastifyReply): Promise<FastifyReply> {
  return reply.headers(DOCUMENT_HEADERS).sendFile('index.html')
}

/**
 * The page runs its own scripts and styles, speaks to its own service, and shows icons that wallets hand over as data. Nothing else: no other host, no
 * inline script, no frame, no form target, and no text that becomes markup.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const DOCUMENT_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  // Wallets open windows of their own; nobody else gets a handle on ours.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
} as const
