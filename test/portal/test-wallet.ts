import { ed25519 } from '@noble/curves/ed25519.js'
import { getBase58Decoder } from '@solana/kit'
import type { Page } from 'playwright-core'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

/**
 * Gives the page a wallet that announces itself (EIP-6963) and signs for real, with a key that
 * stays in this process.
 */
export async function injectEthereumWallet(page: Page, account: PrivateKeyAccount, chainId = 1): Promise<void> {
  await page.exposeFunction('testWalletRequest', async (method: string, params: unknown[]) => {
    if (method === 'eth_requestAccounts') return [account.address]
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    if (method === 'personal_sign') return account.signMessage({ message: { raw: params[0] as Hex } })
    throw new Error(`the test wallet does not know ${method}`)
  })
  await page.addInitScript(`
    const provider = { request: ({ method, params = [] }) => window.testWalletRequest(method, params) }
    const info = Object.freeze({
      uuid: '350670db-19fa-4704-a166-e52e178b59d2',
      name: 'Test Wallet',
      icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"%3E%3Ccircle cx=".5" cy=".5" r=".5" fill="%23776"/%3E%3C/svg%3E',
      rdns: 'example.wallet',
    })
    const announce = () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  `)
}

/** The same for Solana, by the wallet standard. */
export async function injectSolanaWallet(page: Page, secret: Uint8Array): Promise<string> {
  const publicKey = ed25519.getPublicKey(secret)
  const address = getBase58Decoder().decode(publicKey)
  await page.exposeFunction('testSolanaSign', (message: number[]) => [
    ...ed25519.sign(Uint8Array.from(message), secret),
  ])
  await page.addInitScript(`
    const account = Object.freeze({
      address: ${JSON.stringify(address)},
      publicKey: Uint8Array.from(${JSON.stringify([...publicKey])}),
      chains: ['solana:mainnet'],
      features: ['solana:signMessage'],
    })
    const wallet = Object.freeze({
      version: '1.0.0',
      name: 'Test Solana Wallet',
      icon: 'data:image/svg+xml;base64,PHN2Zy8+',
      chains: ['solana:mainnet'],
      accounts: [account],
      features: {
        'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
        'solana:signMessage': {
          version: '1.1.0',
          signMessage: async ({ message }) => [
            { signedMessage: message, signature: Uint8Array.from(await window.testSolanaSign([...message])) },
          ],
        },
      },
    })
    const register = ({ register }) => register(wallet)
    window.addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail))
    window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  `)
  return address
}
