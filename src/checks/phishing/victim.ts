import { createECDH } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { mappingSlot, nestedMappingSlot } from '../../dex/mapping-slot.js'
import { balanceOnTrial, callData } from '../../dex/read-contract.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import { keccak256 } from '../../evm/keccak-words.js'
import { ADDRESS_MASK, type Address, bytesToHex, type Hex, hexToBytes, toPaddedHex, WORD_MASK } from '../../hex.js'
import { createCountedLru } from '../../scheduling/lru.js'
import { deploy, mark, sendAs } from '../../simulation/fork-verbs.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import { type Holding, MULTI_AMOUNT, PERMIT2 } from './assets.js'
import { PROBE_NFT_CODE, PROBE_TOKEN_CODE } from './probe-code.js'

/** A person who owns things and has approved the target for all of them, as its website asked. */
export interface Victim {
  address: Address
  key: Uint8Array
  /** Number of its NFT, and of its multi-token. */
  nftId: bigint
  holdings: readonly Holding[]
}

/** A token that the victim is to own. */
export interface TokenOffer {
  token: Address
  symbol: string
  decimals: number
}

/** More than the poor have: some take from the rich alone. */
const WHOLE_TOKENS = 40_000_000n
const MAX_UINT48 = (1n << 48n) - 1n

/** `approve(address,uint256)`, and Permit2's `approve(address,address,uint160,uint48)` */
const APPROVE = '0x095ea7b3'
const PERMIT2_APPROVE = '0x87517c45'
/**
 * Where the probe contracts keep their things: the first mappings of
 * `contracts/phishing/ProbeAssets.sol`.
 */
const SLOT = { balances: 0n, allowances: 1n, owners: 0n, operators: 1n, amounts: 2n }

/** An account not met before, with its key. */
export function createKeyedStranger(
  { evm }: Fork,
  random: SeededRandom,
  name: string,
): Pick<Victim, 'address' | 'key'> {
  const key = toPaddedHex(random.between(`${name} key`, 1n, secp256k1.Point.CURVE().n - 1n), 32)
  const address = addresses.getOrMake(key, () => addressOfKey(key))
  evm.addStranger(address)
  return { address, key: hexToBytes(key) }
}

/** Probes that lacked state are repeated with the same keys, and each takes half a millisecond. */
const addresses = createCountedLru<Hex, Address>(512)

function addressOfKey(key: Hex): Address {
  const pair = createECDH('secp256k1')
  pair.setPrivateKey(hexToBytes(key))
  return bytesToHex(keccak256(pair.getPublicKey().subarray(1)).subarray(12))
}

/**
 * Makes the two contracts of ours on the fork. What was made there has no past, so that no node
 * needs to be asked about it.
 */
export function placeProbeAssets(fork: Fork, random: SeededRandom): { token: Address; nft: Address } {
  const maker = random.address('probe maker')
  fork.evm.addStranger(maker)
  return { token: create(fork, maker, 0n, PROBE_TOKEN_CODE), nft: create(fork, maker, 1n, PROBE_NFT_CODE) }
}

function create(fork: Fork, from: Address, nonce: bigint, code: Uint8Array): Address {
  const creationCode = new Uint8Array([...creationPrefix(code.length), ...code])
  return deploy(fork, { from, nonce, creationCode, gasLimit: CREATION_GAS })
}

/** Each of them has some two kilobytes, at 200 gas a byte. */
const CREATION_GAS = 2_000_000n

/**
 * PUSH2 length, DUP1, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 0, RETURN: creation code that returns what
 * follows it.
 */
const creationPrefix = (length: number) => [
  0x61,
  length >> 8,
  length & 255,
  0x80,
  0x60,
  12,
  0x60,
  0,
  0x39,
  0x60,
  0,
  0xf3,
]

export interface VictimOptions {
  name: string
  /** Who is approved. */
  spender: Address
  tokens: readonly TokenOffer[]
  probes: { token: Address; nft: Address }
  /** Who it is, where that is an account that is there already. */
  account?: Address
}

/**
 * Makes a victim and leaves it on the fork. Tokens whose balance cannot be written are left out.
 */
export function createVictim(
  fork: Fork,
  random: SeededRandom,
  { name, spender, tokens, probes, account }: VictimOptions,
): Victim {
  const made = createKeyedStranger(fork, random, name)
  const { address, key } = { ...made, address: account ?? made.address }
  const odd = random.between(`${name} change`, 1n, 999_999n)
  const real = tokens.flatMap((offer) => giveToken(fork, address, offer, odd) ?? [])
  // A caller that insists on an answer cannot move a token that gives none (USDT): those come
  // later.
  // What an account has is its own: it approves itself nothing.
  const answering = real.filter(({ token }) => address !== spender && approveAll(fork, address, token, spender))
  const nftId = random.between(`${name} nft`, 1_000n, 99_999n)
  const own = [
    giveProbeToken(fork, address, probes.token, spender, odd),
    ...giveNfts(fork, { address, nftId }, probes.nft, spender),
  ]
  if (address !== spender) approvePermit2(fork, address, probes.token, spender)
  const silent = real.filter((holding) => !answering.includes(holding))
  const holdings = address === spender ? [...own, ...real] : [...answering, ...silent, ...own]
  return { address, key, nftId, holdings }
}

