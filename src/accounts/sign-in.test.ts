import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { getBase58Decoder } from '@solana/kit'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, test, vi } from 'vitest'
import { createManualClock } from '../clock.js'
import type { Hex } from '../hex.js'
import { RpcUnavailableError } from '../rpc/rpc-client.js'
import { MAX_USED_NONCES_PER_WALLET } from './account-store.js'
import { createMemoryAccountStore } from './memory-account-store.js'
import { createSignIn, SESSION_MS, type SignIn, SignInError } from './sign-in.js'

const ORIGIN = 'https://assay.example'
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)

/** `other` is a second instance of the service, on the same database. */
function setUp({ origins = [ORIGIN, 'http://localhost:8080'] }: { origins?: string[] } = {}) {
  const clock = createManualClock()
  const store = createMemoryAccountStore()
  const callNode = () => Promise.reject(new RpcUnavailableError(1, undefined))
  const create = () => createSignIn({ store, clock, origins, callNode })
  return { clock, store, signIn: create(), other: create() }
}

/** The message that the service wrote, signed. */
async function beginAndSign(signIn: SignIn, chain: string | undefined = '1') {
  const { message = '' } = await signIn.begin({ host: 'assay.example', chain, address: account.address })
  return { message, signature: await account.signMessage({ message }) }
}

const reasonOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'signed in',
    (error: unknown) => (error instanceof SignInError ? error.reason : String(error)),
  )

test('a wallet signs in, is known by its session, and signs out', async () => {
  const { signIn } = setUp()
  const { token, wallet } = await signIn.finish(await beginAndSign(signIn))
  expect(wallet).toBe(`eip155:${account.address.toLowerCase()}`)
  expect(await signIn.findWallet(token)).toBe(wallet)
  await signIn.end(token)
  expect(await signIn.findWallet(token)).toBeUndefined()
})

test('a client may write the message itself', async () => {
  const { clock, signIn } = setUp()
  const { nonce, domain, uri } = await signIn.begin({ host: 'LOCALHOST:8080', chain: undefined, address: undefined })
  const issuedAt = new Date(clock.now())
  const message = createSiweMessage({
    address: account.address,
    chainId: 56,
    domain,
    nonce,
    uri,
    version: '1',
    issuedAt,
  })
  expect({ domain, uri }).toEqual({ domain: 'localhost:8080', uri: 'http://localhost:8080' })
  expect(await reasonOf(signIn.finish({ message, signature: await account.signMessage({ message }) }))).toBe(
    'signed in',
  )
})

test('a nonce works at any instance, once at all of them together', async () => {
  const { signIn, other } = setUp()
  const signed = await beginAndSign(signIn)
  const reasons = await Promise.all([signIn, other, signIn, other].map((each) => reasonOf(each.finish(signed))))
  expect(reasons.toSorted()).toEqual(['nonce', 'nonce', 'nonce', 'signed in'])
  expect(await reasonOf(signIn.finish(await beginAndSign(other)))).toBe('signed in')
})

test('nonces that are not used take no room: a hundred thousand of them turn no wallet away', async () => {
  const { store, signIn } = setUp()
  const writes = vi.spyOn(store, 'spendNonce')
  const nonces = new Set<string>()
  for (let i = 0; i < 100_000; i += 1)
    nonces.add((await signIn.begin({ host: 'assay.example', chain: '1', address: undefined })).nonce)
  expect(nonces.size).toBe(100_000)
  for (const nonce of nonces) if (!/^[0-9A-Za-z]{8,64}$/.test(nonce)) expect.unreachable(nonce)
  expect(writes).not.toHaveBeenCalled()
  expect(await reasonOf(signIn.finish(await beginAndSign(signIn)))).toBe('signed in')
  expect(writes).toHaveBeenCalledTimes(1)
})

test('sessions end after a week', async () => {
  const { clock, signIn } = setUp()
  const { token } = await signIn.finish(await beginAndSign(signIn))
  clock.advance(SESSION_MS - 1)
  expect(await signIn.findWallet(token)).toBeDefined()
  clock.advance(1)
  expect(await signIn.findWallet(token)).toBeUndefined()
})

