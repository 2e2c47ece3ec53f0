import { readDesignator } from '../../bytecode/proxy.js'
import { COIN_DECIMALS } from '../../decimal-text.js'
import { balanceOf } from '../../dex/read-contract.js'
import { readTokenMetadata, shownSymbol, type TokenMetadata } from '../../dex/token-metadata.js'
import { type Address, type Hex, hexToBytes, ZERO_ADDRESS } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { createSeededRandom, type SeededRandom } from '../../simulation/random.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { type Acted, actAsAccount } from './act-as-account.js'
import { selectorIn } from './call-data.js'
import { delegatesOf } from './delegates-of.js'
import type { PlannedCall } from './signed-intent.js'
import { createVictim, giveToken, placeProbeAssets } from './victim.js'
import { type Change, changesSince, countAfter, largestOf } from './wallet-changes.js'
import type { Approval, Movement, PlayedCall, Right, TokenWords, Transfer } from './wallet-report.js'
import { rightsAfter } from './wallet-rights.js'

export interface PlayWalletInput {
  address: Address
  seed: Hex
  /** Whose wallet; made up if absent and something is played. */
  account: Address | undefined
  calls: readonly PlannedCall[]
  /** Whose code becomes which; the account's own where none is named. */
  delegations: readonly { authority: Address | undefined; delegate: Address }[]
  /** What a signature would move and allow: told with the tokens' own words. */
  signed: { leaves: readonly Transfer[]; arrives: readonly Transfer[]; approvals: readonly Right[] }
}

export interface PlayedWallet {
  account: Address | undefined
  /** Absent where nothing was played. */
  success: boolean | undefined
  errorReason: string
  calls: readonly (PlayedCall & { isToNothing: boolean })[]
  leaves: Movement[]
  arrives: Movement[]
  approvals: Approval[]
  /** What went, nearly whole, to accounts that the wallet had named nowhere, for nothing. */
  drained: Movement[]
  /** What leaves nearly whole. */
  emptied: Movement[]
  /** Words of the account's own storage that it would write. */
  ownStorage: ReadonlyMap<bigint, bigint>
  /** The account would run other code than before. */
  isTakenOver: boolean
  /** Why something stayed unseen. */
  gaps: readonly string[]
}

/**
 * Plays what a wallet is asked for, one call after the other, and says what changes hands and who
 * may take what afterwards.
 */
export const playWallet = defineScenario({
  module: import.meta.url,
  name: 'playWallet',
  run(fork, { address: target, seed, account: from, calls, delegations, signed }: PlayWalletInput): PlayedWallet {
    const random = createSeededRandom(seed)
    const isPlayed = calls.length > 0
    const account = from ?? (isPlayed ? makeUpAccount(fork, random, target) : undefined)
    const describe = createDescriber(fork)
    const seen = account === undefined || !isPlayed ? NOTHING_SEEN : act(fork, random, { account, calls, delegations })
    const movements = seen.changes.map((change) => ({ ...change, movement: describe(change.transfer) }))
    const leaves = movements.filter(({ isOut }) => isOut)
    const arrives = movements.filter(({ isOut }) => !isOut).map(({ movement }) => movement)
    const emptied = leaves.filter(({ isNearlyAll }) => isNearlyAll).map(({ movement }) => movement)
    const failed = seen.calls.findIndex(({ success }) => !success)
    const reason = seen.calls[failed]?.errorReason ?? ''
    return {
      account,
      success: isPlayed ? failed === -1 : undefined,
      errorReason: calls.length > 1 && failed >= 0 ? `call ${failed + 1} of ${calls.length}: ${reason}` : reason,
      calls: seen.calls,
      leaves: [...leaves.map(({ movement }) => movement), ...signed.leaves.map((each) => describe(each))],
      arrives: [...arrives, ...signed.arrives.map((each) => describe(each))],
      approvals: [...seen.rights, ...signed.approvals].map((each) => describe(each)),
      drained: arrives.length > 0 ? [] : emptied.filter((each) => isUnnamed(fork, each, calls)),
      emptied: [
        ...emptied,
        ...signed.leaves.filter((each) => isAllOf(fork, account, each)).map((each) => describe(each)),
      ],
      ownStorage: seen.ownStorage,
      isTakenOver: seen.isTakenOver,
      gaps: [...seen.gaps, ...(describe.isCut() ? ['not all tokens could be named'] : [])],
    }
  },
})

