import { lookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { BaseError } from '../errors.js'

/**
 * Blocks that reach no host of the public internet (IANA special-purpose address registries), and
 * multicast.
 */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/**
 * Of IPv6 only global unicast is open (2000::/3), without what leads elsewhere: Teredo,
 * documentation, and 6to4, which wraps IPv4.
 */
const OPEN_V6 = ['2000::/3']
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const closedV4 = toBlockList(CLOSED_V4, 'ipv4')
const openV6 = toBlockList(OPEN_V6, 'ipv6')
const closedV6 = toBlockList(CLOSED_V6, 'ipv6')

/**
 * Whether an IP address is one of the public internet. Addresses that wrap others (IPv4-mapped,
 * NAT64) are not.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closedV4.check(address, 'ipv4')
  return family === 6 && openV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6')
}

export interface ResolvedAddress {
  address: string
  family: number
}

export interface ResolveOptions {
  allowPrivate: boolean
  signal: AbortSignal
  /** To ask instead of the system's, as `address:port`. */
  nameServers?: readonly string[] | undefined
}

/**
 * The address of a host, once and for all: the connection must go to it, and not ask again. Rejects
 * with `PrivateAddressError` when any address of the host is not public, unless `allowPrivate`, and
 * when the signal fires.
 */
export async function resolvePublic(hostname: string, options: ResolveOptions): Promise<ResolvedAddress> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = await addressesOf(host, options)
  const [first] = addresses
  if (first === undefined) throw new PrivateAddressError()
  if (!options.allowPrivate && !addresses.every(isPublicAddress)) throw new PrivateAddressError()
  return { address: first, family: isIP(first) }
}

/**
 * A name server that hangs must hold nothing of ours: the system's own lookup would hold one of the
 * four threads that files and compression need as well, for as long as it likes. Only names of an
 * operator's own network need it.
 */
async function addressesOf(host: string, { allowPrivate, signal, nameServers }: ResolveOptions): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  if (allowPrivate && nameServers === undefined) {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  }
  if (/(^|\.)localhost\.?$/i.test(host)) return []
  return askNameServers(host, signal, nameServers)
}

async function askNameServers(
  host: string,
  signal: AbortSignal,
  nameServers: readonly string[] | undefined,
): Promise<string[]> {
  signal.throwIfAborted()
  const resolver = new Resolver({ timeout: NAME_TIMEOUT_MS, tries: NAME_TRIES })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    signal.throwIfAborted()
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Two servers that are asked twice each are within the time of a delivery. */
const NAME_TIMEOUT_MS = 1_500
const NAME_TRIES = 2

function toBlockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** The host is not one of the public internet. */
export class PrivateAddressError extends BaseError {
  override readonly name = 'PrivateAddressError'

  constructor() {
    super('The host has no public address', { docs: 'docs/interfaces.md' })
  }
}