test.each(['', 'x', '../../etc/passwd', "' or 1=1 --", 'A'.repeat(43), 'A'.repeat(100_000)])(
  'a made-up session is none: %.20s',
  async (token) => {
    expect(await setUp().signIn.findWallet(token)).toBeUndefined()
  },
)

describe('refuses', () => {
  test('a replay, also at the same time', async () => {
    const { signIn } = setUp()
    const signed = await beginAndSign(signIn)
    const reasons = await Promise.all([1, 2, 3].map(() => reasonOf(signIn.finish(signed))))
    expect(reasons.toSorted()).toEqual(['nonce', 'nonce', 'signed in'])
    expect(await reasonOf(signIn.finish(signed))).toBe('nonce')
  })

  test('a nonce that it never gave, and any change of one that it gave', async () => {
    const { signIn } = setUp()
    const { message, signature } = await beginAndSign(signIn)
    const nonce = /Nonce: (.*)/.exec(message)?.[1] ?? ''
    const flip = (at: number) => `${nonce.slice(0, at)}${nonce[at] === '0' ? '1' : '0'}${nonce.slice(at + 1)}`
    const others = [...Array.from(nonce, (_, at) => flip(at)), '0'.repeat(60), nonce.toUpperCase(), nonce.slice(1)]
    for (const changed of others) {
      const other = message.replace(nonce, changed)
      expect(
        await reasonOf(signIn.finish({ message: other, signature: await account.signMessage({ message: other }) })),
      ).toBe('nonce')
    }
    // An attempt without the wallet's signature uses nothing up.
    expect(await reasonOf(signIn.finish({ message, signature: `0x${'00'.repeat(65)}` }))).toBe('node')
    expect(await reasonOf(signIn.finish({ message, signature }))).toBe('signed in')
  })

  test("a nonce of another service's", async () => {
    const elsewhere = await beginAndSign(setUp().signIn)
    expect(await reasonOf(setUp().signIn.finish(elsewhere))).toBe('nonce')
  })

  test.each([
    ['domain', /^assay\.example/, 'evil.example'],
    ['domain that ends alike', /^assay\.example/, 'evil-assay.example'],
    ['domain that begins alike', /^assay\.example/, 'assay.example.evil.example'],
    ['port', /^assay\.example/, 'assay.example:444'],
    ['URI', /URI: .*/, 'URI: https://evil.example'],
    ['URI with our name as its user', /URI: .*/, 'URI: https://assay.example@evil.example'],
    ['URI with a user', /URI: .*/, 'URI: https://me@assay.example'],
    ['scheme of the URI', /URI: .*/, 'URI: http://assay.example'],
    ['scheme', /^assay/, 'http://assay'],
  ])('another %s', async (_name, part, instead) => {
    const { signIn } = setUp()
    const message = (await beginAndSign(signIn)).message.replace(part, instead)
    expect(await reasonOf(signIn.finish({ message, signature: await account.signMessage({ message }) }))).toBe(
      'foreign',
    )
  })

  test('a nonce of one of our sites at another', async () => {
    const { signIn } = setUp()
    const message = (await beginAndSign(signIn)).message
      .replace(/^assay\.example/, 'localhost:8080')
      .replace(/URI: .*/, 'URI: http://localhost:8080')
    expect(await reasonOf(signIn.finish({ message, signature: await account.signMessage({ message }) }))).toBe('nonce')
  })

  test('another chain than the nonce is for, and chains that we do not serve', async () => {
    const { signIn } = setUp()
    const tryChain = async (chain: string) => {
      const message = (await beginAndSign(signIn)).message.replace('Chain ID: 1', `Chain ID: ${chain}`)
      return reasonOf(signIn.finish({ message, signature: await account.signMessage({ message }) }))
    }
    expect(await tryChain('56')).toBe('nonce')
    expect(await tryChain('2')).toBe('chain')
    expect(await tryChain('01')).toBe('chain')
    expect(await tryChain('mainnet')).toBe('chain')
    expect(await reasonOf(signIn.begin({ host: undefined, chain: '2', address: undefined }))).toBe('chain')
  })

  test('what is past its time, by the message or by the nonce', async () => {
    const { clock, signIn } = setUp()
    const late = await beginAndSign(signIn)
    clock.advance(5 * 60_000)
    expect(await reasonOf(signIn.finish(late))).toBe('expired')
    const bare = (await beginAndSign(signIn)).message.replace(/\nExpiration Time: .*/, '')
    const signature = await account.signMessage({ message: bare })
    clock.advance(5 * 60_000)
    expect(await reasonOf(signIn.finish({ message: bare, signature }))).toBe('expired')
  })

  test.each([
    ['is valid from later on', 'expired', (time: number) => `\nNot Before: ${new Date(time + 120_000).toISOString()}`],
    ['is from the future', 'expired', undefined],
  ])('a message that %s', async (_name, reason, suffix) => {
    const { clock, signIn } = setUp()
    const { message: ours } = await beginAndSign(signIn)
    const message = suffix
      ? `${ours}${suffix(clock.now())}`
      : ours.replace(/Issued At: .*/, `Issued At: ${new Date(clock.now() + 120_000).toISOString()}`)
    expect(await reasonOf(signIn.finish({ message, signature: await account.signMessage({ message }) }))).toBe(reason)
  })

  test('a message that is older than its nonce', async () => {
    const { clock, signIn } = setUp()
    const { message: ours } = await beginAndSign(signIn)
    const message = ours.replace(/Issued At: .*/, `Issued At: ${new Date(clock.now() - 120_000).toISOString()}`)
    expect(await reasonOf(signIn.finish({ message, signature: await account.signMessage({ message }) }))).toBe('nonce')
  })

  test("another account's signature, and a signature of something else", async () => {
    const { signIn } = setUp()
    const thief = privateKeyToAccount(`0x${'22'.repeat(32)}`)
    const { message } = await beginAndSign(signIn)
    // The address may be a contract; without a node that is not known, so that no one gets in.
    expect(await reasonOf(signIn.finish({ message, signature: await thief.signMessage({ message }) }))).toBe('node')
    const second = await beginAndSign(signIn)
    expect(
      await reasonOf(signIn.finish({ ...second, signature: await account.signMessage({ message: 'hello' }) })),
    ).toBe('node')
  })

  test('an address without its checksum', async () => {
    const { signIn } = setUp()
    const message = (await beginAndSign(signIn)).message.replace(account.address, account.address.toLowerCase())
    expect(await reasonOf(signIn.finish({ message, signature: await account.signMessage({ message }) }))).toBe(
      'signature',
    )
  })

  test('one wallet that signs in again and again, for as long as a nonce lives', async () => {
    const { clock, signIn } = setUp()
    for (let i = 0; i < MAX_USED_NONCES_PER_WALLET; i += 1)
      expect(await reasonOf(signIn.finish(await beginAndSign(signIn)))).toBe('signed in')
    expect(await reasonOf(signIn.finish(await beginAndSign(signIn)))).toBe('busy')
    clock.advance(6 * 60_000)
    expect(await reasonOf(signIn.finish(await beginAndSign(signIn)))).toBe('signed in')
  })

  test.each([
    '0x1',
    'hello',
    '0x7a250d5630b4cf539739df2c5dacb4c659f2488',
    '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  ])('to write a message for %s on Ethereum', async (address) => {
    expect(await reasonOf(setUp().signIn.begin({ host: undefined, chain: '1', address }))).toBe('address')
  })
})

