import type { SolanaSignMessageFeature } from '@solana/wallet-standard-features'
import { getWallets } from '@wallet-standard/app'
import type { Wallet as StandardWallet, WalletAccount } from '@wallet-standard/base'
import { api, type Wallet } from '../api/api-client.js'
import { safeIcon, toHex, type WalletChoice } from './ethereum-wallet.js'

interface ConnectFeature {
  'standard:connect': { connect(): Promise<{ accounts: readonly WalletAccount[] }> }
}

type SolanaWallet = StandardWallet & { features: ConnectFeature & SolanaSignMessageFeature }

const isSolana = (wallet: StandardWallet): wallet is SolanaWallet =>
  'standard:connect' in wallet.features && 'solana:signMessage' in wallet.features

/**
 * Calls back for each wallet of Solana in the browser, also for those that register later. Returns
 * how to stop.
 */
export function discoverSolana(onFound: (choice: WalletChoice) => void): () => void {
  const { get, on } = getWallets()
  const offer = (...wallets: readonly StandardWallet[]) => {
    for (const wallet of wallets.filter(isSolana)) {
      onFound({
        id: `solana:${wallet.name}`,
        name: wallet.name.slice(0, 60),
        icon: safeIcon(wallet.icon),
        signIn: () => signInWith(wallet),
      })
    }
  }
  offer(...get())
  return on('register', offer)
}

async function signInWith(wallet: SolanaWallet): Promise<Wallet> {
  const { accounts } = await wallet.features['standard:connect'].connect()
  const account = accounts.find(({ chains }) => chains.some((chain) => chain.startsWith('solana:')))
  if (account === undefined) throw new Error('The wallet has no account of Solana to sign in with')
  const { message } = await api.nonce('SOL', account.address)
  const [signed] = await wallet.features['solana:signMessage'].signMessage({
    account,
    message: new TextEncoder().encode(message),
  })
  if (signed === undefined) throw new Error('The wallet did not sign')
  return (await api.verify(new TextDecoder().decode(signed.signedMessage), toHex(signed.signature))).wallet
}
