import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, resolve, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PACKAGE_ROOT } from '../../../package-root.js'
import { createDocument, type Document, sendDocument } from '../../serve-document.js'
import '../../route-config.js'

/** Built by `npm run build`. */
const PORTAL_DIR = resolve(PACKAGE_ROOT, 'dist/portal')

/**
 * Addresses that are pages of the portal: all of them are the same document, which finds out which
 * it is.
 */
const PAGES = [
  '/',
  '/wallet',
  '/keys',
  '/reports',
  '/watches',
  '/feed',
  '/webhooks',
  '/record',
  '/reference',
  '/report/:chain/:address',
]

/**
 * Serves the portal, for everyone and not counted. Where it was not built the service does without:
 * it is an API first. All files are read when the service starts, so that no request can name
 * another, opens none, and all who read share their bytes.
 */
export async function servePortal(app: FastifyInstance, directory = PORTAL_DIR): Promise<void> {
  if (!existsSync(resolve(directory, PAGE))) return
  const page = readDocument(directory, PAGE)
  for (const url of PAGES) {
    app.get(url, OPEN, async (request, reply) => send(request, reply.headers(DOCUMENT_HEADERS), page))
  }
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (name === PAGE || !isServed(name)) continue
    const document = readDocument(directory, name)
    app.get(`/${name.split(sep).join('/')}`, OPEN, async (request, reply) => send(request, reply, document))
  }
}

const PAGE = 'index.html'

/** The page as text, for those who add to it; `undefined` where the portal was not built. */
export function readPortalPage(directory = PORTAL_DIR): string | undefined {
  const file = resolve(directory, PAGE)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** No part of the described interface. */
const OPEN = { config: { access: 'open' }, schema: { hide: true } } as const

/**
 * What Vite builds. Compressed copies stand beside their files; anything else in the folder is not
 * for visitors.
 */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

const isServed = (name: string) => !name.startsWith('.') && extname(name) in CONTENT_TYPES

function readDocument(directory: string, name: string): Document {
  const read = (suffix = '') => readFileSync(resolve(directory, name + suffix))
  const readCopy = (suffix: string) => (existsSync(resolve(directory, name + suffix)) ? read(suffix) : undefined)
  return createDocument(CONTENT_TYPES[extname(name)] ?? '', read(), { br: readCopy('.br'), gzip: readCopy('.gz') })
}

function send(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  return sendDocument(request, reply.header('cache-control', cachingOf(request.url)), document)
}

/** The name of an asset changes with its content; everything else may be another thing tomorrow. */
function cachingOf(url: string): string {
  return url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

/**
 * The page runs its own scripts and styles, speaks to its own service, and shows icons that wallets
 * hand over as data. Nothing else: no other host, no inline script, no frame, no form target, and
 * no text that becomes markup.
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

export const DOCUMENT_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  // Wallets open windows of their own; no other page gets a handle on ours.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
} as const
