import { bytesToHex, type Hex, hexToBytes, toPaddedHex } from '../hex.js'
import { MAX_SAFE, toWord, type Word } from '../instructions/word.js'
import { UNKNOWN_NONCE } from '../state/state-reader.js'
import { type AccountEntry, isEmpty } from './account-entry.js'
import type { BlockEnvironment } from './block-environment.js'
import { codeSource, enterCall, enterCreation } from './calls.js'
import { designatorOf, EMPTY_CODE, prepareCode } from './code.js'
import { createAddress } from './create-address.js'
import { faults } from './faults.js'
import { NO_BYTES } from './frame.js'
import { run } from './interpreter.js'
import { keccakHex } from './keccak-words.js'
import { addressToWord, type Machine } from './machine.js'
import { decodeRevertReason } from './revert-reason.js'
import type {
  AccessListEntry,
  Authorization,
  DepositRequest,
  TransactionRequest,
  TransactionResult,
} from './transaction.js'
import { AUTHORIZATION_GAS, checkTransaction, intrinsicCost } from './transaction-validity.js'

/** What an authorization costs where the account exists (EIP-7702). */
const AUTHORIZATION_BASE_GAS = 12_500
const MAX_NONCE = 2n ** 64n - 1n

/**
 * Executes one transaction by the chain's rules, and pays for it. The machine carries the
 * transaction's hooks.
 */
export function executeTransaction(
  machine: Machine,
  tx: TransactionRequest,
  block: BlockEnvironment,
): TransactionResult {
  const { world, rules } = machine
  world.beginTransaction()
  const sender = world.account(addressToWord(tx.from))
  const data = hexToBytes(tx.data ?? '0x')
  const checked = checkTransaction(tx, data, sender, world, block, rules)
  const { gasLimit, gasPrice, value } = checked
  // Gas is counted in exact numbers; more than this cannot be spent.
  const spendable = Math.min(Number(gasLimit), MAX_SAFE)
  const blobFee = checked.blobGas * block.blobBaseFee
  const upfront = gasLimit * gasPrice + blobFee
  if (sender.missed && sender.balance < upfront + value) world.setBalance(sender, upfront + value)

  machine.origin = sender.word
  machine.gasPrice = toWord(gasPrice)
  machine.blobHashes = (tx.blobVersionedHashes ?? []).map((hash) => toWord(BigInt(hash)))
  const nonce = tx.to === undefined ? world.nonce(sender) : sender.nonce
  world.setBalance(sender, sender.balance - upfront)
  if (nonce !== UNKNOWN_NONCE) world.setNonce(sender, nonce + 1n)
  warmUp(machine, tx, sender)
  let refund = 0
  for (const authorization of tx.authorizationList ?? []) refund += authorize(machine, authorization)

  world.refund = refund
  machine.hooks?.transaction(gasLimit)
  const gas = spendable - checked.intrinsicGas
  const created = runOutermost(machine, { sender, to: tx.to, nonce, value: toWord(value), data, gas })
  const { output, error } = machine
  const used = settle(machine, spendable, checked.floorGas)

  world.setBalance(sender, sender.balance + (gasLimit - BigInt(used)) * gasPrice)
  payCoinbase(machine, BigInt(used) * checked.priorityFee)
  world.endTransaction(rules.keepsBalances)
  return announced(machine, toResult(machine, used, output, error, created))
}

/**
 * A deposit of the OP Stack (its specification, "Deposits"): what is minted stays whatever happens
 * then, nothing is paid for, and a deposit that no chain would include is one that failed.
 */
