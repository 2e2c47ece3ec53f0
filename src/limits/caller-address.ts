import { isIPv6 } from 'node:net'

/**
 * The name under which an address is counted: IPv4 as it is, IPv6 by its /64, because that is the least that one subscriber gets
 * (RFC 6177) and he can use all of it.
 */
export function callerAddress(ip: string): string {
  const address = ip.split('%')[0] ?? ''
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped ?? `${prefixGroups(address).join(':')}::/64`
}

const PREFIX_GROUPS = 4
const ALL_GROUPS = 8

/** The first four of the eight groups, without leading zeros. */
function prefixGroups(address: string): string[] {
  // A dotted quad at the end stands for two groups.
  const [head = '', tail] = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::')
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '')
  const zeros = new Array<string>(ALL_GROUPS - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].slice(0, PREFIX_GROUPS).map((group) => Number.parseInt(group, 16).toString(16))
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
