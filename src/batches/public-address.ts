import { lookup } from 'node:dns/promises'
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

/**
 * The address of a host, once and for all: the connection must go to it, and not ask again. Rejects
 * with `PrivateAddressError` when any address of the host is not public, unless `allowPrivate`.
 */
export async function resolvePublic(
  hostname: string,
  { allowPrivate }: { allowPrivate: boolean },
): Promise<ResolvedAddress> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = await lookup(host, { all: true })
  const [first] = addresses
  if (first === undefined) throw new PrivateAddressError()
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) throw new PrivateAddressError()
  return first
}

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