/** Lets `owner` have some of a token by writing its balance, wherever the token keeps it. */
export function giveToken(fork: Fork, owner: Address, offer: TokenOffer, odd: bigint): Holding | undefined {
  const { evm } = fork
  const amount = WHOLE_TOKENS * 10n ** BigInt(offer.decimals) + odd
  const reads = createStorageAccessInspector()
  const { status } = evm.read({ to: offer.token, data: callData('0x70a08231', [owner]) }, [reads])
  if (status !== 'success') return undefined
  for (const [account, slots] of reads.finish().reads) {
    for (const [slot, value] of slots) {
      if (value !== 0n) continue
      const back = mark(fork)
      evm.setStorage(account, slot, amount)
      if (balanceOnTrial(fork, offer.token, owner) === amount) return { kind: 'erc20', ...offer, account, slot, amount }
      back()
    }
  }
  return undefined
}

/**
 * The target and Permit2 may take all of a token; the target may do so through Permit2 as well.
 * Whether the token answers with a word.
 */
function approveAll(fork: Fork, owner: Address, token: Address, spender: Address): boolean {
  const outputs = [...new Set([spender, PERMIT2])].map((each) =>
    token === each ? '0x' : send(fork, owner, token, callData(APPROVE, [each, WORD_MASK])),
  )
  approvePermit2(fork, owner, token, spender)
  return outputs.every((output) => output.length > 2)
}

function approvePermit2(fork: Fork, owner: Address, token: Address, spender: Address): void {
  if (spender === PERMIT2 || fork.evm.code(PERMIT2).length === 0) return
  send(fork, owner, PERMIT2, callData(PERMIT2_APPROVE, [token, spender, ADDRESS_MASK, MAX_UINT48]))
}

/** A transaction whose effects stay; what it answered. */
const send = (fork: Fork, from: Address, to: Address, data: Hex): Hex =>
  sendAs(fork, { from, to, data, gasLimit: APPROVAL_GAS }).output

/** What wallets send for an approval, and more than any honest token needs. */
const APPROVAL_GAS = 150_000n

function giveProbeToken({ evm }: Fork, owner: Address, token: Address, spender: Address, odd: bigint): Holding {
  const amount = WHOLE_TOKENS * 10n ** 18n + odd
  const slot = mappingSlot(SLOT.balances, owner)
  evm.setStorage(token, slot, amount)
  for (const each of [spender, PERMIT2])
    evm.setStorage(token, nestedMappingSlot(SLOT.allowances, owner, each), WORD_MASK)
  return { kind: 'erc20', token, symbol: 'TOKEN', decimals: 18, account: token, slot, amount }
}

/**
 * The same contract code in place of a collection or token that the target has fixed, so that the
 * victim owns some of it too.
 */
export function giveInPlace(
  fork: Fork,
  victim: Victim,
  spender: Address,
  address: Address,
  kind: Holding['kind'],
): Holding {
  const { evm } = fork
  evm.setCode(address, kind === 'erc20' ? PROBE_TOKEN_CODE : PROBE_NFT_CODE)
  if (kind === 'erc20') return giveProbeToken(fork, victim.address, address, spender, 7n)
  const [nft, multi] = giveNfts(fork, victim, address, spender)
  return (kind === 'nft' ? nft : multi) as Holding
}

function giveNfts(
  { evm }: Fork,
  { address: owner, nftId }: Pick<Victim, 'address' | 'nftId'>,
  token: Address,
  spender: Address,
): Holding[] {
  const ownerSlot = mappingSlot(SLOT.owners, nftId)
  const amountSlot = mappingSlot(mappingSlot(SLOT.amounts, nftId), owner)
  evm.setStorage(token, ownerSlot, BigInt(owner))
  evm.setStorage(token, amountSlot, MULTI_AMOUNT)
  evm.setStorage(token, nestedMappingSlot(SLOT.operators, owner, spender), 1n)
  const shared = { token, symbol: 'NFT', decimals: 0, account: token }
  return [
    { kind: 'nft', ...shared, slot: ownerSlot, amount: 1n, owner },
    { kind: 'multi', ...shared, slot: amountSlot, amount: MULTI_AMOUNT },
  ]
}

/**
 * A token that was met on the way: the victim gets some of it, by its own code where that can be,
 * and approves the target.
 */
export function giveMetToken(fork: Fork, victim: Victim, spender: Address, token: Address): Holding {
  const offer = { token, symbol: 'TOKEN', decimals: 18 }
  const holding = giveToken(fork, victim.address, offer, 5n)
  if (holding === undefined) return giveInPlace(fork, victim, spender, token, 'erc20')
  approveAll(fork, victim.address, token, spender)
  return holding
}