interface Seen extends Pick<PlayedWallet, 'calls' | 'ownStorage' | 'isTakenOver' | 'gaps'> {
  changes: Change[]
  rights: Right[]
}

const NOTHING_SEEN: Seen = {
  calls: [],
  changes: [],
  rights: [],
  ownStorage: new Map(),
  isTakenOver: false,
  gaps: [],
}

interface Part extends Pick<PlayWalletInput, 'calls' | 'delegations'> {
  account: Address
}

/** Plays all calls on a branch, and compares what is there at its end with what was before. */
function act(fork: Fork, random: SeededRandom, { account, calls, delegations }: Part): Seen {
  const { evm } = fork
  const before = logicOf(fork, account)
  const after = branch(fork, () => {
    for (const { authority = account, delegate } of delegations) evm.setCode(authority, designatorOf(delegate))
    const delegated = logicOf(fork, account)
    const played = playInTurn(fork, random, account, calls)
    const acts = played.map(({ acted }) => acted)
    const logs = acts.flatMap((each) => each.logs)
    const { rights, isCut } = rightsAfter(fork, { account, logs, calls })
    return {
      counted: countAfter(fork, account, acts),
      rights,
      gaps: isCut ? ['not all approvals could be followed'] : [],
      acts,
      calls: played.map(({ call }) => call),
      isTakenOver: delegations.length === 0 ? logicOf(fork, account) !== before : logicOf(fork, account) !== delegated,
    }
  })
  const tokens = changesSince(fork, account, after.counted)
  const unplayed = calls.length - after.calls.length
  return {
    calls: after.calls,
    changes: [...nativeChange(after.acts, account, evm.account(account).balance), ...tokens],
    rights: after.rights,
    ownStorage: new Map(
      after.acts.flatMap(({ writes }) => [...(writes.get(account) ?? [])].map(([s, c]) => [s, c.after])),
    ),
    isTakenOver: after.isTakenOver,
    gaps: [
      ...after.gaps,
      ...(after.counted.isCut ? ['not everything that was moved could be followed'] : []),
      ...(unplayed > 0 ? [`${unplayed} calls after the one that failed were not played`] : []),
    ],
  }
}

interface Turn {
  acted: Acted
  call: PlayedWallet['calls'][number]
}

/** Stops at the first call that fails: what would come after it is another question. */
function playInTurn(fork: Fork, random: SeededRandom, account: Address, calls: readonly PlannedCall[]): Turn[] {
  const turns: Turn[] = []
  for (const call of calls) {
    const { from = account, to, value, data } = call
    const isToNothing = data.length > 2 && fork.evm.code(to).length === 0 && !isPrecompile(to)
    const acted = actAsAccount(fork, random, { ...call, from })
    const { success, errorReason } = acted
    turns.push({ acted, call: { from, to, value, selector: selectorIn(data), success, errorReason, isToNothing } })
    if (!success) break
  }
  return turns
}

/** What the machine itself answers lies below this. */
const isPrecompile = (address: Address) => BigInt(address) < 0x10000n

const designatorOf = (delegate: Address) =>
  delegate === ZERO_ADDRESS ? new Uint8Array() : hexToBytes(`0xef0100${delegate.slice(2)}`)

/** Which code the account runs: its own, and what that passes calls on to. */
function logicOf(fork: Fork, account: Address): string {
  const code = fork.evm.code(account)
  if (code.length === 0) return ''
  return readDesignator(code) ?? `${fork.evm.account(account).codeHash} ${delegatesOf(fork, account)}`
}

/**
 * A caller that names no account is played by one that owns a little of everything, and has
 * approved nothing.
 */
