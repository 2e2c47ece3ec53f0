import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import { createKey, type IssuedKey, type KeyOrder } from '../keys/issue.js'
import type { KeyRecord } from '../keys/key-record.js'
import type { KeyStore } from '../keys/key-store.js'
import { createId } from '../keys/secret.js'
import { addressShares } from '../limits/caller-address.js'
import type { AccountStore } from './account-store.js'
import type { Wallet } from './wallet.js'

export interface WalletKeysOptions {
  keyStore: KeyStore
  accountStore: AccountStore
  clock: Clock
}

/** Who orders a key: a wallet that is signed in, at an address. */
export interface KeyBuyer {
  wallet: Wallet
  ip: string
}

/** What it says of the key. */
export type KeyWish = Pick<KeyOrder, 'label' | 'origins'>

/** What a wallet does with its own keys. Keys of others do not exist for it. */
export interface WalletKeys {
  /** Newest first. */
  list(wallet: Wallet): Promise<KeyRecord[]>
  /**
   * Rejects with {@link KeyCapError}, `InvalidLabelError`, `InvalidOriginsError` or
   * `KeyStoreError`.
   */
  create(buyer: KeyBuyer, wish: KeyWish): Promise<IssuedKey>
  /**
   * A new key in the place of an old one, which ends. `undefined` when the wallet has no such key.
   */
  rotate(buyer: KeyBuyer, id: string): Promise<IssuedKey | undefined>
  /** False when the wallet has no such key. Refused by every process within the second. */
  revoke(wallet: Wallet, id: string): Promise<boolean>
}

/**
 * Keys cost nothing and wallets neither, so that both are bounded: keys by wallet, orders by
 * address and the network around it.
 */
export function createWalletKeys({ keyStore, accountStore, clock }: WalletKeysOptions): WalletKeys {
  const takeOrder = async (ip: string) => {
    const now = clock.now()
    for (const { caller, limit } of addressShares(ip, MAX_ORDERS_PER_DAY)) {
      const order = { id: createId('order'), caller: caller.id, orderedAt: now }
      if (!(await accountStore.addKeyOrder(order, { since: now - DAY_MS, limit }))) throw new KeyCapError('address')
    }
  }
  const findOwn = async (wallet: Wallet, id: string) => {
    const record = await keyStore.find(id)
    return record?.wallet === wallet && record.revokedAt === undefined ? record : undefined
  }

  return {
    list: (wallet) => keyStore.listOf(wallet),
    async create({ wallet, ip }, wish) {
      const issued = createKey({ ...wish, tier: 'free', wallet }, clock)
      if ((await keyStore.listOf(wallet)).length >= MAX_KEYS_PER_WALLET) throw new KeyCapError('wallet')
      await takeOrder(ip)
      await keyStore.insert(issued.record)
      // Of two orders at the same time each sees the other's key here, so that there is never one
      // too many.
      if ((await keyStore.listOf(wallet)).length > MAX_KEYS_PER_WALLET) {
        await keyStore.remove(issued.record.id)
        throw new KeyCapError('wallet')
      }
      return issued
    },
    async rotate({ wallet, ip }, id) {
      const old = await findOwn(wallet, id)
      if (old === undefined) return undefined
      await takeOrder(ip)
      const { label, tier, limits, origins } = old
      const issued = createKey({ label, tier, limits, origins, wallet }, clock)
      return (await keyStore.replace(id, issued.record)) ? issued : undefined
    },
    async revoke(wallet, id) {
      const record = await findOwn(wallet, id)
      return record !== undefined && keyStore.update(id, { revokedAt: clock.now() })
    },
  }
}

/** One for each of a person's programs. */
export const MAX_KEYS_PER_WALLET = 5

const DAY_MS = 24 * 60 * 60_000
/** What an office behind one address may need in a day, and too little to live on. */
export const MAX_ORDERS_PER_DAY = 20

/** There are enough keys: of this wallet, or from this address today. */
export class KeyCapError extends BaseError {
  override readonly name = 'KeyCapError'
  readonly of: 'wallet' | 'address'

  constructor(of: 'wallet' | 'address') {
    super(of === 'wallet' ? 'The wallet has as many keys as it may' : 'Too many keys were ordered from this address')
    this.of = of
  }
}