export function executeDeposit(machine: Machine, deposit: DepositRequest): TransactionResult {
  const { world, rules } = machine
  const { from, to, mint = 0n, value = 0n, gasLimit } = deposit
  world.beginTransaction()
  const sender = world.account(addressToWord(from))
  world.setBalance(sender, sender.balance + mint)
  const nonce = world.nonce(sender)
  world.setNonce(sender, nonce + 1n)
  const data = hexToBytes(deposit.data ?? '0x')
  const { intrinsicGas, floorGas } = intrinsicCost({ to }, data, rules)
  const tooLong = to === undefined && data.length > rules.maxInitCodeBytes
  if (sender.balance < value || Number(gasLimit) < Math.max(intrinsicGas, floorGas) || tooLong) {
    world.endTransaction(rules.keepsBalances)
    return { status: 'halt', gasUsed: gasLimit, output: '0x', error: faults.outOfGas, logs: [] }
  }
  machine.origin = sender.word
  machine.gasPrice = 0
  machine.blobHashes = []
  warmUp(machine, { to }, sender)
  machine.hooks?.transaction(gasLimit)
  const gas = Number(gasLimit) - intrinsicGas
  const created = runOutermost(machine, { sender, to, nonce, value: toWord(value), data, gas })
  const { output, error } = machine
  const used = settle(machine, Number(gasLimit), floorGas)
  world.endTransaction(rules.keepsBalances)
  return announced(machine, toResult(machine, used, output, error, created))
}

/**
 * What the chain itself calls at the start and the end of a block (EIP-4788, EIP-2935, EIP-7002,
 * EIP-7251): free, and from an account that is not asked for.
 */
export function executeSystemCall(machine: Machine, { to, data }: { to: Hex; data: Hex }): TransactionResult {
  const { world, rules } = machine
  world.beginTransaction()
  const sender = world.entry(SYSTEM_ADDRESS)
  machine.origin = sender.word
  machine.gasPrice = 0
  machine.blobHashes = []
  runOutermost(machine, { sender, to, nonce: 0n, value: 0, data: hexToBytes(data), gas: SYSTEM_GAS })
  const { output, error } = machine
  world.endTransaction(rules.keepsBalances)
  return toResult(machine, SYSTEM_GAS - machine.gasLeft, output, error, undefined)
}

const SYSTEM_ADDRESS = 0xfffffffffffffffffffffffffffffffffffffffen
const SYSTEM_GAS = 30_000_000

/**
 * Like `eth_call`: the caller pays for nothing but `value`. Effects are left for the caller of this
 * function to undo.
 */
export function executeRead(
  machine: Machine,
  call: { from: Hex; to: Hex; data: Hex; value: bigint; gas: number },
): TransactionResult {
  const { world, rules, block } = machine
  world.beginTransaction()
  const sender = world.account(addressToWord(call.from))
  if (sender.missed && sender.balance < call.value) world.setBalance(sender, call.value)
  machine.origin = sender.word
  // No sender offers less than the base fee, so a price of zero would show that this is no
  // transaction.
  machine.gasPrice = block.baseFee
  machine.blobHashes = []
  warmUp(machine, call, sender)
  const data = hexToBytes(call.data)
  machine.hooks?.transaction(BigInt(call.gas))
  runOutermost(machine, { sender, to: call.to, nonce: 0n, value: toWord(call.value), data, gas: call.gas })
  const { output, error } = machine
  world.endTransaction(rules.keepsBalances)
  return announced(machine, toResult(machine, call.gas - machine.gasLeft, output, error, undefined))
}

function announced({ hooks }: Machine, result: TransactionResult): TransactionResult {
  hooks?.transactionEnd(result)
  return result
}

interface Outermost {
  sender: AccountEntry
  to: Hex | undefined
  nonce: bigint
  value: Word
  data: Uint8Array
  gas: number
}

