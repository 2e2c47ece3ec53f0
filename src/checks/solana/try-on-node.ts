import { randomInt } from 'node:crypto'
import type { RpcBudget } from '../../rpc/budget.js'
import type { SolanaAddress } from '../../solana/address.js'
import type { SolanaState } from '../../solana/chain-state.js'
import { compileTransaction, TransactionTooWideError } from '../../solana/message.js'
import { associatedTokenAddress } from '../../solana/pda.js'
import { SYSTEM_PROGRAM } from '../../solana/programs.js'
import { type NodeSimulation, simulateTransaction } from '../../solana/rpc/simulate-transaction.js'
import type { SolanaRpc } from '../../solana/rpc/solana-rpc-client.js'
import { hookAccounts } from '../../solana/token/hook-accounts.js'
import type { Mint } from '../../solana/token/mint.js'
import { amountIn, parseTokenAccount } from '../../solana/token/token-account.js'
import { createAssociatedAccount, transferChecked, transferCoins } from '../../solana/token/token-instructions.js'
import { describeFailure } from './play/failure-words.js'
import { failedLeg, measure } from './play/play-stage.js'
import type { Holder, NodeTrial } from './solana-report.js'

interface Trial {
  rpc: SolanaRpc
  budget: RpcBudget
  state: SolanaState
  mint: Mint
  /** The account to trade with. */
  vault: { account: SolanaAddress; owner: SolanaAddress }
  holders: readonly Holder[]
  /** Invented. */
  trader: SolanaAddress
  /** Invented, and gets coins that no node can foresee. */
  witness: SolanaAddress
}

/**
 * Where nothing can be played here: has the node simulate one transaction, in which a wallet buys a
 * thousandth of the vault and sells half of it again. It shows the present moment alone, one size,
 * and no power. `undefined` when no wallet could pay for it, or the node will not; `contradicted`
 * when it does not run what it is sent: beside the trade it simulates one transaction that must go
 * through and one that cannot, and a drawn number of coins must arrive.
 */
export async function tryOnNode(trial: Trial): Promise<NodeTrial | 'contradicted' | undefined> {
  const { rpc, budget, vault, state, witness } = trial
  const payer = findPayer(trial)
  const amount = (amountIn(state.accounts.get(vault.account)?.data) ?? 0n) / VAULT_SHARE
  if (payer === undefined || amount < MIN_AMOUNT) return undefined
  const account = associatedTokenAddress(trial.trader, trial.mint.address, trial.mint.tokenProgram)
  const [coins, others] = [drawCoins(), drawCoins()]
  const transaction = await compile(trial, { payer, account, amount, coins })
  if (transaction === undefined) return undefined
  const pay = (lamports: bigint) => compileTransaction(payer, [transferCoins(payer, witness, lamports)]).bytes
  const trade = { ...simulateTransaction(transaction, [account, witness]), optional: true }
  const tooMuch = (state.accounts.get(payer)?.lamports ?? 0n) * TOO_MUCH
  const options = { suspect: trial.mint.address, budget }
  const [[outcome, must, cannot], second] = await Promise.all([
    rpc
      .batch(
        [
          trade,
          { ...simulateTransaction(pay(others), [witness]), optional: true },
          { ...simulateTransaction(pay(tooMuch), [witness]), optional: true },
        ],
        options,
      )
      .catch(() => []),
    rpc.endpoints < 2 ? undefined : rpc.secondOpinion(trade, options),
  ])
  if (!outcome?.ok) return undefined
  const told = outcome.value.value
  const isRun =
    must?.ok === true &&
    cannot?.ok === true &&
    arrived(must.value.value, 0) === others &&
    cannot.value.value.error?.instruction === 0 &&
    (told.error !== undefined || arrived(told, 1) === coins)
  if (!isRun || (second && !isSameOutcome(told, second.value))) return 'contradicted'
  const legs = readLegs(told, amount)
  return isAgainstRules(trial, legs) ? 'contradicted' : legs
}

/** Enough for an account to stay, and a number that is drawn. */
const drawCoins = () => LEAST_COINS + BigInt(randomInt(DRAWN_COINS))
const LEAST_COINS = 1_000_000n
const DRAWN_COINS = 1_000_000
/** No wallet has so many times what it has. */
const TOO_MUCH = 3n

/** What a wallet that was never there has after it. */
const arrived = ({ error, accounts }: NodeSimulation, place: number) =>
  error === undefined && accounts[place]?.owner === SYSTEM_PROGRAM ? accounts[place]?.lamports : undefined

const isSameOutcome = (a: NodeSimulation, b: NodeSimulation) =>
  a.error?.instruction === b.error?.instruction &&
  a.error?.code === b.error?.code &&
  amountIn(a.accounts[0]?.data) === amountIn(b.accounts[0]?.data)