describe('forms of one signature', () => {
  const malleate = (signature: Hex): Hex => {
    const s = secp256k1.Point.Fn.ORDER - BigInt(`0x${signature.slice(66, 130)}`)
    const v = signature.endsWith('1b') ? '1c' : '1b'
    return `${signature.slice(0, 66) as Hex}${s.toString(16).padStart(64, '0')}${v}`
  }
  const compact = (signature: Hex): Hex => {
    const s = BigInt(`0x${signature.slice(66, 130)}`) | (signature.endsWith('1c') ? 1n << 255n : 0n)
    return `${signature.slice(0, 66) as Hex}${s.toString(16).padStart(64, '0')}`
  }
  const withV = (v: string) => (signature: Hex) => `${signature.slice(0, -2)}${v}` as Hex

  test.each([
    ['the mirrored one, which recovers to the same account', malleate],
    ['the compact one (EIP-2098)', compact],
    ['with v 0 or 1', (signature: Hex) => withV(signature.endsWith('1b') ? '00' : '01')(signature)],
    ['with v of EIP-155', (signature: Hex) => withV(signature.endsWith('1b') ? '25' : '26')(signature)],
    ['with a byte more', (signature: Hex) => `${signature}00` as Hex],
  ])('%s is not accepted', async (_name, change) => {
    const { signIn } = setUp()
    const { message, signature } = await beginAndSign(signIn)
    expect(await reasonOf(signIn.finish({ message, signature: change(signature) }))).toBe('node')
  })

  test.each(['', '0x', '0xzz', 'hello', `0x${'00'.repeat(5_000)}`])('nonsense is refused: %.20s', async (signature) => {
    const { signIn } = setUp()
    const { message } = await beginAndSign(signIn)
    expect(await reasonOf(signIn.finish({ message, signature }))).toBe('signature')
  })
})

