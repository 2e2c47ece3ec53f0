import type { Address } from '../../hex.js'
import { keepCompiled } from '../../keep-compiled.js'
import type { Inspector } from '../inspector.js'

export interface BalanceChanges {
  /**
   * Wei that calls, creations and self-destructions have moved; fees are not among it. Accounts
   * that end as they began are left out.
   */
  native: Map<Address, bigint>
  /**
   * By token, then holder: what the `Transfer` events claim. A token may claim anything; what is
   * true only its `balanceOf` can tell.
   */
  tokens: Map<Address, Map<Address, bigint>>
}

/** `Transfer(address,address,uint256)` */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const WORD_DIGITS = 66
const ADDRESS_DIGITS = 40

interface Movement {
  /** `undefined` for the native coin. */
  token: Address | undefined
  from: Address
  to: Address
  amount: bigint
}

/** Adds up who got what. What failed frames have moved is undone, as the chain does. */
export function createBalanceChangesInspector(): Inspector<BalanceChanges> {
  const movements: Movement[] = []
  const marks: number[] = []
  return keepCompiled('balance changes', {
    onCall({ kind, from, to, value }) {
      marks.push(movements.length)
      if (value === 0n || kind === 'DELEGATECALL' || kind === 'CALLCODE' || kind === 'STATICCALL') return
      movements.push({ token: undefined, from, to, amount: value })
    },
    onCallEnd({ error }) {
      const mark = marks.pop() ?? 0
      if (error !== undefined) movements.length = mark
    },
    onLog({ address, topics, data }) {
      const [topic, from, to] = topics
      // Three topics: an NFT's event has the token's number as a fourth.
      if (topic !== TRANSFER_TOPIC || topics.length !== 3 || from === undefined || to === undefined) return
      if (data.length < WORD_DIGITS) return
      const amount = BigInt(data.slice(0, WORD_DIGITS))
      movements.push({ token: address, from: addressIn(from), to: addressIn(to), amount })
    },
    finish() {
      const native = new Map<Address, bigint>()
      const tokens = new Map<Address, Map<Address, bigint>>()
      for (const { token, from, to, amount } of movements) {
        const holders = token === undefined ? native : (tokens.get(token) ?? new Map<Address, bigint>())
        if (token !== undefined) tokens.set(token, holders)
        holders.set(from, (holders.get(from) ?? 0n) - amount)
        holders.set(to, (holders.get(to) ?? 0n) + amount)
      }
      for (const holders of [native, ...tokens.values()]) {
        for (const [holder, change] of holders) if (change === 0n) holders.delete(holder)
      }
      return { native, tokens }
    },
  })
}

function addressIn(topic: string): Address {
  return `0x${topic.slice(-ADDRESS_DIGITS)}`
}
