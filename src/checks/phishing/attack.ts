import type { CallFrame, Log } from '../../evm/inspector.js'
import { type Address, type Hex, hexToBytes, toPaddedHex, ZERO_ADDRESS } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import type { Fork } from '../../simulation/scenario.js'
import { type Holding, PERMIT2 } from './assets.js'
import { type Leads, type PullLead, readLeads } from './leads.js'
import { readPermit, type SignedPermit, signDigest } from './permit-signature.js'
import { type Attempt, type Outcome, play } from './phishing-play.js'
import type { EntryPoint } from './read-functions.js'
import { giveInPlace, giveMetToken, type Victim } from './victim.js'

/** A value for each leaf of a template. */
export type Values = readonly (bigint | Hex)[]

export interface AttackOptions {
  target: Address
  entry: EntryPoint
  /**
   * Values of which each stands at one place alone, so that it can be recognised where it comes
   * out.
   */
  marks: Values
  caller: Address
  value?: bigint
  victim: Victim
  /** Whom the attacker has paid. */
  thief: Address
  /** What the target asked for when it was called with the marks. */
  leads: Leads
  /** Signs whatever the target asks a signature of. */
  signer?: Uint8Array
}

/** What a victim lost. */
export interface Loss {
  holding: Holding
  /** Base units. */
  amount: bigint
  to: Address
  /** The function took what its caller named, not whatever there was. */
  isChosenAmount: boolean
}

export interface AttackResult {
  outcome: Outcome
  attempt: Attempt
  losses: readonly Loss[]
  /** Signatures of the victim that were accepted on the way. */
  permits: readonly SignedPermit[]
  /** The target made a call of which its caller chose every byte. */
  isExecutor: boolean
}

/** Each pass can show what the next one is to be given: a token, a signature, a receiver. */
const MAX_PASSES = 5

/** Data that a call can be written with. */
export function dataOf({ selector = '0x', template }: EntryPoint, values: Values): Hex {
  return `0x${selector.slice(2)}${template.encode(values).slice(2)}`
}

export const bytesIn = (values: Values): Set<Hex> =>
  new Set(values.filter((value): value is Hex => typeof value === 'string'))

/**
 * Turns what the target asked for into a call that would take it from the victim: the victim's
 * address in the owner's place, the thief's in the receiver's, a signature of the victim's where
 * one is wanted. `undefined` when nothing that was asked for can be the victim's.
 */
export const attack = (fork: Fork, options: AttackOptions): AttackResult | undefined =>
  branch(fork, () => attackHere(fork, options))

function attackHere(fork: Fork, options: AttackOptions): AttackResult | undefined {
  const { target, entry, marks, caller, victim, value = 0n } = options
  const values = [...marks]
  /** Leaves that have been given a meaning. */
  const given = new Set<number>()
  const stage: Stage = { fork, options, values, given, met: new Map(), pulledBy: new Set() }
  let leads: Leads = options.leads
  let result: AttackResult | undefined
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const signed = [...giveSignatures(stage, leads), ...signLeads(values, leads, options.signer)]
    const isChanged = [...giveRoles(stage, leads), ...signed].includes(true)
    if (!isChanged) break
    const attempt = { from: caller, to: target, data: dataOf(entry, values), value }
    const outcome = play(fork, attempt)
    const losses = lossesOf(outcome, [...victim.holdings, ...stage.met.values()], values)
    leads = readLeads(outcome.trace, target, bytesIn(values))
    const permits = acceptedPermits(fork, leads.permits, victim.address)
    const isExecutor = leads.executors.length > 0 || stage.pulledBy.size > 0
    result = { outcome, attempt, losses, permits, isExecutor }
    if (losses.length > 0) break
  }
  return result
}

interface Stage {
  fork: Fork
  options: AttackOptions
  values: (bigint | Hex)[]
  given: Set<number>
  /** Tokens that the target has fixed, now among what the victim owns. */
  met: Map<Address, Holding>
  /**
   * Accounts with code of ours that takes from the victim, which the target is to run as its own.
   */
  pulledBy: Set<Address>
}

/**
 * Puts `value` wherever the leaf with the present value `mark` stands. Whether anything changed.
 */
function put({ values, given }: Stage, mark: bigint, value: bigint): boolean {
  let isChanged = false
  values.forEach((present, i) => {
    if (present !== mark || given.has(i)) return
    given.add(i)
    values[i] = value
    isChanged = true
  })
  return isChanged
}

function giveRoles(stage: Stage, { pulls, executors, delegates, permits }: Leads): boolean[] {
  return [
    ...permits.map((frame) => givePermitRoles(stage, frame)),
    ...pulls.map((pull) => givePullRoles(stage, pull, permits.length > 0)),
    ...executors.map(({ to, input, value }) => giveCall(stage, BigInt(to), input, value)),
    ...delegates.map((to) => givePullingCode(stage, to)),
  ]
}

