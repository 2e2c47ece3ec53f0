import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import type { Inspector } from '../evm/inspector.js'
import type { Address, Hex } from '../hex.js'
import { mark } from '../simulation/fork-verbs.js'
import { nextBlock } from '../simulation/pending-block.js'
import type { Fork } from '../simulation/scenario.js'
import { ranOutOfGas, type SentTransaction, send, type Trader } from '../simulation/trader.js'
import { encodeCall } from './encode-call.js'
import { erc20Abi, readWord } from './read-contract.js'

/** Who is to be let take how many base units of what. */
export interface Allowance {
  token: Address
  spender: Address
  amount: bigint
}

export interface Grant {
  success: boolean
  /**
   * In their order; the last one decided. None where what the owner had allowed before is enough.
   */
  sent: readonly SentTransaction[]
  /** More than was wanted had to be allowed. */
  isUnlimited: boolean
}

/**
 * Allows what is wanted as a wallet does. A token may refuse to change an allowance that stands
 * (USDT and many of 2017 and 2018), refuse zero (BNB), answer false, want all or nothing, or fix
 * what one spender may take: where the plain approval is refused, what stands is used, set to zero
 * first, or raised. Where all of that is refused, the fork is left as the plain approval leaves it.
 */
export function grantAllowance(
  fork: Fork,
  trader: Trader,
  wanted: Allowance,
  watch?: () => readonly Inspector[],
): Grant {
  const back = mark(fork)
  const allow = (way: Way): Grant => {
    back()
    const sent = sendAll(fork, trader, wanted.token, way.calls, watch)
    return { success: sent.at(-1)?.result.status === 'success', sent, isUnlimited: way.isUnlimited === true }
  }
  const plain = allow(plainWay(wanted))
  const [first] = plain.sent
  if (isAllowed(fork, trader, wanted, plain) || (first && ranOutOfGas(first))) return plain
  back()
  const standing = readAllowance(fork, trader, wanted)
  if (standing >= wanted.amount) return { success: true, sent: [], isUnlimited: false }
  for (const way of otherWays(wanted, standing)) {
    const grant = allow(way)
    if (isAllowed(fork, trader, wanted, grant)) return grant
  }
  return allow(plainWay(wanted))
}

/** Calls of the token, each in a block of its own. */
interface Way {
  calls: readonly Hex[]
  isUnlimited?: boolean
}

const approval = (spender: Address, amount: bigint) =>
  encodeCall({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })

const plainWay = ({ spender, amount }: Allowance): Way => ({ calls: [approval(spender, amount)] })

/**
 * `increaseAllowance` is no way from zero: no exchange's front end offers it, so that its users
 * could not sell.
 */
function otherWays({ spender, amount }: Allowance, standing: bigint): Way[] {
  const [none, some, all] = [0n, amount, maxUint256].map((value) => approval(spender, value)) as [Hex, Hex, Hex]
  if (standing === 0n) return [{ calls: [all], isUnlimited: true }]
  const raise = encodeFunctionData({ abi: raiseAbi, args: [spender, amount - standing] })
  return [
    { calls: [none, some] },
    { calls: [raise] },
    { calls: [all], isUnlimited: true },
    { calls: [none, all], isUnlimited: true },
  ]
}

const raiseAbi = parseAbi(['function increaseAllowance(address spender, uint256 addedValue) returns (bool)'])

/** Ends with the first call that fails. */
function sendAll(
  fork: Fork,
  trader: Trader,
  token: Address,
  calls: readonly Hex[],
  watch?: () => readonly Inspector[],
): SentTransaction[] {
  const sent: SentTransaction[] = []
  for (const data of calls) {
    if (sent.length > 0) fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
    const each = send(fork, trader, { to: token, data }, watch)
    sent.push(each)
    if (each.result.status !== 'success') break
  }
  return sent
}

/**
 * A token that answers nothing has agreed; one that answers no is asked what it has written down.
 */
function isAllowed(fork: Fork, trader: Trader, wanted: Allowance, { success, sent }: Grant): boolean {
  if (!success) return false
  const output = sent.at(-1)?.result.output ?? '0x'
  return output !== NO || readAllowance(fork, trader, wanted) >= wanted.amount
}

/** `false`, in the form of the ABI. */
const NO: Hex = `0x${'00'.repeat(32)}`

const readAllowance = (fork: Fork, { address }: Trader, { token, spender }: Allowance) =>
  readWord(fork, token, erc20Abi, 'allowance', [address, spender]) ?? 0n
