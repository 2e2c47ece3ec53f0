import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { callerAddress, callerNetwork } from '../limits/caller-address.js'

export interface ConnectionShares {
  /** For all together. */
  connections: number
  /** Addresses and ranges of proxies, which stand for many. */
  trustProxy: readonly string[]
}

/**
 * Leaves connections for others: once half of all are taken, one address (IPv6: /64) may have a
 * quarter and one network (/48) half. What is more than that is hung up on, as Node does when all
 * are taken. Before that any caller may have as many as it likes.
 */
export function shareConnections(server: Server, { connections, trustProxy }: ConnectionShares): void {
  const isProxy = createAddressTest(trustProxy)
  const open = new Map<string, number>()
  let all = 0
  const isTooMany = (shares: readonly ConnectionShare[]) =>
    all >= connections * CROWDED &&
    shares.some(({ name, part }) => (open.get(name) ?? 0) >= Math.max(1, Math.floor(connections * part)))

  server.on('connection', (socket: Socket) => {
    const ip = socket.remoteAddress
    const shares = ip === undefined || isProxy(ip) ? [] : sharesOf(ip)
    if (isTooMany(shares)) {
      socket.destroy()
      return
    }
    all += 1
    for (const { name } of shares) open.set(name, (open.get(name) ?? 0) + 1)
    socket.once('close', () => {
      all -= 1
      for (const { name } of shares) {
        const left = (open.get(name) ?? 1) - 1
        if (left > 0) open.set(name, left)
        else open.delete(name)
      }
    })
  })
}

interface ConnectionShare {
  name: string
  /** Of all connections. */
  part: number
}

/** From here on a connection that is given to one is likely to be missed by another. */
const CROWDED = 1 / 2
const ADDRESS_PART = 1 / 4
const NETWORK_PART = 1 / 2

function sharesOf(ip: string): ConnectionShare[] {
  const network = callerNetwork(ip)
  const own = { name: callerAddress(ip), part: ADDRESS_PART }
  return network === undefined ? [own] : [own, { name: network, part: NETWORK_PART }]
}

function createAddressTest(ranges: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  // An IPv4 address on a socket of both families is known as such to the list.
  return (ip) => list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}