describe('Solana', () => {
  const secret = new Uint8Array(32).fill(7)
  const address = getBase58Decoder().decode(ed25519.getPublicKey(secret))
  const sign = (message: string) => ed25519.sign(new TextEncoder().encode(message), secret)
  const begin = async (signIn: SignIn) =>
    (await signIn.begin({ host: 'assay.example', chain: 'SOL', address })).message ?? ''
  const toHex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`

  test('a wallet signs in, with its signature in hex or base 58', async () => {
    const { signIn } = setUp()
    const inHex = await begin(signIn)
    expect((await signIn.finish({ message: inHex, signature: toHex(sign(inHex)) })).wallet).toBe(`solana:${address}`)
    const inBase58 = await begin(signIn)
    const signature = getBase58Decoder().decode(sign(inBase58))
    expect((await signIn.finish({ message: inBase58, signature })).wallet).toBe(`solana:${address}`)
  })

  test('refuses the signature of another key, of another text, and the mirrored form', async () => {
    const { signIn } = setUp()
    const order = 2n ** 252n + 27742317777372353535851937790883648493n
    const toNumber = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
    const forms: ((message: string) => Uint8Array)[] = [
      (message) => ed25519.sign(new TextEncoder().encode(message), new Uint8Array(32).fill(8)),
      () => sign('hello'),
      (message) => {
        const signature = sign(message)
        const s = toNumber(signature.slice(32)) + order
        return Uint8Array.from([
          ...signature.slice(0, 32),
          ...Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse(),
        ])
      },
      () => new Uint8Array(64),
      (message) => sign(message).slice(1),
    ]
    for (const form of forms) {
      const message = await begin(signIn)
      expect(await reasonOf(signIn.finish({ message, signature: toHex(form(message)) }))).toBe('signature')
    }
  })

  test('a key of small order signs nothing', async () => {
    const { signIn } = setUp()
    const everyone = getBase58Decoder().decode(Uint8Array.from([1, ...new Uint8Array(31)]))
    const { message = '' } = await signIn.begin({ host: 'assay.example', chain: 'SOL', address: everyone })
    const signature = toHex(Uint8Array.from([1, ...new Uint8Array(63)]))
    expect(await reasonOf(signIn.finish({ message, signature }))).toBe('signature')
  })

  test('a nonce for Ethereum is not one for Solana', async () => {
    const { signIn } = setUp()
    const { nonce } = await signIn.begin({ host: 'assay.example', chain: '1', address: undefined })
    const message = (await begin(signIn)).replace(/Nonce: .*/, `Nonce: ${nonce}`)
    expect(await reasonOf(signIn.finish({ message, signature: toHex(sign(message)) }))).toBe('nonce')
  })
})
