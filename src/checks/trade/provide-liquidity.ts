import { encodeFunctionData, parseAbi } from 'viem'
import { grantAllowance } from '../../dex/grant-allowance.js'
import { balanceOf, readAddress } from '../../dex/read-contract.js'
import { type Address, ZERO_ADDRESS } from '../../hex.js'
import { mark } from '../../simulation/fork-verbs.js'
import { nextBlock } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import { send } from '../../simulation/trader.js'

/** A pool that was made on the fork, and stands nowhere else. */
export interface ProvidedLiquidity {
  /** Whose tokens were taken, acting as that account. */
  provider: Address
  /** Base units that went into the pool. */
  tokenAmount: bigint
  /** Wei, which came from nowhere. */
  nativeAmount: bigint
}

const routerAbi = parseAbi([
  'function addLiquidityETH(address token, uint256 amount, uint256 leastTokens, uint256 leastCoins, address to, uint256 deadline) payable',
])
const OWNER_CALLS = ['owner', 'getOwner'].map((name) =>
  encodeFunctionData({ abi: parseAbi([`function ${name}() view returns (address)`]), functionName: name }),
)
/** Where tokens are sent to be out of reach. */
const DEAD: Address = '0x000000000000000000000000000000000000dead'
/** Wei: a small launch. */
const NATIVE = 10n * 10n ** 18n
const GAS_MONEY = 10n ** 18n
/** Wei per gas. */
const TIP = 1_000_000_000n
/** Who holds most may be a contract that cannot let go of it. */
const MAX_PROVIDERS = 3
/** Half: a holder with nothing left may be treated in another way. */
const SHARE = 2n
const NEVER = 2n ** 63n

/**
 * Opens a pool on the chain's first V2 exchange with half of what the largest known holder has: the
 * token's owner, the token itself, or one of the `parties` to its transfers. Acts as that holder;
 * where it is a contract, its code is away for that long, since contracts sign nothing (EIP-3607).
 * `undefined` where no account has any, or no tokens go into a pool.
 */
export function provideLiquidity(
  fork: Fork,
  token: Address,
  parties: readonly Address[],
  random: SeededRandom,
): ProvidedLiquidity | undefined {
  const [exchange] = fork.chain.v2
  if (!exchange) return undefined
  const owners = OWNER_CALLS.flatMap((data) => readAddress(fork, token, data) ?? [])
  const holders = [...new Set([...owners, token, ...parties])]
    .filter((holder) => holder !== ZERO_ADDRESS && holder !== DEAD)
    .map((holder) => ({ holder, held: balanceOf(fork, token, holder) ?? 0n }))
    .filter(({ held }) => held > SHARE)
    .toSorted((a, b) => Number(b.held > a.held) - Number(b.held < a.held))
  const native = NATIVE + random.between('liquidity odds', 1n, 10n ** 15n)
  for (const { holder, held } of holders.slice(0, MAX_PROVIDERS)) {
    const back = mark(fork)
    const amount = held / SHARE
    if (addLiquidity(fork, { token, router: exchange.router, holder, amount, native }))
      return { provider: holder, tokenAmount: amount, nativeAmount: native }
    back()
  }
  return undefined
}

interface Addition {
  token: Address
  router: Address
  holder: Address
  amount: bigint
  native: bigint
}

function addLiquidity(fork: Fork, { token, router, holder, amount, native }: Addition): boolean {
  const { evm } = fork
  const code = evm.code(holder)
  // EIP-3607: an account with code of its own signs nothing.
  if (code.length > 0) evm.setCode(holder, new Uint8Array())
  evm.setBalance(holder, native + GAS_MONEY)
  const provider = { address: holder, tipPerGas: TIP }
  const args = [token, amount, 0n, 0n, holder, NEVER] as const
  const add = encodeFunctionData({ abi: routerAbi, functionName: 'addLiquidityETH', args })
  grantAllowance(fork, provider, { token, spender: router, amount })
  const { status } = send(fork, provider, { to: router, value: native, data: add }).result
  if (code.length > 0) evm.setCode(holder, code)
  evm.setBlock(nextBlock(fork.chain, evm.block))
  return status === 'success'
}