/**
 * Whether a token without any rule that could do so refused a transfer or kept a part of it: the
 * token programs do neither of their own accord.
 */
function isAgainstRules({ mint, vault, state }: Trial, { buy, sell }: NodeTrial): boolean {
  const { extensions, unknownExtensions, malformed } = mint
  if (malformed || unknownExtensions.length > 0) return false
  const { transferHook, pausable, defaultState, nonTransferable, transferFee } = extensions
  const isFrozen = parseTokenAccount(vault.account, state.accounts.get(vault.account))?.frozen === true
  const rules = [transferHook?.program, pausable, defaultState, nonTransferable]
  const mayKeep = transferFee !== undefined
  // With a fee there may be less to sell than what was bought.
  const mayRefuse = isFrozen || mayKeep || rules.some((rule) => rule !== undefined)
  return (!mayRefuse && !(buy.ok && sell.ok)) || (!mayKeep && buy.ok && buy.taxBps > 0)
}

const VAULT_SHARE = 1_000n
/** Below this a percentage cannot be told from rounding. */
const MIN_AMOUNT = 100n

/**
 * A wallet that holds the token and has the coins to open an account: it must exist, and is not
 * asked to sign.
 */
function findPayer({ holders, state }: Trial): SolanaAddress | undefined {
  const isRich = ({ owner }: Holder) => (state.accounts.get(owner)?.lamports ?? 0n) >= MIN_LAMPORTS
  return holders.find((holder) => holder.kind === 'wallet' && isRich(holder))?.owner
}

/** Twice what a token account with every extension has to keep, and fees. */
const MIN_LAMPORTS = 10_000_000n

interface Order {
  payer: SolanaAddress
  account: SolanaAddress
  amount: bigint
  /** For the witness. */
  coins: bigint
}

/**
 * Repeats until everything that the token's hook asks for is known. `undefined` for what no
 * transaction can name, and where that has no end.
 */
async function compile(trial: Trial, order: Order): Promise<Uint8Array | undefined> {
  const { state } = trial
  for (let round = 0; ; round += 1) {
    const unknown = new Set<SolanaAddress>()
    const read = (address: SolanaAddress) => {
      if (!state.accounts.has(address) && address !== order.account) unknown.add(address)
      return state.accounts.get(address)
    }
    const instructions = write(trial, order, read)
    // What is known to be incomplete would fail, and blame the token.
    if (unknown.size > 0 && round >= MAX_ROUNDS) return undefined
    if (unknown.size === 0) {
      try {
        return compileTransaction(order.payer, instructions).bytes
      } catch (error) {
        if (error instanceof TransactionTooWideError) return undefined
        throw error
      }
    }
    await state.load([...unknown])
  }
}

/** Accounts of a hook may each depend on the one before. */
const MAX_ROUNDS = 34

function write(
  { mint, vault, trader, witness }: Trial,
  { payer, account, amount, coins }: Order,
  read: Parameters<typeof hookAccounts>[0],
) {
  const transfer = (from: SolanaAddress, to: SolanaAddress, authority: SolanaAddress, part: bigint) => {
    const way = { from, to, authority, amount: part }
    const hook = mint.extensions.transferHook?.program
    const extra = hook === undefined ? [] : hookAccounts(read, hook, { mint: mint.address, ...way })
    return transferChecked(mint, { ...way, extra })
  }
  return [
    transferCoins(payer, witness, coins),
    createAssociatedAccount(mint, { payer, owner: trader, account }),
    transfer(vault.account, account, vault.owner, amount),
    transfer(account, vault.account, trader, amount / 2n),
  ]
}

/** Place of the sale in the transaction. */
const SALE = 3

/**
 * Fees of the token program are the same on both ways, so that what the purchase lost is the tax of
 * the sale too.
 */
function readLegs({ error, logs, units, accounts }: NodeSimulation, amount: bigint): NodeTrial {
  const result = { ok: error === undefined, error, logs, units }
  const half = amount / 2n
  if (error !== undefined) {
    const reason = describeFailure(result)
    const isSale = error.instruction === SALE
    const buy = isSale ? measure({ ...result, ok: true }, amount, amount) : failedLeg(reason)
    return { buy, sell: failedLeg(isSale ? reason : 'nothing was bought') }
  }
  const received = (amountIn(accounts[0]?.data) ?? 0n) + half
  const buy = measure(result, amount, received)
  return { buy, sell: { ...buy, sent: half, received: half - (half * BigInt(buy.taxBps)) / FULL_BPS } }
}

const FULL_BPS = 10_000n
