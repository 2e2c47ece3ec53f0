import { BaseError } from '../../errors.js'
import { UnsupportedExecutionError } from '../../evm/chain-extras.js'
import { AnalysisResistedError } from '../../evm/limits.js'
import { type Address, ZERO_ADDRESS } from '../../hex.js'
import { StateUnsettledError } from '../../simulation/simulator.js'
import type { AnalysisTarget } from '../target.js'
import type { WalletRequest } from '../wallet-request.js'
import { findingsOfWallet, hasSpender, type JudgedSpender } from './judge-wallet.js'
import type { PhishingFacts, PhishingFinding } from './phishing-facts.js'
import { judgePhishing } from './phishing-verdict.js'
import type { PlayedWallet, PlayWalletInput } from './play-wallet.js'
import type { DelegationInput } from './probe-delegation.js'
import { NOTHING_SIGNED, type PlannedCall } from './signed-intent.js'
import { readTypedData } from './typed-data.js'
import type { Approval, WalletReport } from './wallet-report.js'
import { gapsOf, warningsOf } from './wallet-warnings.js'

/** What of the check a wallet's own question is answered with. */
export interface WalletPlays {
  play(input: Omit<PlayWalletInput, 'seed'>): Promise<PlayedWallet>
  probe(address: Address): Promise<PhishingFacts>
  probeDelegation(input: Omit<DelegationInput, 'seed'>): Promise<PhishingFacts>
}

export interface AskedWallet {
  wallet: WalletReport
  findings: readonly PhishingFinding[]
  /** Why it cannot be called safe. */
  gaps: readonly string[]
}

/** Spenders looked at; a bulk permission can name more, and one bad one is enough. */
const MAX_SPENDERS = 3
/** Codes looked at that accounts are to take for their own. */
const MAX_DELEGATES = 2

/** Plays what a wallet is asked for, and judges those who would be allowed to take by it. */
export async function askWallet(
  { chain, address, wallet }: AnalysisTarget & { wallet: WalletRequest },
  plays: WalletPlays,
): Promise<AskedWallet> {
  const signed = wallet.typedData && readTypedData(wallet.typedData)
  const own = callsOf(wallet, address)
  const calls = [...own, ...(signed?.plays ?? [])]
  const account = wallet.from ?? (calls.length === 0 || signed?.plays.length ? signed?.signer : undefined)
  const delegations = delegationsOf(wallet)
  const played = await playOrSay(plays, { address, account, calls, delegations, signed: signed ?? NOTHING_SIGNED })
  const spenders = await judgeSpenders(plays, played.approvals)
  const delegates = await judgeDelegates(plays, delegations, played)
  const approvals = [...played.approvals, ...delegations.filter(isGiven).map(({ delegate }) => delegationTo(delegate))]
  const asked = { chain, wallet, signed, played: { ...played, approvals } }
  return {
    wallet: {
      kind: own.length > 0 || delegations.length > 0 ? 'transaction' : 'signature',
      account: played.account ?? signed?.signer,
      success: played.success,
      errorReason: played.errorReason || (signed?.isKnown === false ? 'the kind of this message is not known' : ''),
      calls: played.calls,
      leaves: played.leaves,
      arrives: played.arrives,
      approvals,
      spenders: spenders.judged.map(({ address: spender, report }) => {
        const { verdict, riskScore, reason } = report
        return { address: spender, verdict, riskScore, reason }
      }),
      warnings: warningsOf(asked),
    },
    findings: [...findingsOfWallet(played, signed, spenders.judged), ...delegates.findings],
    gaps: [...gapsOf(asked), ...spenders.gaps, ...delegates.gaps],
  }
}

/** The wallet's own calls, in order. */
function callsOf({ to, value, calldata, calls }: WalletRequest, target: Address): PlannedCall[] {
  const own = { from: undefined, isDelegated: false }
  if (calls !== undefined) {
    return calls.map((call) => ({ ...own, to: call.to, value: call.value ?? 0n, data: call.data ?? '0x' }))
  }
  if (calldata === undefined && value === undefined) return []
  return [{ ...own, to: to ?? target, value: value ?? 0n, data: calldata ?? '0x' }]
}

