import type { Hex } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import { selectorIn } from './call-data.js'

/** How functions are called that give back what their caller has paid in. */
const VERBS = ['withdraw', 'requestWithdraw', 'requestWithdrawal', 'unstake', 'requestUnstake', 'cashOut', 'refund']
const OBJECTS = ['', 'All', 'ETH', 'Eth', 'Ether', 'Token', 'Tokens', 'Funds', 'Deposit', 'Stake', 'Balance']
const NAMES = [
  ...VERBS.flatMap((verb) => OBJECTS.map((object) => `${verb}${object}`)),
  ...['exit', 'redeem', 'redeemAll', 'requestRedeem', 'claimRefund', 'getRefund', 'takeBack', 'emergencyWithdraw'],
]
/** An amount or a number, the receiver, the owner, and the token. */
const ARGUMENTS = [
  '',
  'uint256',
  'uint128',
  'uint96',
  'uint64',
  'bytes32',
  'address',
  'uint256,address',
  'address,uint256',
  'uint128,address',
  'uint256,uint256',
  'uint256,address,address',
  'address,uint256,address',
]

/** Names that promise something to a depositor, and that functions about rewards have as well. */
const CLAIMS = ['claim', 'claimAll', 'claimTokens', 'collect', 'reclaim']

const selectorsOf = (names: readonly string[]): ReadonlySet<Hex> =>
  new Set(names.flatMap((name) => ARGUMENTS.map((list) => selectorOf(`${name}(${list})`))))

const selectorOf = (signature: string): Hex => selectorIn(keccak256(new TextEncoder().encode(signature)))

let withdrawals: ReadonlySet<Hex> | undefined
let claims: ReadonlySet<Hex> | undefined

/**
 * Whether a call goes to a function whose name says that it gives back what was paid in, as those
 * of EIP-4626 and EIP-7540, of WETH and of stakes: to its users, the name is a promise.
 */
export function isWithdrawalByName(data: Hex): boolean {
  withdrawals ??= selectorsOf(NAMES)
  return withdrawals.has(selectorIn(data))
}

/** The same of a name that says that something is due, such as a reward. */
export function isClaimByName(data: Hex): boolean {
  claims ??= selectorsOf(CLAIMS)
  return claims.has(selectorIn(data))
}
