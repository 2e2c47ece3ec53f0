/** A line of a file for nginx: a word, what stands behind it, and what it encloses. */
interface Directive {
  name: string
  args: string[]
  inside: Directive[]
}

/** What a file for nginx says of a site whose service stands behind it. */
export interface SiteRules {
  host: string
  /** Where plain HTTP is led, with its variables. */
  redirect: string
  maxBodyBytes: number
  /** Connections to the service: how many are kept, and for how long without a request. */
  idleConnections: number
  idleMs: number
  /** How long the service may say nothing. */
  readTimeoutMs: number
  /** What is written over the headers of a request, with its variables. */
  requestHeaders: [name: string, value: string][]
  responseHeaders: [name: string, value: string][]
}

/** Throws at whatever it does not understand, so that nothing in the file goes unread. */
export function readSiteFile(text: string): SiteRules {
  const file = parseNginxFile(text)
  const [plain, secure] = file.filter(({ name }) => name === 'server')
  const [upstream] = file.filter(({ name }) => name === 'upstream')
  const [location] = secure?.inside.filter(({ name }) => name === 'location') ?? []
  if (!plain || !secure || !upstream || !location) throw new Error('two servers, an upstream and a location')
  const service = readBlock(upstream.inside, ['server', 'keepalive', 'keepalive_timeout'])
  const gate = readBlock(plain.inside, ['listen', 'server_name', 'return'])
  const site = readBlock(secure.inside, SITE)
  const way = readBlock(location.inside, WAY)
  expectThat([
    [location.args.join(' '), '/'],
    [way.one('proxy_pass'), `http://${upstream.args[0]}`],
    [way.one('proxy_http_version'), '1.1'],
    [way.one('proxy_buffering'), 'off'],
    [site.one('server_name'), gate.one('server_name')],
    [gate.one('return'), '301'],
  ])
  return {
    host: site.one('server_name'),
    redirect: gate.all('return')[0]?.[1] ?? '',
    maxBodyBytes: readNumber(site.one('client_max_body_size'), 'k') * 1_024,
    idleConnections: readNumber(service.one('keepalive'), ''),
    idleMs: readNumber(service.one('keepalive_timeout'), 's') * 1_000,
    readTimeoutMs: readNumber(way.one('proxy_read_timeout'), 's') * 1_000,
    requestHeaders: way.all('proxy_set_header').map(([name = '', value = '']) => [name.toLowerCase(), value]),
    responseHeaders: site.all('add_header').map(([name = '', value = '']) => [name.toLowerCase(), value]),
  }
}

const TLS = ['http2', 'ssl_certificate', 'ssl_certificate_key', 'ssl_protocols'] as const
const SITE = ['listen', 'server_name', ...TLS, 'add_header', 'client_max_body_size', 'location'] as const
const WAY = ['proxy_pass', 'proxy_http_version', 'proxy_set_header', 'proxy_buffering', 'proxy_read_timeout'] as const

function expectThat(pairs: readonly (readonly [said: string, meant: string])[]): void {
  for (const [said, meant] of pairs) if (said !== meant) throw new Error(`${said} instead of ${meant}`)
}

function readNumber(text: string, unit: string): number {
  const [, digits] = new RegExp(`^(\\d+)${unit}$`).exec(text) ?? []
  if (digits === undefined) throw new Error(`${text} is no number of ${unit || 'things'}`)
  return Number(digits)
}

/** As nginx reads it, as far as such a file needs it: words, `;`, blocks, comments. */
function parseNginxFile(text: string): Directive[] {
  const outermost: Directive[] = []
  const open = [outermost]
  let words: string[] = []
  for (const token of text.replace(/#.*$/gm, '').match(/"[^"]*"|[{};]|[^\s{};]+/g) ?? []) {
    const block = open.at(-1)
    if (block === undefined) throw new Error('a } too many')
    if (token === '}') open.pop()
    else if (token === ';' || token === '{') {
      const [name = '', ...args] = words.splice(0)
      const directive = { name, args, inside: [] }
      block.push(directive)
      if (token === '{') open.push(directive.inside)
    } else words = [...words, token.replaceAll('"', '')]
  }
  if (open.length !== 1) throw new Error('a } is missing')
  return outermost
}

function readBlock<Name extends string>(block: readonly Directive[], known: readonly Name[]) {
  for (const { name } of block)
    if (!known.some((each) => each === name)) throw new Error(`this reader of nginx files does not know ${name}`)
  const all = (name: Name) => block.filter((each) => each.name === name).map(({ args }) => args)
  return {
    all,
    one(name: Name): string {
      const [first] = all(name)[0] ?? []
      if (first === undefined) throw new Error(`the file does not say ${name}`)
      return first
    },
  }
}