function givePullRoles(stage: Stage, { form, words, token }: PullLead, isSigned: boolean): boolean {
  const { options, fork } = stage
  const { victim, thief, caller, target } = options
  const word = (at: number | undefined) => (at === undefined ? undefined : words[at])
  const from = word(form.from)
  if (from === undefined || from === BigInt(target)) return false
  const isOwn = from === BigInt(caller)
  // A victim that calls for itself names no other account's tokens, and the other accounts have
  // none.
  if (isOwn !== (caller === victim.address)) return false
  const holding = chooseHolding(stage, form, token, isSigned)
  if (holding === undefined) return false
  const amount = word(form.amount)
  const id = word(form.id)
  const receiver = word(form.to)
  return [
    put(stage, token, BigInt(holding.token)),
    put(stage, from, BigInt(victim.address)),
    id !== undefined && put(stage, id, victim.nftId),
    amount !== undefined && put(stage, amount, portionOf(holding)),
    // An account that calls for itself has its tokens sent where it likes, which proves nothing.
    !isOwn && receiver !== undefined && put(stage, receiver, BigInt(thief)),
    giveMet(stage, fork, holding),
  ].includes(true)
}

/** A part of what there is, as a number that is not round. */
const portionOf = ({ kind, amount }: Holding) => (kind === 'erc20' ? (amount * 3n) / 5n + 11n : amount / 2n + 1n)

/**
 * What the victim has that fits: the very token if the target has fixed it, else the first of the
 * kind that can be signed for.
 */
function chooseHolding(
  { options, fork, values, met }: Stage,
  { standard }: PullLead['form'],
  token: bigint,
  isSigned: boolean,
): Holding | undefined {
  const { victim, target } = options
  const kind = standard === 'nft' || standard === 'multi' ? standard : 'erc20'
  const known = [...victim.holdings, ...met.values()].filter((holding) => holding.kind === kind)
  const same = known.find((holding) => BigInt(holding.token) === token)
  if (same !== undefined) return same
  if (values.includes(token)) return isSigned ? known.at(-1) : known[0]
  if (token === 0n || token >> 160n !== 0n) return undefined
  const address = toPaddedHex(token, 20)
  if (address === target || address === PERMIT2 || fork.evm.code(address).length === 0) return undefined
  return kind === 'erc20'
    ? giveMetToken(fork, victim, target, address)
    : giveInPlace(fork, victim, target, address, kind)
}

/** A token that the target has fixed and the victim did not have: it does now. */
function giveMet({ options, met }: Stage, _fork: Fork, holding: Holding): boolean {
  if (options.victim.holdings.includes(holding) || met.has(holding.token)) return false
  met.set(holding.token, holding)
  return true
}

function givePermitRoles(stage: Stage, frame: CallFrame): boolean {
  const { fork, options } = stage
  const { victim, thief, target } = options
  const permit = readPermit(fork, frame) ?? readPermitOfMark(stage, frame)
  if (permit === undefined) return false
  const holding = victim.holdings.findLast(({ kind }) => kind === 'erc20')
  if (holding === undefined) return false
  const { tokens, amounts, nonces, spenders, receivers } = permit.parts
  return [
    put(stage, BigInt(permit.owner), BigInt(victim.address)),
    ...tokens.map((token) => put(stage, token, BigInt(holding.token))),
    ...amounts.map((amount) => put(stage, amount, portionOf(holding))),
    ...nonces.map((nonce) => put(stage, nonce, 0n)),
    ...spenders.map((spender) => put(stage, spender, BigInt(target))),
    ...receivers.map((receiver) => put(stage, receiver, BigInt(thief))),
  ].includes(true)
}

/**
 * A made-up token has no domain to sign for; what the call names is read as if it were the victim's
 * own token.
 */
function readPermitOfMark({ fork, options: { victim }, values }: Stage, frame: CallFrame): SignedPermit | undefined {
  const { to } = frame
  const holding = victim.holdings.findLast(({ kind }) => kind === 'erc20')
  if (to === undefined || holding === undefined || !values.includes(BigInt(to))) return undefined
  const permit = readPermit(fork, { ...frame, to: holding.token })
  return permit && { ...permit, parts: { ...permit.parts, tokens: [BigInt(to)] } }
}

/** Signs, with the victim's key, whatever the target claims that the victim has signed. */
function giveSignatures({ fork, options: { victim }, values }: Stage, { permits }: Leads): boolean[] {
  return permits.map((frame) => {
    const permit = readPermit(fork, frame)
    if (permit?.owner !== victim.address) return false
    const { v, r, s, bytes } = signDigest(permit.digest, victim.key)
    const { signature } = permit
    const pairs: [bigint | Hex, bigint | Hex][] =
      typeof signature === 'string'
        ? [[signature, bytes]]
        : [
            [signature.r, r],
            [signature.s, s],
            [signature.v, v],
          ]
    return pairs.map(([mark, value]) => replace(values, mark, value)).includes(true)
  })
}

