import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, parseAbi } from 'viem'
import type { Devnet } from '../devnet/start-devnet.js'
import type { Hex } from '../hex.js'
import { type AlertBody, renderAlert } from './render-alert.js'
import { createPaint } from './render-verdict.js'

const abi = parseAbi(['function owner() view returns (address)', 'function setClosed(bool next)'])

/** The example whose owner can shut it. */
const EXAMPLE = 'owner-can-close'
const LOOK_MS = 500
/** A minute: the token is judged twice. */
const MAX_LOOKS = 120

interface WatchedScene {
  title: string
  /** What was told, for a person. */
  text: string
  /** What was not told as it should have been. */
  complaints: string[]
}

/**
 * A token is watched, its owner shuts it, and the service tells. The token is opened again
 * afterwards. `undefined` on a devnet without such a token.
 */
export async function watchWhileShut(
  { url, apiKey }: { url: string; apiKey: string },
  { node, chain, examples }: Devnet,
  { colour }: { colour: boolean },
): Promise<WatchedScene | undefined> {
  const token = examples.find(({ name }) => name === EXAMPLE)?.targetContractAddress
  if (token === undefined) return undefined
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const send = () =>
      fetch(`${url}/api/watches${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
    // A connection that was idle for a while may be closed just when it is used again.
    const response = await send().catch(send)
    return (await response.json()) as T
  }
  const until = async <T>(look: () => Promise<T | undefined>): Promise<T | undefined> => {
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const found = await look()
      if (found !== undefined) return found
      await sleep(LOOK_MS)
    }
    return undefined
  }
  const owner = await node.call<Hex>(
    'eth_call',
    { to: token, data: encodeFunctionData({ abi, functionName: 'owner' }) },
    'latest',
  )
  const setClosed = async (next: boolean) => {
    const data = encodeFunctionData({ abi, functionName: 'setClosed', args: [next] })
    await node.call('eth_sendTransaction', { from: `0x${owner.slice(-40)}`, to: token, data })
    await node.call('evm_mine')
  }
  const { watch } = await ask<{ watch: { id: string } }>('POST', '', {
    targetContractAddress: token,
    chainId: chain.id,
  })
  const play = async () => {
    const judged = await until(async () => {
      const read = await ask<{ watch: { verdict: object | null } }>('GET', `/${watch.id}`)
      return read.watch.verdict ?? undefined
    })
    await setClosed(true)
    const list = async () => (await ask<{ alerts: AlertBody[] }>('GET', `/alerts?watch=${watch.id}`)).alerts
    const isShut = ({ after }: AlertBody) => after?.level === 'Critical Risk'
    const told = await until(async () => {
      const alerts = await list()
      return alerts.some(isShut) ? alerts : undefined
    })
    await setClosed(false)
    return { judged, told }
  }
  // A watch that is left behind would be followed by every later service on this data.
  const { judged, told } = await play().finally(() => ask('DELETE', `/${watch.id}`))
  return {
    title: `watch: ${EXAMPLE} (chain ${chain.id}, ${token}): its owner shuts it while it is watched`,
    text: (told ?? []).map((alert) => renderAlert(alert, createPaint(colour))).join(''),
    complaints: [
      ...(judged === undefined ? ['it was not judged'] : []),
      ...(told === undefined ? ['that it was shut was not told'] : []),
    ],
  }
}
