import { type Address, bytesToHex, type Hex, toPaddedHex } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { actAsAccount } from './act-as-account.js'
import type { Holding } from './assets.js'
import { dataOf, type Values } from './call-data.js'
import { delegatesOf } from './delegates-of.js'
import { isEntryPoint } from './entry-points.js'
import { findGuards } from './guard-holders.js'
import { afterwardsOf, gains } from './judge-loss.js'
import { lossesOf } from './losses.js'
import { MODULE_CALLS, obeyingWallet } from './obeying-wallet.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import { type EntryNotes, ownAccounts } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'
import { type By, holdsMore } from './try-call.js'

/** Functions tried, values of each, and masters that call them. */
const MAX_FUNCTIONS = 24
const MAX_VALUES = 12
const MAX_MASTERS = 2
/** Base units, and wei: less than there is of anything. */
const AMOUNT = 1_000_003n
/** Wei that the wallet has. */
const PURSE = 10n ** 19n

/**
 * Has the victim be a wallet that enabled the target as its module, and asks the target, as any
 * address and as each of its masters, to act on it: what the wallet then loses without having said
 * anything, it loses once it enables the module. Then once more after the wallet has enrolled.
 */
export function probeModule(stage: Stage, { holders, views }: EntryNotes): void {
  const { fork, target, victim, outsider, entries } = stage
  if (!asksWallets(stage)) return
  const tried = entries.filter((entry) => !views.has(entry)).slice(0, MAX_FUNCTIONS)
  const found = branch(fork, () => {
    fork.evm.setCode(victim.address, obeyingWallet(target))
    fork.evm.setBalance(victim.address, PURSE)
    const take = (masters: readonly Address[], isEnrolled: boolean) => {
      const actors = masters.filter((each) => fork.evm.code(each).length === 0 && !isEntryPoint(each))
      const callers: { caller: Address; by: By }[] = [
        { caller: outsider, by: 'anyone' },
        ...actors.slice(0, MAX_MASTERS).map((caller) => ({ caller, by: 'holder' as const })),
      ]
      for (const who of callers)
        for (const entry of tried)
          for (const values of namedWallets(stage, entry)) {
            const taken = tryToTake(stage, { ...who, entry, values, isEnrolled })
            if (taken !== undefined) return taken
          }
      return undefined
    }
    const taken = take([...holders], false)
    if (taken !== undefined || !enrol(stage, tried)) return taken
    return take([...holders, ...mastersOf(stage, tried)], true)
  })
  if (found !== undefined) stage.findings.push(found)
}

/** `onInstall(bytes)` of ERC-7579, with nothing said. */
const ON_INSTALL: Hex = `0x6d61fe70${toPaddedHex(32n, 32).slice(2)}${toPaddedHex(0n, 32).slice(2)}`

/**
 * Has the wallet call what takes no arguments, and so orders nothing. Whether any of it wrote
 * something down.
 */
function enrol({ fork, random, target, victim }: Stage, entries: readonly EntryPoint[]): boolean {
  const asked = entries.flatMap(({ selector, at }) => (selector === undefined || at !== undefined ? [] : [selector]))
  const calls = [...asked, ON_INSTALL].map((data) =>
    actAsAccount(fork, random, { from: victim.address, to: target, value: 0n, data, isDelegated: false }),
  )
  return calls.some(({ success, writes }) => success && (writes.get(target)?.size ?? 0) > 0)
}

/** Masters of functions that asked for something else before. */
function mastersOf(stage: Stage, entries: readonly EntryPoint[]): Address[] {
  const { fork, target, outsider } = stage
  const found = entries.flatMap((entry) =>
    namedWallets(stage, entry).flatMap(
      (values) =>
        findGuards(fork, { from: outsider, to: entry.at ?? target, data: dataOf(entry, values) }, ownAccounts(stage))
          .holders,
    ),
  )
  return [...new Set(found)]
}

