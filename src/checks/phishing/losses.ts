import type { Log } from '../../evm/inspector.js'
import { type Address, wordToAddress, ZERO_ADDRESS } from '../../hex.js'
import type { Holding } from './assets.js'
import type { Values } from './call-data.js'
import type { Outcome } from './phishing-play.js'

/** What a victim lost. */
export interface Loss {
  holding: Holding
  /** Base units. */
  amount: bigint
  to: Address
  /** The function took what its caller named, not whatever there was. */
  isChosenAmount: boolean
}

/** What the victim has less of, and who has it now. */
export function lossesOf(
  { success, storage, tokens, logs }: Outcome,
  holdings: readonly Holding[],
  values: Values,
): Loss[] {
  if (!success) return []
  return holdings.flatMap((holding): Loss[] => {
    const change = storage.writes.get(holding.account)?.get(holding.slot)
    if (change === undefined) return []
    if (holding.kind === 'nft') {
      if (wordToAddress(change.before) !== holding.owner) return []
      return [{ holding, amount: 1n, to: wordToAddress(change.after), isChosenAmount: true }]
    }
    const amount = change.before - change.after
    if (amount <= 0n) return []
    const to = largestReceiver(tokens.get(holding.token)) ?? receiverOfMulti(logs, holding.token)
    return [{ holding, amount, to: to ?? ZERO_ADDRESS, isChosenAmount: values.includes(amount) }]
  })
}

/** `TransferSingle(address,address,address,uint256,uint256)` of EIP-1155 */
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'

function receiverOfMulti(logs: readonly Log[], token: Address): Address | undefined {
  const log = logs.findLast(({ address, topics }) => address === token && topics[0] === TRANSFER_SINGLE)
  const to = log?.topics[3]
  return to === undefined ? undefined : `0x${to.slice(-40)}`
}

function largestReceiver(changes: ReadonlyMap<Address, bigint> | undefined): Address | undefined {
  const received = [...(changes ?? [])].filter(([, change]) => change > 0n)
  return received.toSorted(([, a], [, b]) => (a < b ? 1 : -1))[0]?.[0]
}
