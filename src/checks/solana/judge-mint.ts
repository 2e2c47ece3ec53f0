import type { SolanaAddress } from '../../solana/address.js'
import type { AuthorityKind } from '../../solana/authority.js'
import type { TransferFee } from '../../solana/token/extensions.js'
import type { Mint } from '../../solana/token/mint.js'
import type { FindingBasis } from '../finding.js'
import type { GroupStanding } from './group-standing.js'
import { CONFISCATORY_BPS, HIGH_BPS } from './judge-trade.js'
import type { PlayFacts, PowerFacts, PowerId } from './play/play-facts.js'
import type { FindingId } from './solana-findings.js'
import type { Holder, HookReport, TokenNames } from './solana-report.js'
import type { WindowLabel } from './solana-windows.js'

/**
 * What several must agree on is half of one person's whim. A program whose rules are not known may
 * serve one person, so that little is taken off; more where no key can put other rules in place.
 */
const SEVERAL_FACTOR = 0.5
const FINAL_PROGRAM_FACTOR = 0.7
const PROGRAM_FACTOR = 0.85
/** Tokens that are made for what is put in take nothing from those who have some. */
const RULED_MINT_FACTOR = 0.4

/** A finding before it is put into words. */
export interface Weighed {
  id: FindingId
  detail: string
  holder?: SolanaAddress
  proven?: boolean
  /** Default: `possible`. */
  basis?: FindingBasis
  /** Less than one when the holder is a program or a multisig. */
  factor?: number
  /** The window from which on it is so, where it is not so now. */
  begins?: WindowLabel
}

/** What the mint forbids to all accounts, by its own data. */
export function judgeState({ extensions }: Mint): Weighed[] {
  const found: Weighed[] = []
  if (extensions.nonTransferable)
    found.push({ id: 'not-transferable', detail: 'the mint has the extension NonTransferable' })
  if (extensions.defaultState?.frozen)
    found.push({ id: 'accounts-frozen', detail: 'the default state of accounts is frozen' })
  if (extensions.pausable?.paused) found.push({ id: 'paused', detail: 'the mint is paused' })
  return found
}

const FINDING_OF_POWER: Readonly<Record<PowerId, FindingId>> = {
  freeze: 'freeze',
  mint: 'mint',
  seize: 'permanent-delegate',
  pause: 'pause',
  'raise-fee': 'mutable-fee',
  'replace-hook': 'replaceable-hook',
}

/** Powers that weigh less when more than one person must agree. */
const SHARED: ReadonlySet<PowerId> = new Set(['freeze', 'pause', 'mint'])

/**
 * What the mint says of its fee, for when nothing could be tried: the larger of the fee in force
 * and the one that is scheduled, of a trade of this `amount`, or of a small part of the supply.
 */
export function judgeFeeUntried({ extensions, supply }: Mint, epoch: bigint, amount?: bigint): Weighed[] {
  const { transferFee } = extensions
  if (transferFee === undefined) return []
  const { older, newer } = transferFee
  const fees = epoch >= newer.epoch ? [newer] : [older, newer]
  const bps = Math.max(...fees.map((fee) => shareOfFee(fee, amount ?? supply / SMALL_PART)))
  const id = feeFinding(bps)
  return id === undefined ? [] : [{ id, detail: `${bps / 100} % by the mint's own account; not tried` }]
}

/** Of the supply: few trade less, so that a cap far below it is no tax. */
const SMALL_PART = 1_000_000n

/** What a fee with a cap takes of an amount. */
function shareOfFee({ bps, maximum }: TransferFee, amount: bigint): number {
  if (amount <= 0n) return bps
  const capped = Number((maximum * 10_000n) / amount)
  return Math.min(bps, capped)
}

function feeFinding(bps: number): FindingId | undefined {
  if (bps >= CONFISCATORY_BPS) return 'confiscatory-tax'
  if (bps > HIGH_BPS) return 'high-tax'
  return bps > 0 ? 'tax' : undefined
}

/**
 * Who can do what to holders, and whether it was done on the fork. `groups`: holders that programs
 * act as for several people; `unseen`: those that may be one person as far as is known.
 */