/** Runs the transaction's call or creation; returns the created account, if any. */
function runOutermost(machine: Machine, { sender, to, nonce, value, data, gas }: Outermost): AccountEntry | undefined {
  const { world } = machine
  if (to === undefined) {
    const address = world.entry(createAddress(sender.word, nonce))
    const creation = { kind: 'CREATE', depth: 0, creator: sender, address, value, gas, initCode: data } as const
    const frame = enterCreation(machine, creation)
    if (frame !== undefined) run(machine, frame)
    return address
  }
  const target = world.entry(addressToWord(to))
  // EIP-7702: a delegate of the recipient is warm too.
  if (!machine.precompiles.has(target.word)) world.warmAccount(codeSource(machine, target))
  const frame = enterCall(machine, {
    kind: 'CALL',
    depth: 0,
    payer: sender,
    caller: sender.word,
    target,
    value,
    gas,
    isStatic: false,
    input: data,
    inputView: new DataView(data.buffer, data.byteOffset, data.byteLength),
    inputStart: 0,
    inputLength: data.length,
  })
  if (frame !== undefined) run(machine, frame)
  return undefined
}

/** EIP-2929, EIP-2930, EIP-3651, EIP-7702: what is warm from the start. */
function warmUp(
  machine: Machine,
  tx: { to?: Hex | undefined; accessList?: readonly AccessListEntry[] },
  sender: AccountEntry,
): void {
  const { world, rules, block } = machine
  world.warmFromStart(sender)
  for (const address of machine.precompiles.keys()) world.warmFromStart(world.entry(address))
  if (rules.warmCoinbase) world.warmFromStart(world.entry(block.coinbase))
  for (const { address, storageKeys } of tx.accessList ?? []) {
    const account = world.entry(addressToWord(address))
    world.warmFromStart(account)
    for (const key of storageKeys) world.warmSlot(world.slot(account, toWord(BigInt(key))))
  }
  if (tx.to === undefined) return
  world.warmFromStart(world.entry(addressToWord(tx.to)))
}

/**
 * EIP-7702. Returns the refund: nothing, or what the account's existence saves. A tuple that does
 * not hold is skipped.
 */
function authorize(machine: Machine, { chainId, address, nonce, authority }: Authorization): number {
  const { world, block } = machine
  if (chainId !== 0n && chainId !== BigInt(block.chainId)) return 0
  if (nonce >= MAX_NONCE || authority === undefined) return 0
  const account = world.account(addressToWord(authority))
  world.warmAccount(account)
  const code = world.code(account)
  if (code.bytes.length > 0 && code.delegate === undefined) return 0
  if (world.nonce(account) !== nonce) return 0
  const refund = isEmpty(account) ? 0 : AUTHORIZATION_GAS - AUTHORIZATION_BASE_GAS
  const designator = designatorOf(address)
  const clears = BigInt(address) === 0n
  world.setCode(account, clears ? EMPTY_CODE : prepareCode(keccakHex(designator), designator))
  world.setNonce(account, nonce + 1n)
  return refund
}

/** What the sender pays for: after refunds (EIP-3529), and not below the floor (EIP-7623). */
function settle({ gasLeft, rules, world }: Machine, gasLimit: number, floorGas: number): number {
  const spent = gasLimit - gasLeft
  const refunded = spent - Math.min(world.refund, Math.floor(spent / rules.refundQuotient))
  return Math.max(refunded, floorGas)
}

function payCoinbase({ world, block }: Machine, fee: bigint): void {
  if (fee === 0n) return
  const coinbase = world.entry(block.coinbase)
  world.touch(coinbase)
  world.credit(coinbase, fee)
}

function toResult(
  { world }: Machine,
  used: number,
  output: Uint8Array,
  error: string | undefined,
  created: AccountEntry | undefined,
): TransactionResult {
  const isRevert = error === faults.reverted
  const status = error === undefined ? 'success' : isRevert ? 'revert' : 'halt'
  const result: TransactionResult = {
    status,
    gasUsed: BigInt(used),
    output: error === undefined || isRevert ? bytesToHex(output) : bytesToHex(NO_BYTES),
    logs: error === undefined ? world.logs : [],
  }
  if (error !== undefined) result.error = error
  const reason = isRevert ? decodeRevertReason(result.output) : undefined
  if (reason !== undefined) result.revertReason = reason
  if (created !== undefined && error === undefined) result.createdAddress = toPaddedHex(BigInt(created.word), 20)
  return result
}
