import { callData, readWords } from '../../dex/read-contract.js'
import { readTokenMetadata, shownSymbol } from '../../dex/token-metadata.js'
import type { Log } from '../../evm/inspector.js'
import { type Address, type Hex, toPaddedHex } from '../../hex.js'
import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { PERMIT2 } from './assets.js'
import { type Outcome, play } from './phishing-play.js'
import { createVictim, giveToken, placeProbeAssets } from './victim.js'
import type { Approval, Movement } from './wallet-report.js'

export interface PlayWalletInput {
  address: Address
  seed: Hex
  from: Address | undefined
  value: bigint
  calldata: Hex
}

export interface PlayedWallet {
  account: Address
  success: boolean
  errorReason: string
  leaves: Movement[]
  arrives: Movement[]
  approvals: Approval[]
}

/**
 * Sends what a wallet is asked to send, and says what would change hands and who would be allowed
 * what.
 */
export const playWallet = defineScenario({
  module: import.meta.url,
  name: 'playWallet',
  run(fork, { address: target, seed, from, value, calldata }: PlayWalletInput): PlayedWallet {
    const account = from ?? makeUpAccount(fork, seed, target)
    const spender = namedSpender(calldata)
    const before = new Map<Address, bigint>()
    const after = new Map<Address, bigint>()
    const attempt = { from: account, to: target, data: calldata, value }
    const first = play(fork, attempt)
    const tokens = tokensIn(fork, first).slice(0, MAX_TOKENS)
    for (const token of tokens) before.set(token, balanceOf(fork, token, account))
    let allowance: bigint | undefined
    const outcome = play(fork, attempt, () => {
      for (const token of tokens) after.set(token, balanceOf(fork, token, account))
      allowance = spender && readWords(fork, target, callData(ALLOWANCE, [account, spender]))?.[0]
    })
    const changes = [
      ...nativeChanges(fork, outcome, account),
      ...tokens.flatMap((token) => tokenChange(fork, outcome, { token, account, before, after })),
      ...outcome.logs.flatMap((log) => nftChange(fork, log, account) ?? []),
    ]
    return {
      account,
      success: outcome.success,
      errorReason: outcome.success ? '' : (outcome.reason ?? outcome.trace.error ?? 'execution reverted'),
      leaves: changes.filter(({ isOut }) => isOut).map(({ movement }) => movement),
      arrives: changes.filter(({ isOut }) => !isOut).map(({ movement }) => movement),
      approvals: approvalsIn(outcome, { account, target, spender, allowance }),
    }
  },
})

/** Tokens whose balances are compared; a claim of many airdrops names as many. */
const MAX_TOKENS = 12
const MAX_APPROVALS = 16

/**
 * A caller that names no account is played by one that owns a little of everything, and has
 * approved nothing.
 */
function makeUpAccount(fork: Fork, seed: Hex, target: Address): Address {
  const random = createSeededRandom(seed)
  const tokens = fork.chain.watchedTokens.map(({ address, symbol, decimals }) => ({ token: address, symbol, decimals }))
  const probes = placeProbeAssets(fork, random)
  fork.evm.addStranger(fork.evm.block.coinbase)
  const spender = random.address('spender')
  fork.evm.addStranger(spender)
  const { address } = createVictim(fork, random, { name: 'wallet', spender, tokens, probes })
  giveToken(fork, address, { token: target, symbol: '', decimals: 18 }, 3n)
  return address
}

/** `balanceOf(address)`, `allowance(address,address)` */
const BALANCE_OF = '0x70a08231'
const ALLOWANCE = '0xdd62ed3e'
/** approve, increaseAllowance: the spender is the first word. */
const APPROVING = new Set(['0x095ea7b3', '0x39509351'])

/** Whom calldata itself asks to approve, whatever the token then logs. */
function namedSpender(calldata: Hex): Address | undefined {
  if (!APPROVING.has(calldata.slice(0, 10)) || calldata.length < 10 + 64) return undefined
  return `0x${calldata.slice(34, 74)}`
}

const balanceOf = (fork: Fork, token: Address, owner: Address) =>
  readWords(fork, token, callData(BALANCE_OF, [owner]))?.[0] ?? 0n

function tokensIn({ chain }: Fork, { tokens }: Outcome): Address[] {
  return [...new Set([...tokens.keys(), ...chain.watchedTokens.map(({ address }) => address)])]
}

interface Change {
  isOut: boolean
  movement: Movement
}

function nativeChanges({ chain }: Fork, { native, success }: Outcome, account: Address): Change[] {
  const change = success ? (native.get(account) ?? 0n) : 0n
  if (change === 0n) return []
  const counterparty = largest(native, change < 0n)
  const movement = { token: undefined, symbol: chain.nativeSymbol, amount: abs(change), id: undefined, counterparty }
  return [{ isOut: change < 0n, movement }]
}

