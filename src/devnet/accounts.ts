import { bytesToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import type { Address, Hex } from '../hex.js'

export interface DevnetAccount {
  address: Address
  /** Known to everyone: never send anything of value here. */
  privateKey: Hex
}

/** The words that anvil derives its accounts from unless told otherwise. */
const MNEMONIC = 'test test test test test test test test test test test junk'

/** Stretching the words takes some 10 ms of each, and devnets have the same few. */
const known = new Map<number, DevnetAccount>()

/** Account `index` of every devnet, with its key. */
export function devnetAccount(index: number): DevnetAccount {
  const account = known.get(index) ?? deriveAccount(index)
  known.set(index, account)
  return account
}

function deriveAccount(index: number): DevnetAccount {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: index })
  const key = account.getHdKey().privateKey
  if (!key) throw new RangeError(`No key for account ${index}`)
  return { address: account.address.toLowerCase() as Address, privateKey: bytesToHex(key) }
}
