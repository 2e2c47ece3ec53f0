import { encodeFunctionData, parseAbi } from 'viem'
import { readFacts } from '../../src/bytecode/facts.js'
import { deploy } from '../../src/checks/bytecode/test-state.conformance.js'
import { createEvm } from '../../src/evm/create-evm.js'
import { type Address, type Hex, toPaddedHex } from '../../src/hex.js'

const OWNER: Address = '0x1000000000000000000000000000000000000001'
const HOLDER: Address = '0x2000000000000000000000000000000000000002'
const STRANGER: Address = '0x3000000000000000000000000000000000000003'
const RECEIVER: Address = '0x4000000000000000000000000000000000000004'
const abi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
])
const STANDARD = new Set(['0xa9059cbb', '0x23b872dd', '0x095ea7b3', '0x70a08231', '0xdd62ed3e', '0x18160ddd'])

const HELD = 10n ** 20n
const SENT = 10n ** 18n
/** Transfers of one token, each after a call of some other function and in another block. */
const ROUNDS = 12
/** What a transfer may need: one that asks for more than a wallet gives is a trap of its own. */
const GAS = [200_000n, 600_000n, 3_000_000n]

/**
 * Plays a token as people would: its functions are called by its owner and by others, blocks come
 * and go, and a holder sends a part of what he has. Says how it ended where that was not what he
 * asked for.
 */
export function playToken(creationCode: Hex, next: () => number): string[] {
  const { state, address, code } = deploy(creationCode)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  const first = { ...state.block, baseFeePerGas: 0n, blobBaseFee: 1n, prevRandao: toPaddedHex(7n, 32) }
  const evm = createEvm({ state, block: first, hardfork: 'cancun' })
  const others = readFacts(code).functions.flatMap(({ selector }) =>
    selector && !STANDARD.has(selector) ? [selector] : [],
  )
  const balanceOf = (account: Address) =>
    BigInt(
      evm.read({ to: address, data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [account] }) }).output,
    )
  const words = [0n, 1n, 2n, 5n, 10n ** 17n, BigInt(HOLDER), BigInt(RECEIVER), BigInt(OWNER), 2n ** 250n]
  const send = (from: Address, to: Address, amount: bigint, gasLimit: bigint) =>
    evm.transact({
      ...{ from, to: address, gasLimit, gasPrice: pick([0n, 5n, 10n ** 9n]) },
      data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }),
    })
  for (const account of [OWNER, HOLDER, STRANGER]) evm.setBalance(account, 10n ** 20n)
  send(OWNER, HOLDER, HELD, 3_000_000n)
  const wrongs: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    if (others.length > 0) {
      const args = [pick(words), pick(words)].map((word) => word.toString(16).padStart(64, '0')).join('')
      evm.transact({
        from: pick([OWNER, STRANGER]),
        to: address,
        data: `${pick(others)}${args}`,
        gasLimit: 500_000n,
        gasPrice: 0n,
      })
    }
    const { block } = evm
    const hours = BigInt(Math.floor(next() * 400))
    evm.setBlock({
      ...block,
      number: block.number + 1n + hours * 300n,
      timestamp: block.timestamp + 12n + hours * 3_601n,
      coinbase: toPaddedHex(BigInt(Math.floor(next() * 2 ** 48)), 20),
    })
    if (next() < 0.3) evm.setBalance(address, 10n ** 18n)
    const before = [balanceOf(HOLDER), balanceOf(RECEIVER)] as const
    if (before[0] < SENT) break
    const { error, output } = send(HOLDER, RECEIVER, SENT, pick(GAS))
    const [paid, arrived] = [before[0] - balanceOf(HOLDER), balanceOf(RECEIVER) - before[1]]
    if (error !== undefined) wrongs.push(`it failed: ${error}`)
    else if (BigInt(output) !== 1n || paid === 0n) wrongs.push('it moved nothing')
    else if (paid > SENT) wrongs.push('it took more')
    else if (arrived * 4n < SENT * 3n) wrongs.push('less arrived')
  }
  return [...new Set(wrongs)]
}
