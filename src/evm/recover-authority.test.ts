import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { recoverAuthority } from './recover-authority.js'

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const address = '0x00000000000000000000000000000000000de1e6'
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

test.each([
  [1, 0],
  [0, 300],
])('an authorization for chain %d with nonce %d names who signed it', async (chainId, nonce) => {
  const signed = await account.signAuthorization({ chainId, address, nonce })
  const tuple = {
    chainId: BigInt(chainId),
    address,
    nonce: BigInt(nonce),
    yParity: BigInt(signed.yParity ?? 0),
  } as const
  const [r, s] = [BigInt(signed.r), BigInt(signed.s)]
  expect(recoverAuthority({ ...tuple, r, s })).toBe(account.address.toLowerCase())
  expect(recoverAuthority({ ...tuple, nonce: tuple.nonce + 1n, r, s })).not.toBe(account.address.toLowerCase())
  // The other half of the order signs the same, and is refused (EIP-2).
  expect(recoverAuthority({ ...tuple, yParity: 1n - tuple.yParity, r, s: ORDER - s })).toBeUndefined()
  expect(recoverAuthority({ ...tuple, r: 0n, s })).toBeUndefined()
  for (const yParity of [2n, 3n, 7n]) expect(recoverAuthority({ ...tuple, yParity, r, s })).toBeUndefined()
})
