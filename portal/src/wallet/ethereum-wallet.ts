import { api, type Wallet } from '../api/api-client.js'
import { CHAINS } from '../chain-list.js'

/** EIP-1193, as far as signing in needs it. */
interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/** A wallet that announced itself (EIP-6963), or any other that can sign us in. */
export interface WalletChoice {
  id: string
  name: string
  /**
   * An image as data; other addresses are not shown, because no server may be told that this page
   * was opened.
   */
  icon: string | undefined
  signIn(): Promise<Wallet>
}

export const safeIcon = (icon: unknown) =>
  typeof icon === 'string' && /^data:image\/(png|svg\+xml|webp|jpeg|gif)[;,]/.test(icon) ? icon : undefined

/**
 * Calls back for each wallet of the browser, also for those that announce themselves later. Returns
 * how to stop.
 */
export function discoverEthereum(onFound: (choice: WalletChoice) => void): () => void {
  const listen = (event: Event) => {
    const { detail } = event as CustomEvent<{ info?: Record<string, unknown>; provider?: Provider }>
    const { info, provider } = detail ?? {}
    if (!info || typeof provider?.request !== 'function') return
    onFound({
      id: `eip6963:${String(info.uuid)}`,
      name: String(info.name).slice(0, 60),
      icon: safeIcon(info.icon),
      signIn: () => signInWith(provider),
    })
  }
  addEventListener('eip6963:announceProvider', listen)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => removeEventListener('eip6963:announceProvider', listen)
}

async function signInWith(provider: Provider): Promise<Wallet> {
  const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
  const [address] = accounts
  if (address === undefined) throw new Error('The wallet has no account to sign in with')
  const current = String(Number(await provider.request({ method: 'eth_chainId' })))
  // The chain decides only where a contract wallet would be asked.
  const { message } = await api.nonce(CHAINS.find(({ id }) => id === current)?.id ?? '1', address)
  const signature = await provider.request({ method: 'personal_sign', params: [toHex(message), address] })
  return (await api.verify(message, String(signature))).wallet
}

export function toHex(data: string | Uint8Array): string {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
