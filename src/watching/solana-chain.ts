import { unwrap } from '../rpc/request.js'
import { readAccountWords, WATCHED_BYTES } from '../solana/account-words.js'
import type { SolanaAddress } from '../solana/address.js'
import { isSlotThere, readNewestSlot } from '../solana/confirmed-slots.js'
import { getMultipleAccounts, MAX_ACCOUNTS_PER_CALL } from '../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../solana/rpc/solana-rpc-client.js'
import type { FollowedChain } from './followed-chain.js'
import type { ChangedWord } from './read-block-changes.js'

/** Ten calls in one request: all accounts of some 150 tokens at a look. */
const WORDS_AT_ONCE = 1_000
/** Accounts are compared with what they were at the verdict, so that nothing is missed for long. */
const MAX_MISSED = 2n ** 62n

/** Solana, whose watched accounts are read as they stand at the newest slot. */
export const createSolanaChain = (rpc: SolanaRpc): FollowedChain => ({
  async newest() {
    return { ...(await readNewestSlot(rpc)), parentHash: '' }
  },
  standing: async (slot) => ((await isSlotThere(rpc, slot)) ? 'there' : 'gone'),
  async next(last, head) {
    if (head.number <= last.number) return undefined
    return { ...head, parentHash: (await isSlotThere(rpc, last)) ? last.hash : '' }
  },
  async readWords({ number: minSlot }, words) {
    const asked = new Map<SolanaAddress, bigint[]>()
    for (const { address, slot } of words) {
      // Words of Solana are of its accounts.
      const account = address as SolanaAddress
      asked.set(account, [...(asked.get(account) ?? []), slot])
    }
    const addresses = [...asked.keys()]
    const parts = chunk(addresses).map((part) =>
      getMultipleAccounts({ addresses: part, prefixBytes: WATCHED_BYTES, minSlot }),
    )
    const answers = await rpc.batch(parts, { suspect: 'chain' })
    const accounts = answers.flatMap((answer) => unwrap(answer).value)
    return new Map(
      addresses.map((address, i) => {
        const read = readAccountWords(address, accounts[i])
        const changed = (asked.get(address) ?? []).map((slot): [bigint, ChangedWord] => [
          slot,
          { value: read.get(slot) ?? 0n, transaction: undefined },
        ])
        return [address, new Map(changed)]
      }),
    )
  },
  wordsAtOnce: WORDS_AT_ONCE,
  maxMissed: MAX_MISSED,
})

function chunk<T>(items: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += MAX_ACCOUNTS_PER_CALL)
    parts.push(items.slice(at, at + MAX_ACCOUNTS_PER_CALL))
  return parts
}