interface TokenSeen {
  token: Address
  account: Address
  before: ReadonlyMap<Address, bigint>
  after: ReadonlyMap<Address, bigint>
}

/** By the token's balances; its logs only say who else took part. */
function tokenChange(fork: Fork, { tokens, success }: Outcome, { token, before, after }: TokenSeen): Change[] {
  const change = success ? (after.get(token) ?? 0n) - (before.get(token) ?? 0n) : 0n
  if (change === 0n) return []
  const counterparty = largest(tokens.get(token) ?? new Map(), change < 0n)
  const symbol = shownSymbol(readTokenMetadata.run(fork, token))
  return [{ isOut: change < 0n, movement: { token, symbol, amount: abs(change), id: undefined, counterparty } }]
}

const abs = (value: bigint) => (value < 0n ? -value : value)

function largest(changes: ReadonlyMap<Address, bigint>, isReceiver: boolean): Address | undefined {
  const sign = isReceiver ? 1n : -1n
  return [...changes]
    .filter(([, change]) => change * sign > 0n)
    .toSorted(([, a], [, b]) => (a * sign < b * sign ? 1 : -1))[0]?.[0]
}

/**
 * Events of EIP-20 and EIP-721 (Transfer, Approval), EIP-721 and EIP-1155 (ApprovalForAll), and
 * Permit2 (Approval, Permit).
 */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const APPROVAL_FOR_ALL = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'
const PERMIT2_APPROVAL = '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b'
const PERMIT2_PERMIT = '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec'

const lastAddress = (topic: string | undefined): Address => `0x${(topic ?? '').slice(-40)}`

function nftChange(fork: Fork, { address, topics }: Log, account: Address): Change | undefined {
  const [topic, from, to, id] = topics
  if (topic !== TRANSFER || id === undefined) return undefined
  const [giver, taker] = [lastAddress(from), lastAddress(to)]
  if ((giver === account) === (taker === account)) return undefined
  const isOut = giver === account
  const symbol = shownSymbol(readTokenMetadata.run(fork, address))
  const counterparty = isOut ? taker : giver
  return { isOut, movement: { token: address, symbol, amount: 1n, id: BigInt(id), counterparty } }
}

interface Approving {
  account: Address
  target: Address
  spender: Address | undefined
  allowance: bigint | undefined
}

function approvalsIn({ logs, success }: Outcome, { account, target, spender, allowance }: Approving): Approval[] {
  const logged = logs.flatMap((log) => approvalIn(log, account) ?? [])
  const isNamed = success && spender !== undefined && allowance !== undefined && allowance > 0n
  const named: Approval[] = isNamed
    ? [{ kind: 'erc20', token: target, spender, amount: limit(allowance), expires: undefined }]
    : []
  const byPlace = new Map([...named, ...logged].map((each) => [`${each.kind} ${each.token} ${each.spender}`, each]))
  return [...byPlace.values()].filter(({ amount }) => amount !== 0n).slice(0, MAX_APPROVALS)
}

function approvalIn({ address, topics, data }: Log, account: Address): Approval | undefined {
  const [topic, owner, second, third] = topics
  if (lastAddress(owner) !== account) return undefined
  const words = [0, 1].map((i) => BigInt(`0x${data.slice(2 + i * 64, 66 + i * 64) || '0'}`))
  const [first = 0n, next = 0n] = words
  if (topic === APPROVAL && third === undefined) {
    return { kind: 'erc20', token: address, spender: lastAddress(second), amount: limit(first), expires: undefined }
  }
  if (topic === APPROVAL) {
    const spender = lastAddress(second)
    return BigInt(spender) === 0n ? undefined : { kind: 'nft', token: address, spender, amount: 1n, expires: undefined }
  }
  if (topic === APPROVAL_FOR_ALL && first === 1n) {
    return { kind: 'nft', token: address, spender: lastAddress(second), amount: undefined, expires: undefined }
  }
  if (address === PERMIT2 && (topic === PERMIT2_APPROVAL || topic === PERMIT2_PERMIT)) {
    const expires = next > 0n && next < MAX_TIME ? next : undefined
    const spender = toPaddedHex(BigInt(third ?? 0) & ADDRESS_MASK, 20)
    return { kind: 'permit2', token: lastAddress(second), spender, amount: limit(first), expires }
  }
  return undefined
}

const ADDRESS_MASK = (1n << 160n) - 1n
/** Seconds; no calendar goes beyond. */
const MAX_TIME = 8_640_000_000_000n
/** Amounts from the largest of Permit2's on are for all there is and will be. */
const limit = (amount: bigint) => (amount >= ADDRESS_MASK ? undefined : amount)