function makeUpAccount(fork: Fork, random: SeededRandom, target: Address): Address {
  const tokens = fork.chain.watchedTokens.map(({ address, symbol, decimals }) => ({ token: address, symbol, decimals }))
  const probes = placeProbeAssets(fork, random)
  fork.evm.addStranger(fork.evm.block.coinbase)
  const spender = random.address('spender')
  fork.evm.addStranger(spender)
  const { address } = createVictim(fork, random, { name: 'wallet', spender, tokens, probes })
  giveToken(fork, address, { token: target, symbol: '', decimals: 18 }, 3n)
  fork.evm.setBalance(address, PURSE_WEI)
  return address
}

/** More than any request sends: 30 digits of wei are the most that it can name. */
const PURSE_WEI = 10n ** 33n

function nativeChange(acts: readonly Acted[], account: Address, before: bigint): Change[] {
  const total = new Map<Address, bigint>()
  for (const { success, native } of acts)
    if (success) for (const [who, change] of native) total.set(who, (total.get(who) ?? 0n) + change)
  const change = total.get(account) ?? 0n
  if (change === 0n) return []
  const isOut = change < 0n
  const amount = isOut ? -change : change
  const transfer = { token: undefined, amount, id: undefined, counterparty: largestOf(total, isOut) }
  return [{ isOut, transfer, isNearlyAll: isOut && amount * 10n >= before * 9n }]
}

/** `approve`, `increaseAllowance`, and `setApprovalForAll` */
const ALLOWING: ReadonlySet<Hex> = new Set(['0x095ea7b3', '0x39509351', '0xa22cb465'])

/**
 * A token, not a coin, that went to an account without code which stands in no calldata, by a call
 * of another contract than the token: what only allows one is none that moves it.
 */
function isUnnamed({ evm }: Fork, { token, counterparty }: Movement, calls: readonly PlannedCall[]): boolean {
  if (token === undefined || counterparty === undefined || evm.code(counterparty).length > 0) return false
  const isMoving = ({ to, data }: PlannedCall) => to === token && !ALLOWING.has(selectorIn(data))
  if (calls.some((call) => isMoving(call) || call.to === counterparty)) return false
  return !calls.some(({ data }) => data.includes(counterparty.slice(2)))
}

function isAllOf(fork: Fork, account: Address | undefined, { token, amount, counterparty }: Transfer): boolean {
  if (account === undefined || token === undefined || counterparty === undefined) return false
  const held = balanceOf(fork, token, account) ?? 0n
  return held > 0n && amount >= held
}

/** Tokens asked for their words; more are shown by their addresses. */
const MAX_DESCRIBED = 32
const MAX_NAME_LENGTH = 64

/** Adds what tokens say of themselves; each is asked once. */
function createDescriber(fork: Fork) {
  const known = new Map<Address, TokenMetadata>()
  let isCut = false
  const ask = (token: Address): TokenMetadata | undefined => {
    const found = known.get(token)
    if (found !== undefined) return found
    isCut ||= known.size >= MAX_DESCRIBED
    if (isCut) return undefined
    const metadata = readTokenMetadata.run(fork, token)
    known.set(token, metadata)
    return metadata
  }
  const describe = <T extends Pick<Transfer, 'token' | 'id'> & { kind?: Right['kind'] }>(each: T): T & TokenWords => {
    const { nativeSymbol } = fork.chain
    const isCoin = each.token === undefined && (each.kind === undefined || each.kind === 'order')
    if (isCoin) return { ...each, symbol: nativeSymbol, name: nativeSymbol, decimals: COIN_DECIMALS }
    const metadata = each.token && ask(each.token)
    if (!metadata) return { ...each, symbol: '', name: '', decimals: undefined }
    const isNft = each.id !== undefined || each.kind === 'nft'
    const decimals = isNft ? undefined : metadata.decimals
    return { ...each, symbol: shownSymbol(metadata), name: metadata.name.slice(0, MAX_NAME_LENGTH), decimals }
  }
  return Object.assign(describe, { isCut: () => isCut })
}