/** Whether its code names one of the functions by which wallets are made to act. */
function asksWallets({ fork, target }: Stage): boolean {
  const codes = [target, ...delegatesOf(fork, target)].map((address) => bytesToHex(fork.evm.code(address)))
  return MODULE_CALLS.some((selector) => codes.some((code) => code.includes(`63${selector.slice(2)}`)))
}

interface Asked {
  caller: Address
  by: By
  entry: EntryPoint
  values: Values
  /** The wallet has agreed to something that it did not name. */
  isEnrolled: boolean
}

function tryToTake(stage: Stage, { caller, by, entry, values, isEnrolled }: Asked): PhishingFinding | undefined {
  const { target, victim } = stage
  const attempt = { from: caller, to: entry.at ?? target, data: dataOf(entry, values) }
  const outcome = stage.play(attempt)
  if (!outcome.success) return undefined
  const loss = tokensLost(outcome, victim.holdings, values) ?? coinsLost(outcome, victim.address, values)
  if (loss === undefined || loss.to === victim.address) return undefined
  // A subscription that it enrolled in has a price; taking all, or what the caller says, has none.
  if (isEnrolled && !loss.isUnbounded) return undefined
  if (
    gains(
      stage,
      victim.address,
      outcome,
      afterwardsOf(stage, attempt, (token) => holdsMore(stage, attempt, token)),
    )
  )
    return undefined
  const asset = loss.holding
  return {
    id: by === 'anyone' ? 'module-taker' : 'module-master',
    check: undefined,
    selector: entry.selector,
    by,
    caller,
    asset: asset && { token: asset.token, symbol: asset.symbol, decimals: asset.decimals, kind: asset.kind },
    amount: loss.amount,
    to: loss.to,
    grantedTo: target,
    trace: outcome.trace,
    text: undefined,
  }
}

function tokensLost(outcome: Outcome, holdings: readonly Holding[], values: Values) {
  const [loss] = lossesOf(outcome, holdings, values)
  return loss && { ...loss, isUnbounded: loss.isChosenAmount || loss.amount === loss.holding.amount }
}

function coinsLost({ native }: Outcome, wallet: Address, values: Values) {
  const amount = -(native.get(wallet) ?? 0n)
  const [receiver] = [...native].filter(([, change]) => change > 0n).toSorted(([, a], [, b]) => (a < b ? 1 : -1))
  if (amount <= 0n || receiver === undefined) return undefined
  const isUnbounded = values.includes(amount) || amount >= PURSE
  return { holding: undefined, amount, to: receiver[0], isUnbounded }
}

/** `transfer(address,uint256)` */
const TRANSFER = '0xa9059cbb'

/**
 * Values that name the wallet in one place for an address, and in the others its token, the thief
 * or zero, which stands for coins; bytes are a call that sends the token on.
 */
function namedWallets({ victim, thief, marks }: Stage, { template }: EntryPoint): Values[] {
  const places = template.leaves.flatMap(({ type }, i) => (type === 'address' ? [i] : []))
  const [token, receiver] = [BigInt(victim.holdings[0]?.token ?? 0n), BigInt(thief)]
  const base = marks.valuesFor(template)
  const sent: Hex = `${TRANSFER}${toPaddedHex(receiver, 32).slice(2)}${toPaddedHex(AMOUNT, 32).slice(2)}`
  const wordFor = (type: string, given: Values[number]): Values[number] => {
    if (type === 'bytes') return sent
    if (type === 'uint8') return 0n
    return type.startsWith('uint') ? AMOUNT : given
  }
  const fill = (wallet: number, others: readonly bigint[], coins: bigint | undefined): Values => {
    const left = [...others]
    return template.leaves.map(({ type }, i) => {
      if (type === 'address') return i === wallet ? BigInt(victim.address) : (left.shift() ?? receiver)
      // A call of a token sends no coins along.
      return type.startsWith('uint') && coins !== undefined ? coins : wordFor(type, base[i] ?? 0n)
    })
  }
  const orders = [[token], [receiver, token], [0n]]
  return places
    .flatMap((wallet) => [...orders.map((order) => fill(wallet, order, undefined)), fill(wallet, [token], 0n)])
    .slice(0, MAX_VALUES)
}