function replace(values: (bigint | Hex)[], mark: bigint | Hex, value: bigint | Hex): boolean {
  const places = values.flatMap((present, i) => (present === mark && present !== value ? [i] : []))
  for (const i of places) values[i] = value
  return places.length > 0
}

/** `transferFrom(address,address,uint256)` */
const TRANSFER_FROM = '0x23b872dd'

/** Has an executor call a token of the victim's. */
function giveCall(stage: Stage, to: bigint, input: Hex, value: bigint): boolean {
  const { victim, thief } = stage.options
  const [holding] = victim.holdings
  if (holding === undefined || stage.values.includes(BigInt(holding.token))) return false
  const words = [BigInt(victim.address), BigInt(thief), portionOf(holding)]
  const data: Hex = `${TRANSFER_FROM}${words.map((word) => toPaddedHex(word, 32).slice(2)).join('')}`
  const hasTarget = put(stage, to, BigInt(holding.token))
  replace(stage.values, input, data)
  if (value > 0n) replace(stage.values, value, 0n)
  return hasTarget
}

/** Has code that the caller names take a token of the victim's. Whether the caller names it. */
function givePullingCode({ fork, options, values, pulledBy }: Stage, to: Address): boolean {
  const { victim, thief } = options
  const [holding] = victim.holdings
  if (holding === undefined || pulledBy.has(to) || !values.includes(BigInt(to))) return false
  pulledBy.add(to)
  fork.evm.setCode(to, pullingCode(holding.token, [BigInt(victim.address), BigInt(thief), portionOf(holding)]))
  return true
}

/** Calls `transferFrom` of the token with these words, and answers whether that went through. */
function pullingCode(token: Address, words: readonly bigint[]): Uint8Array {
  const stores = [BigInt(TRANSFER_FROM) << 224n, ...words].map((word, i) => {
    const at = i === 0 ? 0 : 4 + (i - 1) * 32
    return `7f${toPaddedHex(word, 32).slice(2)}60${at.toString(16).padStart(2, '0')}52`
  })
  return hexToBytes(`0x${stores.join('')}5f5f60645f5f73${token.slice(2)}5af15f5260205ff3`)
}

/**
 * Puts signatures by `key` where the target looked for one, as words or as bytes. Whether anything
 * changed.
 */
export function signLeads(values: (bigint | Hex)[], { signatures }: Leads, key: Uint8Array | undefined): boolean[] {
  if (key === undefined) return []
  return signatures.map((lead) => {
    const { v, r, s, bytes } = signDigest(lead.digest, key)
    const packed = values.findIndex((value) => typeof value === 'string' && value.startsWith(toPaddedHex(lead.r, 32)))
    if (packed < 0) {
      const pairs = [
        [lead.r, r],
        [lead.s, s],
        [lead.v, v],
      ] as const
      return pairs.map(([mark, value]) => replace(values, mark, value)).includes(true)
    }
    if (values[packed] === bytes) return false
    values[packed] = bytes
    return true
  })
}

/** What the victim has less of, and who has it now. */
export function lossesOf(
  { success, storage, tokens, logs }: Outcome,
  holdings: readonly Holding[],
  values: Values,
): Loss[] {
  if (!success) return []
  return holdings.flatMap((holding): Loss[] => {
    const change = storage.writes.get(holding.account)?.get(holding.slot)
    if (change === undefined) return []
    if (holding.kind === 'nft') {
      return [{ holding, amount: 1n, to: toPaddedHex(change.after & ADDRESS_MASK, 20), isChosenAmount: true }]
    }
    const amount = change.before - change.after
    if (amount <= 0n) return []
    const to = largestReceiver(tokens.get(holding.token)) ?? receiverOfMulti(logs, holding.token)
    return [{ holding, amount, to: to ?? ZERO_ADDRESS, isChosenAmount: values.includes(amount) }]
  })
}

const ADDRESS_MASK = (1n << 160n) - 1n

/** `TransferSingle(address,address,address,uint256,uint256)` of EIP-1155 */
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'

function receiverOfMulti(logs: readonly Log[], token: Address): Address | undefined {
  const log = logs.find(({ address, topics }) => address === token && topics[0] === TRANSFER_SINGLE)
  const to = log?.topics[3]
  return to === undefined ? undefined : `0x${to.slice(-40)}`
}

function largestReceiver(changes: ReadonlyMap<Address, bigint> | undefined): Address | undefined {
  const received = [...(changes ?? [])].filter(([, change]) => change > 0n)
  return received.toSorted(([, a], [, b]) => (a < b ? 1 : -1))[0]?.[0]
}

/** Of the victim's signatures those that a contract took for good. */
function acceptedPermits(fork: Fork, frames: readonly CallFrame[], victim: Address): SignedPermit[] {
  return frames.flatMap((frame) => {
    if (frame.error !== undefined) return []
    const permit = readPermit(fork, frame)
    return permit?.owner === victim ? [permit] : []
  })
}