export function judgePowers(
  powers: readonly PowerFacts[],
  groups: ReadonlyMap<SolanaAddress, GroupStanding> = NO_GROUPS,
  unseen: readonly SolanaAddress[] = [],
): Weighed[] {
  return powers.map(({ id, holder, kind: own, isFinal, proven, detail }) => {
    const group = groups.get(holder)
    const kind = own === 'program' || own === 'multisig' ? (group?.kind ?? own) : own
    const factor =
      id === 'mint' && kind === 'program' && group?.mintsByRule ? RULED_MINT_FACTOR : factorOf(kind, isFinal)
    return {
      id: FINDING_OF_POWER[id],
      detail: `${holder} (${kind}${group ? `, ${wordsFor(group)}` : ''}): ${detail}`,
      holder,
      proven,
      ...(SHARED.has(id) && !unseen.includes(holder) && { factor }),
    }
  })
}

function factorOf(kind: AuthorityKind, isFinal = false): number {
  if (kind === 'multisig' || kind === 'group') return SEVERAL_FACTOR
  if (kind !== 'program') return 1
  return isFinal ? FINAL_PROGRAM_FACTOR : PROGRAM_FACTOR
}

const NO_GROUPS: ReadonlyMap<SolanaAddress, GroupStanding> = new Map()

function wordsFor({ through, threshold: { required, of }, delaySeconds, mintsByRule }: GroupStanding): string {
  if (mintsByRule) return `${through}, which makes tokens for what is put in`
  const delay = delaySeconds > 0 ? `, ${delaySeconds / 3_600} hours after the vote` : ''
  return `${required} of ${of} by ${through}${delay}`
}

/** The same powers where nothing could be executed: held, and not tried. */
export function heldPowers({
  mintAuthority,
  freezeAuthority,
  extensions,
}: Mint): { id: PowerId; holder: SolanaAddress }[] {
  const held: [PowerId, SolanaAddress | undefined][] = [
    ['freeze', freezeAuthority],
    ['mint', mintAuthority],
    ['seize', extensions.permanentDelegate?.delegate],
    ['pause', extensions.pausable?.authority],
    ['raise-fee', extensions.transferFee?.authority],
    ['replace-hook', extensions.transferHook?.authority],
  ]
  return held.flatMap(([id, holder]) => (holder === undefined ? [] : [{ id, holder }]))
}

/** What the other extensions mean for a holder. `time`: the cluster's, in seconds since 1970. */
export function judgeExtensions(mint: Mint, hook: HookReport | undefined, time: bigint, play?: PlayFacts): Weighed[] {
  const { extensions, unknownExtensions, malformed } = mint
  const found: Weighed[] = []
  const add = (id: FindingId, holder: SolanaAddress | undefined, detail: string) =>
    found.push({ id, detail: holder === undefined ? detail : `${holder}: ${detail}`, ...(holder && { holder }) })
  if (malformed) add('unknown-extension', undefined, 'the extensions of the mint are not well-formed')
  if (unknownExtensions.length > 0)
    add('unknown-extension', undefined, `extensions of type ${unknownExtensions.join(', ')}`)
  if (hook !== undefined) found.push(...judgeHook(mint, hook, play))
  const { closeAuthority, interestBearing, scaledUiAmount, permissionedBurn, confidentialTransfer } = extensions
  if (closeAuthority?.authority)
    add('close-authority', closeAuthority.authority, 'may close the mint when the supply is nil')
  if (interestBearing) {
    const id = Math.abs(interestBearing.rateBps) > HIGH_RATE_BPS ? 'distorted-display' : 'interest-display'
    add(id, interestBearing.authority, `${interestBearing.rateBps / 100} % a year`)
  }
  if (scaledUiAmount) {
    const { authority, multiplier, newMultiplier, newTime } = scaledUiAmount
    const later = newMultiplier === multiplier ? '' : `, and of ${newMultiplier} from ${newTime} on`
    const isDistorted = newTime > time && isStep(multiplier, newMultiplier)
    add(isDistorted ? 'distorted-display' : 'scaled-display', authority, `a factor of ${multiplier}${later}`)
  }
  if (permissionedBurn?.authority) add('permissioned-burn', permissionedBurn.authority, 'must agree to every burn')
  if (confidentialTransfer)
    add('confidential-transfers', confidentialTransfer.authority, 'confidential transfers are possible')
  return found
}

