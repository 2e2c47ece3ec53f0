import { isIPv6 } from 'node:net'
import type { LimitShare } from './limiter.js'

/**
 * The name under which an address is counted: IPv4 as it is, IPv6 by its /64, because that is the
 * least that one subscriber gets (RFC 6177) and he can use all of it.
 */
export function callerAddress(ip: string): string {
  const address = ip.split('%')[0] ?? ''
  return prefixOf(address, SUBSCRIBER_GROUPS) ?? mappedIPv4(address) ?? address
}

/**
 * The network that an IPv6 address is of, by its /48: the most that one site gets for the asking,
 * with 65,536 names for {@link callerAddress}. IPv4 addresses are scarce enough to be counted
 * alone.
 */
export function callerNetwork(ip: string): string | undefined {
  return prefixOf(ip.split('%')[0] ?? '', SITE_GROUPS)
}

/** One guest: IPv6 by the /48 that one site gets for the asking. */
export const guestOf = (ip: string): string => callerNetwork(ip) ?? callerAddress(ip)

/**
 * What is counted for a caller without a name: its address, and the network around it. Those `of`
 * one sort of callers are counted apart.
 */
export function addressShares(ip: string, limit: number, of?: string): [LimitShare, ...LimitShare[]] {
  const name = (id: string) => (of === undefined ? id : `${of} ${id}`)
  const own: LimitShare = { caller: { kind: 'address', id: name(callerAddress(ip)) }, limit }
  const network = callerNetwork(ip)
  if (network === undefined) return [own]
  return [own, { caller: { kind: 'network', id: name(network) }, limit: limit * SUBSCRIBERS_PER_NETWORK }]
}

const GROUP_BITS = 16
const SUBSCRIBER_GROUPS = 64 / GROUP_BITS
const SITE_GROUPS = 48 / GROUP_BITS
const ALL_GROUPS = 128 / GROUP_BITS
/** So many of a network may use up their own shares in the same minute; more come slower. */
const SUBSCRIBERS_PER_NETWORK = 10

const mappedIPv4 = (address: string) => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]

/** So many of the eight groups of an IPv6 address, without leading zeros. */
function prefixOf(address: string, groups: number): string | undefined {
  if (!isIPv6(address) || mappedIPv4(address) !== undefined) return undefined
  // A dotted quad at the end stands for two groups.
  const [head = '', tail] = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::')
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '')
  const zeros = new Array<string>(ALL_GROUPS - left.length - right.length).fill('0')
  const prefix = [...left, ...zeros, ...right].slice(0, groups)
  return `${prefix.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/${groups * GROUP_BITS}`
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
