import type { FastifyInstance } from 'fastify'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../src/hex.js'
import { ORIGIN } from './test-app.js'

export const HOST = new URL(ORIGIN).host
/** What a browser says of itself when a page of ours asks. */
export const FROM_PORTAL = { host: HOST, origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

export const walletOf = (digit: string) => privateKeyToAccount(`0x${digit.repeat(64)}` as Hex)
export const alice = walletOf('1')
export const bob = walletOf('2')

/** Signs in as a browser does, and gives the cookie that it keeps. */
export async function signInTo(app: FastifyInstance, wallet = alice, remoteAddress = '192.0.2.1') {
  const nonce = await app.inject({
    url: `/api/auth/nonce?chainId=1&address=${wallet.address}`,
    headers: { host: HOST },
    remoteAddress,
  })
  const { message } = nonce.json()
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/verify',
    headers: { ...FROM_PORTAL, 'content-type': 'application/json' },
    payload: { message, signature: await wallet.signMessage({ message }) },
    remoteAddress,
  })
  const cookie = String(response.headers['set-cookie']).split(';')[0] ?? ''
  return { response, cookie, message }
}