const delegationsOf = ({ authorizationList = [] }: WalletRequest) =>
  authorizationList.map(({ authority, address }) => ({ authority, delegate: address }))

type Delegation = ReturnType<typeof delegationsOf>[number]

/** The zero address takes a delegation back. */
const isGiven = ({ delegate }: Delegation) => delegate !== ZERO_ADDRESS

const delegationTo = (spender: Address): Approval => {
  const what = { token: undefined, amount: undefined, id: undefined, expires: undefined }
  return { kind: 'delegation', spender, ...what, symbol: '', name: '', decimals: undefined }
}

async function judgeSpenders(plays: WalletPlays, approvals: readonly Approval[]) {
  const addresses = [...new Set(approvals.filter(hasSpender).map(({ spender }) => spender))]
  const judged: JudgedSpender[] = []
  for (const address of addresses.slice(0, MAX_SPENDERS)) {
    const facts = await plays.probe(address)
    judged.push({ address, facts, report: judgePhishing(facts, undefined) })
  }
  const left = addresses.length - judged.length
  const unsure = judged
    .filter(({ report }) => report.inconclusive)
    .map(({ address }) => `the spender ${address} could not be judged`)
  return { judged, gaps: [...unsure, ...(left > 0 ? [`${left} more spenders were not looked at`] : [])] }
}

async function judgeDelegates(plays: WalletPlays, delegations: readonly Delegation[], played: PlayedWallet) {
  const given = delegations.filter(isGiven)
  const delegates = [...new Set(given.map(({ delegate }) => delegate))]
  const findings: PhishingFinding[] = []
  const gaps: string[] = []
  for (const delegate of delegates.slice(0, MAX_DELEGATES)) {
    const { account, ownStorage } = played
    const facts = await plays.probeDelegation({ delegate, account, storage: ownStorage })
    findings.push(...facts.findings, ...(facts.kind === 'empty' ? [emptyDelegate(delegate)] : []))
    gaps.push(...facts.gaps.map((gap) => `code of ${delegate}: ${gap}`))
  }
  const left = delegates.length - MAX_DELEGATES
  return { findings, gaps: [...gaps, ...(left > 0 ? [`the code of ${left} more delegates was not looked at`] : [])] }
}

/** Code can appear there later, and the account would run it. */
const emptyDelegate = (grantedTo: Address): PhishingFinding => {
  const nothing = { selector: undefined, asset: undefined, amount: undefined, to: undefined, trace: undefined }
  return {
    id: 'counterfactual-spender',
    check: 'permit',
    by: 'wallet',
    caller: undefined,
    text: undefined,
    grantedTo,
    ...nothing,
  }
}

/** What was asked for, or why it could not be played: neither guilt nor safety. */
async function playOrSay(plays: WalletPlays, input: Omit<PlayWalletInput, 'seed'>): Promise<PlayedWallet> {
  try {
    return await plays.play(input)
  } catch (error) {
    if (!isVoid(error)) throw error
    const name = <T extends object>(each: T) => ({ ...each, symbol: '', name: '', decimals: undefined })
    return {
      account: input.account,
      success: input.calls.length > 0 ? false : undefined,
      errorReason: error.shortMessage,
      calls: [],
      leaves: input.signed.leaves.map(name),
      arrives: input.signed.arrives.map(name),
      approvals: input.signed.approvals.map(name),
      drained: [],
      emptied: [],
      ownStorage: new Map(),
      isTakenOver: false,
      gaps: [error.shortMessage],
    }
  }
}

/** What the code under test can make of a run: neither guilt nor safety. */
const VOID_RUNS = [AnalysisResistedError, StateUnsettledError, UnsupportedExecutionError]

/** Whether a run ended for what the code under test did. */
export const isVoid = (error: unknown): error is BaseError =>
  error instanceof BaseError && VOID_RUNS.some((type) => error instanceof type)
