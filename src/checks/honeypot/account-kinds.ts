import { keccak_256 } from '@noble/hashes/sha3.js'
import { buy, type TradeContext } from '../../dex/legs.js'
import { chainTaxes } from '../../dex/tax.js'
import { evaluatorOf } from '../../evm/inspectors/evaluator-of.js'
import type { Leaf, Term } from '../../evm/inspectors/term.js'
import { type Address, bytesToHex, hexToBytes } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { createStranger, createTrader, type Trader } from '../../simulation/trader.js'
import { WALLET_CODE } from '../../simulation/wallet-code.js'
import { isAbout, keyOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import type { Candidate, Circumstance, Setting } from './circumstance.js'
import type { CodeReads } from './code-reads.js'
import { DIVERGENCE_BPS } from './findings.js'
import { sellAfterCall } from './free-calls.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { pass } from './pass.js'
import { playSell, SOLD } from './play-window.js'

/** Bytes: what a Safe's proxy has. */
const WALLET_SIZE = 171
/** EIP-170. */
const MOST_CODE = 24_576n
/** Bytes of a delegation (EIP-7702). */
const DELEGATION_SIZE = 23n

/** What wallets delegate to, beside a delegate that no token has met: MetaMask's and Uniswap's. */
const DELEGATES: readonly Address[] = [
  '0x63c0c19a282a1b52b07dd5a65b58948a07dae32b',
  '0x000000009b1d0af20d8c6d0a44e162d11f9b8f00',
]

/** Whether the leaf is the code of the seller himself. */
export function asksSellersCode({ trader }: TradeContext, leaf: Leaf): boolean {
  const isOfCode = leaf.kind === 'environment' && (leaf.name === 'EXTCODESIZE' || leaf.name === 'EXTCODEHASH')
  return isOfCode && isAbout(leaf, trader.address)
}

/**
 * Other kinds of account with which the formula comes out otherwise: a wallet that delegates, and
 * contracts of whatever size it asks for.
 */
export function otherAccounts(setting: Setting, leaf: Leaf, formula: Term): Candidate[] {
  const is = (each: Leaf) => keyOf(each) === keyOf(leaf)
  const ofSize = leaf.kind === 'environment' && leaf.name === 'EXTCODESIZE'
  const sizes = ofSize ? solveLeaf(formula, is, leaf.value).filter(isSizeOfWallet).map(Number) : []
  const valueAt = evaluatorOf(formula, is)
  const truth = formula.value !== 0n
  return [
    ...delegations(setting).map((to) => ({ code: designator(to), circumstance: delegated(to) })),
    ...[WALLET_SIZE, ...sizes].map((size) => ({ code: walletOf(size), circumstance: ofContract(setting, size) })),
  ].flatMap(({ code, circumstance }) => {
    const value = ofSize ? BigInt(code.length) : BigInt(bytesToHex(keccak_256(code)))
    return (valueAt(value) !== 0n) === truth ? [] : [{ leaf: keyOf(leaf), is, value, circumstance }]
  })
}

const isSizeOfWallet = (size: bigint) =>
  size >= BigInt(WALLET_CODE.length) && size <= MOST_CODE && size !== DELEGATION_SIZE

/**
 * Sells as the other kinds of account that people have, where the token asked for the code of who
 * trades: what it does with the answer no formula may tell.
 */
export function sellAsOtherAccounts(setting: Setting, { size, content, origin }: CodeReads): ProbeFacts[] {
  const { context } = setting
  const asksCode = size || content
  const sellers = [
    ...(asksCode
      ? delegations(setting)
          .slice(0, content ? undefined : 1)
          .map(delegated)
      : []),
    ...(asksCode || origin ? [ofContract(setting, WALLET_SIZE)] : []),
  ]
  const sold = sellers.flatMap(({ name, enter }) =>
    onBranch(context, () => {
      const sale = enter({ context, held: setting.held, block: {} })
      return sale ? [{ name, sold: playSell(sale.context, sale.held) }] : []
    }),
  )
  return [...sold, ...(asksCode ? buyDelegated(setting) : [])]
}

/** What a wallet that is a contract can call itself, after which it sells. */
export function sellAsContractAfterCall(setting: Setting, usual: SellFacts): ProbeFacts | undefined {
  const { context, held } = setting
  return onBranch(context, () => {
    const sale = ofContract(setting, WALLET_SIZE).enter({ context, held, block: {} })
    if (sale === undefined) return undefined
    const sold = onBranch(sale.context, () => playSell(sale.context, sale.held))
    return sold.success ? undefined : sellAfterCall(sale.context, sale.held, { sold, usual, seller: CONTRACT })
  })
}

const CONTRACT = 'A wallet that is a contract'

/** A wallet that delegates buys: told where it is given much less than a plain one. */
function buyDelegated(setting: Setting): ProbeFacts[] {
  const { context, random, amount } = setting
  const [to] = delegations(setting)
  if (to === undefined) return []
  const buyAs = (code: Uint8Array | undefined) =>
    onBranch(context, () => {
      const trader = createTrader(context.fork, random, 'delegating', amount)
      if (code) delegate(context, trader.address, to)
      return buy({ ...context, trader }, amount)
    })
  const [plain, own] = [buyAs(undefined), buyAs(designator(to))]
  if (!plain.success || !own.success || (own.taxBps ?? 0) < (plain.taxBps ?? 0) + DIVERGENCE_BPS) return []
  return [{ name: 'delegated-account', sold: { ...SOLD, taxBps: chainTaxes(own.taxBps, 0) }, meaning: BOUGHT }]
}

const BOUGHT = 'Wallets that let code act for them (EIP-7702) are given next to nothing of what they buy'

const delegations = ({ random }: Setting): Address[] => [random.address('delegate'), ...DELEGATES]

const designator = (to: Address): Uint8Array => hexToBytes(`0xef0100${to.slice(2)}`)

function delegate({ fork }: TradeContext, account: Address, to: Address): void {
  if (!DELEGATES.includes(to)) fork.evm.addStranger(to)
  if (fork.evm.code(to).length === 0) fork.evm.setCode(to, WALLET_CODE)
  fork.evm.setCode(account, designator(to))
}

/** The seller lets code act for him, as wallets do since EIP-7702, after he has bought. */
const delegated = (to: Address): Circumstance => ({
  name: 'delegated-account',
  key: `delegates to ${to}`,
  enter(sale) {
    delegate(sale.context, sale.context.trader.address, to)
    return sale
  },
})

/** The same by a delegate that no token has met. */
export const asDelegated = ({ random }: Setting): Circumstance => delegated(random.address('delegate'))

/** A wallet that is a contract, as a Safe is, buys: who cannot buy has nothing to lose. */
const ofContract = ({ random, amount }: Setting, size: number): Circumstance => ({
  name: 'contract-wallet',
  key: `contract of ${size} bytes`,
  enter({ context, block }) {
    const own = { ...context, trader: createContractWallet(context, random, { size, amount }) }
    const bought = buy(own, amount / 2n)
    if (!bought.success || bought.tokenDelta <= 0n) return undefined
    pass(context.fork, 0)
    return { context: own, held: bought.tokenDelta, block }
  },
})

function createContractWallet(
  { fork }: TradeContext,
  random: SeededRandom,
  { size, amount }: { size: number; amount: bigint },
): Trader {
  const signer = createTrader(fork, random, 'signer', 0n)
  const address = createStranger(fork, random, `wallet of ${size}`)
  fork.evm.setCode(address, walletOf(size))
  fork.evm.setBalance(address, amount)
  return { ...signer, address, signer: signer.address }
}

/** The code of a wallet, with zeros behind it that never run. */
function walletOf(size: number): Uint8Array {
  const code = new Uint8Array(Math.max(size, WALLET_CODE.length))
  code.set(WALLET_CODE)
  return code
}
