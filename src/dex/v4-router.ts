import { concatHex, encodeAbiParameters, parseAbi, parseAbiParameters } from 'viem'
import type { V4Deployment } from '../chains/exchanges.js'
import { type Address, type Hex, ZERO_ADDRESS } from '../hex.js'
import { encodeCall } from './encode-call.js'
import { v4KeyOf } from './v4-pool-key.js'
import type { Order, Pool, TradeCall, Venue } from './venue.js'

const routerAbi = parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline) payable'])
const permit2Abi = parseAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)'])

/** UniversalRouter's `Commands`. */
const WRAP_ETH = '0x0b'
const UNWRAP_WETH = '0x0c'
const V4_SWAP = '0x10'
/** V4's `Actions`. */
const SWAP_EXACT_IN_SINGLE = '0x06'
const SWAP_EXACT_IN = '0x07'
const SETTLE = '0x0b'
const SETTLE_ALL = '0x0c'
const TAKE = '0x0e'
const TAKE_ALL = '0x0f'
/** V4's `ActionConstants`. */
const ADDRESS_THIS: Address = '0x0000000000000000000000000000000000000002'
const OPEN_DELTA = 0n

/** How UniversalRouter is told to trade on V4, and how Permit2 is told to let it. */
export function createV4Router(deployment: V4Deployment): Required<Pick<Venue, 'permit' | 'buy' | 'sell'>> {
  const { router, permit2 } = deployment
  const execute = (commands: readonly [command: Hex, input: Hex][], value: bigint, deadline: bigint): TradeCall => ({
    to: router,
    value,
    data: encodeCall({
      abi: routerAbi,
      functionName: 'execute',
      args: [concatHex(commands.map(([command]) => command)), commands.map(([, input]) => input), deadline],
    }),
  })

  return {
    permit: ({ pool, amountIn, deadline }) => ({
      to: permit2,
      value: 0n,
      data: encodeCall({
        abi: permit2Abi,
        functionName: 'approve',
        args: [pool.token, router, atMost(160, amountIn), Number(atMost(48, deadline))],
      }),
    }),
    buy(order) {
      const { amountIn, deadline, pool, via } = order
      const coin = (via ?? pool).quote
      const swap = encodeSwap(deployment, order, 'buy')
      if (coin === ZERO_ADDRESS)
        return execute(
          [[V4_SWAP, encodeActions([swap, settleAll(coin, amountIn), takeAll(pool.token)])]],
          amountIn,
          deadline,
        )
      const wrap = encodeAbiParameters(RECIPIENT_AND_AMOUNT, [ADDRESS_THIS, amountIn])
      const settle = encodeAbiParameters(CURRENCY_AMOUNT_AND_PAYER, [coin, amountIn, false])
      const trade = encodeActions([[SETTLE, settle], swap, takeAll(pool.token)])
      return execute(
        [
          [WRAP_ETH, wrap],
          [V4_SWAP, trade],
        ],
        amountIn,
        deadline,
      )
    },
    sell(order) {
      const { amountIn, deadline, pool, via, trader } = order
      const coin = (via ?? pool).quote
      const swap = encodeSwap(deployment, order, 'sell')
      const settle = settleAll(pool.token, amountIn)
      if (coin === ZERO_ADDRESS) return execute([[V4_SWAP, encodeActions([swap, settle, takeAll(coin)])]], 0n, deadline)
      const take = encodeAbiParameters(CURRENCY_RECIPIENT_AND_AMOUNT, [coin, ADDRESS_THIS, OPEN_DELTA])
      const unwrap = encodeAbiParameters(RECIPIENT_AND_AMOUNT, [trader, 0n])
      return execute(
        [
          [V4_SWAP, encodeActions([swap, settle, [TAKE, take]])],
          [UNWRAP_WETH, unwrap],
        ],
        0n,
        deadline,
      )
    },
  }
}

/** What a token says that an account has may be more than V4 can count. */
const atMost = (bits: number, value: bigint) => (value >> BigInt(bits) === 0n ? value : 2n ** BigInt(bits) - 1n)

type Action = [action: Hex, params: Hex]

const ACTIONS = parseAbiParameters('bytes actions, bytes[] params')
const CURRENCY_AND_AMOUNT = parseAbiParameters('address currency, uint256 amount')
const RECIPIENT_AND_AMOUNT = parseAbiParameters('address recipient, uint256 amount')
const CURRENCY_AMOUNT_AND_PAYER = parseAbiParameters('address currency, uint256 amount, bool payerIsUser')
const CURRENCY_RECIPIENT_AND_AMOUNT = parseAbiParameters('address currency, address recipient, uint256 amount')
const EXACT_IN_SINGLE = parseAbiParameters([
  'Single params',
  'struct Single { Key poolKey; bool zeroForOne; uint128 amountIn; uint128 amountOutMinimum; bytes hookData; }',
  'struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
])
const EXACT_IN = parseAbiParameters([
  'Along params',
  'struct Along { address currencyIn; Hop[] path; uint128 amountIn; uint128 amountOutMinimum; }',
  'struct Hop { address intermediateCurrency; uint24 fee; int24 tickSpacing; address hooks; bytes hookData; }',
])

const encodeActions = (actions: readonly Action[]) =>
  encodeAbiParameters(ACTIONS, [concatHex(actions.map(([action]) => action)), actions.map(([, params]) => params)])
const settleAll = (currency: Address, most: bigint): Action => [
  SETTLE_ALL,
  encodeAbiParameters(CURRENCY_AND_AMOUNT, [currency, most]),
]
const takeAll = (currency: Address): Action => [TAKE_ALL, encodeAbiParameters(CURRENCY_AND_AMOUNT, [currency, 0n])]

function encodeSwap(deployment: V4Deployment, { pool, via, amountIn }: Order, direction: 'buy' | 'sell'): Action {
  const terms = { amountIn: atMost(128, amountIn), amountOutMinimum: 0n }
  if (!via) {
    const poolKey = v4KeyOf(deployment, pool)
    const zeroForOne = poolKey.currency0 === (direction === 'buy' ? pool.quote : pool.token)
    return [
      SWAP_EXACT_IN_SINGLE,
      encodeAbiParameters(EXACT_IN_SINGLE, [{ poolKey, zeroForOne, ...terms, hookData: '0x' }]),
    ]
  }
  const hop = (intermediateCurrency: Address, each: Pool) => {
    const { fee, tickSpacing, hooks } = v4KeyOf(deployment, each)
    return { intermediateCurrency, fee, tickSpacing, hooks, hookData: '0x' } as const
  }
  const [currencyIn, path] =
    direction === 'buy'
      ? [via.quote, [hop(via.token, via), hop(pool.token, pool)]]
      : [pool.token, [hop(pool.quote, pool), hop(via.quote, via)]]
  return [SWAP_EXACT_IN, encodeAbiParameters(EXACT_IN, [{ currencyIn, path, ...terms }])]
}