/** A year's interest above it is a display that says what is not there. */
const HIGH_RATE_BPS = 5_000
/** More than a split of shares or a year of dividends makes of a display at once. */
const LARGEST_STEP = 2

/** Whether what wallets show is doubled or halved from one factor to the next, or is no number. */
const isStep = (from: number, to: number) =>
  !(to > 0 && from > 0) || !Number.isFinite(to / from) || to / from >= LARGEST_STEP || from / to >= LARGEST_STEP

/** A hook whose code or place can be changed may do tomorrow what it does not do today. */
function judgeHook({ extensions }: Mint, hook: HookReport, play: PlayFacts | undefined): Weighed[] {
  const detail = `${hook.program} is asked about every transfer`
  if (extensions.transferHook?.authority !== undefined) return []
  if (hook.upgradeability === 'immutable' && refusesNothing(play)) {
    const told = `${detail}; all that it decides by was followed and tried, and it refused nothing`
    return [{ id: 'hook', detail: told, factor: HARMLESS_HOOK_FACTOR }]
  }
  if (hook.upgradeability === 'immutable' || !hook.exists) return [{ id: 'hook', detail }]
  const holder = hook.upgradeAuthority
  return [
    {
      id: 'replaceable-hook',
      detail: `${detail}, and its code can be replaced${holder ? ` by ${holder}` : ''}`,
      ...(holder && { holder }),
    },
  ]
}

/** A property to know of: what it did is what it will do. */
const HARMLESS_HOOK_FACTOR = 0.5

/** Whether a hook was explained, and let every trade pass that was tried. */
function refusesNothing(play: PlayFacts | undefined): boolean {
  const legs = play?.windows.flatMap(({ sizes, held }) => [
    ...sizes.flatMap(({ buy, sell }) => [buy, sell]),
    ...(held ? [held] : []),
  ])
  const isWhole = play?.hook?.isExplained === true && play.hook.harmful.length === 0
  return isWhole && play.transfer.ok && legs?.every(({ ok }) => ok) === true
}

/** So many wallets, and the share of the supply in basis points above which they are too few. */
const CONCENTRATED = [
  [10, 5_000],
  [20, 6_667],
] as const

/** Who holds it, and what has been done to them. */
export function judgeHolders(mint: Mint, holders: readonly Holder[] | undefined): Weighed[] {
  if (holders === undefined) return []
  const found: Weighed[] = []
  const wallets = holders.filter(({ kind }) => kind === 'wallet' || kind === 'program')
  for (const [count, most] of CONCENTRATED) {
    const held = wallets.slice(0, count).reduce((sum, { amount }) => sum + amount, 0n)
    const bps = mint.supply > 0n ? Number((held * 10_000n) / mint.supply) : 0
    if (bps <= most) continue
    const detail = `${Math.min(count, wallets.length)} holders have ${bps / 100} % of the supply`
    found.push({ id: 'concentrated-supply', detail })
    break
  }
  const frozen = holders.filter((holder) => holder.frozen)
  const startsFrozen = mint.extensions.defaultState?.frozen === true
  if (frozen.length > 0 && !startsFrozen) {
    found.push({
      id: 'frozen-holders',
      detail: `${frozen.length} of the ${holders.length} largest accounts are frozen`,
    })
  }
  return found
}

/** What the token is called, and whether that may change. */
export function judgeNames(names: TokenNames, original: SolanaAddress | undefined): Weighed[] {
  const found: Weighed[] = []
  if (original !== undefined) found.push({ id: 'copycat', detail: `the token of that name is ${original}` })
  if (names.mutable) {
    const holder = names.updateAuthority
    found.push({
      id: 'mutable-metadata',
      detail: `${holder ?? 'an unknown account'} may change it`,
      ...(holder && { holder }),
    })
  }
  return found
}
