import type { TrustStatus } from '../../src/checks/levels.js'
import type { EffectKind, HolderKind } from '../../src/checks/powers/power.js'

/** What the sweep must prove about a fixture of `contracts/powers`. */
export interface PowerExpectation {
  status: TrustStatus
  /** The worst effect; absent where nothing may be proven. */
  effect?: EffectKind
  holder?: HolderKind
  /** Percent, exact. */
  loss?: number
  /** A second effect that must be reported as well, with its exact percentage. */
  also?: { effect: EffectKind; loss: number }
  delaySeconds?: number
  isHidden?: boolean
  /** Calls in the proof. */
  steps?: number
  isReversible?: boolean
  /** Text in the warning. */
  warning?: string
  /** Why the sweep is not whole; absent where it is. */
  unfinished?: string
  /** Called by the owner after the listing. */
  after?: readonly string[]
}

const high = (effect: EffectKind, rest: Partial<PowerExpectation> = {}): PowerExpectation => ({
  status: 'High Risk',
  effect,
  holder: 'account',
  loss: 100,
  ...rest,
})
/** A hidden holder, or a hidden command. */
const hidden = (effect: EffectKind, holder: HolderKind = 'account'): PowerExpectation => ({
  ...{ status: 'Critical Risk', effect, holder, loss: 100, isHidden: true },
})
/** Announced two days before. */
const slow = (rest: Partial<PowerExpectation>): PowerExpectation => ({
  ...{ status: 'Low Risk', effect: 'blocks-sells', loss: 100 },
  ...rest,
})
const anyone = (effect: EffectKind): PowerExpectation => ({
  ...{ status: 'Critical Risk', effect, holder: 'anyone', loss: 100, steps: 1 },
})
/** Nothing that a buyer has to fear, whoever calls what. */
const quiet: PowerExpectation = { status: 'Safe' }

/** Every contract of `contracts/powers` that can be listed. */
export const expectations: Record<string, PowerExpectation> = {
  // Chains
  ThreeSteps: high('blocks-sells', { steps: 3 }),
  ThreeStepsTwin: quiet,
  OwnDelay: high('blocks-sells', { steps: 3, delaySeconds: 0 }),
  OwnDelayTwin: { status: 'Low Risk', effect: 'blocks-sells', holder: 'account', loss: 100, steps: 2 },
  ClosesLater: high('blocks-sells', { steps: 1, delaySeconds: 0 }),
  ClosesLaterTwin: quiet,
  MagicNumber: high('blocks-sells'),
  SecretWord: { status: 'High Risk', effect: 'blocks-sells', loss: 100, warning: 'shown by setting' },
  SecretWordTwin: quiet,
  AskedRegistry: high('blocks-sells', { isReversible: true }),
  AskedRegistryTwin: quiet,
  TrackedShares: quiet,
  // What any address says about a holder
  ReportCount: { ...anyone('blocks-account'), steps: 3 },
  ReportCountTwin: quiet,
  ReportsOfMany: { ...anyone('blocks-account'), steps: 5 },
  ReportsOfManyTwin: quiet,
  ReportFee: { ...anyone('raises-tax'), loss: 80, steps: 8 },
  PatientReportFee: { ...anyone('raises-tax'), loss: 90 },
  ReportFeeTwin: { status: 'Low Risk', effect: 'raises-tax', holder: 'anyone', loss: 2 },
  SlowReport: { ...anyone('blocks-account'), steps: 2 },
  SlowReportTwin: quiet,
  ReportedPlace: anyone('blocks-account'),
  ReportedPlaceTwin: quiet,
  ReportedBits: anyone('blocks-account'),
  ReportedBitsTwin: quiet,
  ReportOfHolders: anyone('blocks-account'),
  ReportOfHoldersTwin: quiet,
  // Holders that are yet to be named
  VacantKeeper: { ...anyone('blocks-sells'), steps: 3 },
  VacantKeeperTwin: quiet,
  VacantSeats: high('blocks-sells', { steps: 4 }),
  VacantOffice: { ...anyone('blocks-account'), steps: 3 },
  VacantContract: { ...anyone('blocks-account'), steps: 2 },
  VacantJudge: anyone('blocks-sells'),
  VacantJudgeTwin: quiet,
  SeatForCode: { ...hidden('blocks-sells', 'unknown'), status: 'High Risk' },
  SeatForCodeTwin: quiet,
  // What a sale asks for once a switch is on
  SwitchedCeiling: high('blocks-sells'),
  SwitchedFloor: high('blocks-sells'),
  SwitchedClock: high('blocks-sells', { steps: 2 }),
  SwitchedBoard: high('blocks-sells', { steps: 2 }),
  SwitchedTwin: quiet,
  // Entries
  RawWord: anyone('blocks-sells'),
  RawWordTwin: quiet,
  PackedFee: { status: 'Critical Risk', effect: 'raises-tax', holder: 'account', isHidden: true },
  PackedFeeTwin: { status: 'Low Risk', effect: 'raises-tax', holder: 'account' },
  PaidWord: anyone('blocks-sells'),
  PaidWordTwin: quiet,
  SelfTransfer: { ...anyone('blocks-sells'), steps: 2 },
  SelfTransferTwin: quiet,
  Remainders: { status: 'Critical Risk', effect: 'blocks-sells', holder: 'account', isHidden: true, steps: 1 },
  RemaindersTwin: quiet,
  QuietNumber: high('blocks-sells', { steps: 1 }),
  QuietNumberTwin: quiet,
  AnyPlace: { status: 'High Risk', effect: 'blocks-sells', holder: 'unknown', warning: 'shown by setting' },
  AnyPlaceTwin: quiet,
  // What a maker may call an oversight
  TruncatedBound: high('blocks-sells', { steps: 1 }),
  MaskedBound: high('blocks-sells', { steps: 1 }),
  RemainderBound: high('blocks-sells', { steps: 1 }),
  TruncatedBoundTwin: { status: 'Low Risk', effect: 'raises-tax', holder: 'account', loss: 5 },
  CachedBalances: { status: 'Critical Risk', effect: 'mints-unseen', holder: 'anyone' },
  CachedBalancesOfOwner: { status: 'High Risk', effect: 'mints-unseen', holder: 'account' },
  CachedBalancesTwin: quiet,
  NothingBrings: { status: 'Critical Risk', effect: 'mints-unseen', holder: 'anyone' },
  SecondSigner: { status: 'Critical Risk', effect: 'takes-allowance', holder: 'account', isHidden: true },
  HashedSigner: { status: 'Critical Risk', effect: 'takes-allowance', holder: 'unknown', isHidden: true },
  SpenderSigns: { status: 'Critical Risk', effect: 'takes-allowance', holder: 'anyone' },
  PermittedTwin: quiet,
  // Elsewhere
  NamedJudge: high('blocks-sells'),
  NamedJudgeTwin: quiet,
  NamedCloser: high('blocks-sells', { steps: 2 }),
  NamedCloserTwin: quiet,
  AnnouncedClosing: high('blocks-sells', { steps: 2 }),
  AnnouncedClosingTwin: { status: 'Low Risk', effect: 'raises-tax', holder: 'account', loss: 5 },
  LentOwnership: { status: 'Critical Risk', effect: 'blocks-sells', isHidden: true, steps: 2, after: ['lock'] },
  LentOwnershipTwin: { ...quiet, after: ['lock'] },
  // Contracts behind contracts
  ThreeDoors: high('blocks-sells', { steps: 1 }),
  ThreeDoorsAlways: high('blocks-sells', { steps: 1 }),
  ThreeDoorsTwin: quiet,
  NameOwned: high('blocks-sells', { steps: 1 }),
  NameOwnedTwin: quiet,
  RuleAtTheEnd: high('blocks-sells', { isReversible: true }),
  NumberedJudge: high('blocks-sells', { steps: 1 }),
  ProxyAsked: high('blocks-sells', { steps: 1 }),
  // Standard functions that do something else
  ReversedApproval: hidden('takes-allowance'),
  ReversedApprovalOfAll: anyone('takes-allowance'),
  ReversedApprovalTwin: quiet,
  RaisedAllowance: high('takes-allowance'),
  RaisedAllowanceTwin: quiet,
  OddPermit: anyone('takes-allowance'),
  OddPermitSpender: anyone('takes-allowance'),
  OddPermitTwin: quiet,
  TakingTransfer: hidden('moves-balance'),
  TakingTransferTwin: quiet,
  ClosingSpender: anyone('blocks-sells'),
  FreeReceiver: anyone('burns-balance'),
  // Calls of the token by itself
  SpokenTransfer: anyone('blocks-sells'),
  SpokenTransferTwin: quiet,
  OwnerExecutes: high('blocks-sells', { steps: 1 }),
  OwnerExecutesTwin: quiet,
  ToldReceiver: high('blocks-sells', { steps: 1 }),
  ToldReceiverTwin: quiet,
  SelfCalls: high('blocks-sells', { steps: 1 }),
  SelfCallsTwin: quiet,
  SelfAllowed: anyone('burns-balance'),
  SelfAllowedTwin: quiet,
  // What is received
  ReceivedThing: high('blocks-sells', { holder: 'contract', steps: 1 }),
  ReceivedThingTwin: quiet,
  AnyThing: anyone('blocks-sells'),
  HeardTokens: anyone('blocks-sells'),
  HeardTokensTwin: quiet,
  KeptThing: high('blocks-sells', { steps: 1 }),
  KeptThingTwin: quiet,
  SentChips: high('blocks-sells', { steps: 1 }),
  SentChipsTwin: quiet,
  SentCoins: anyone('blocks-sells'),
  // Contracts to come, and calls that no function begins with
  UnbornJudge: hidden('blocks-sells', 'unknown'),
  UnbornJudgeIfBorn: hidden('blocks-sells', 'unknown'),
  UnbornJudgeTwin: quiet,
  UnbornLogic: hidden('replaces-code', 'unknown'),
  UnbornMaster: hidden('blocks-sells'),
  UnbornMasterTwin: quiet,
  PaidWallet: quiet,
  MaskedWords: hidden('blocks-sells'),
  FirstByte: {
    ...{ status: 'High Risk', effect: 'blocks-sells', holder: 'unknown', warning: 'shown by setting' },
    unfinished: 'code behind no known function writes what sales depend on, and no call was found for it',
  },
  // Notice
  HomeLockedFee: slow({ holder: 'timelock', delaySeconds: 172_800, after: ['handOver'] }),
  FeeLockedFee: slow({ holder: 'timelock', delaySeconds: 172_800, after: ['handOver'] }),
  HomeLockedFeeShort: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  HomeLockedFeeOpen: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  HomeLockedFeeHasty: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  HomeLockedFeeChosen: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  FeeLockedFeeSwapped: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  // What is kept in records of several parts is not read as far as that.
  NumberedLockedFee: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  OwnCalls: slow({ holder: 'account', steps: 2 }),
  OwnCallsAtOnce: high('blocks-sells', { steps: 1 }),
  OwnNotice: slow({ holder: 'account', steps: 2 }),
  OwnNoticeTwin: slow({ holder: 'account', steps: 2 }),
  OwnNoticeSwapped: high('blocks-sells', { delaySeconds: 0, steps: 3 }),
  OwnNoticeSilent: high('blocks-sells', { delaySeconds: 0, steps: 2 }),
  // Fees
  SettableFee: high('blocks-sells', { also: { effect: 'raises-tax', loss: 99 }, isReversible: true }),
  SettableFeeTwin: { status: 'Low Risk', effect: 'raises-tax', holder: 'account', loss: 7 },
  MaskedFee: high('blocks-sells'),
  MaskedFeeTwin: { status: 'Low Risk', effect: 'raises-tax', holder: 'account', loss: 3 },
  SharedFeeBound: { status: 'Medium Risk', effect: 'raises-tax', holder: 'account', loss: 31 },
  LatePairTax: high('raises-tax', { loss: 88 }),
  LatePairTaxTwin: { status: 'Low Risk', holder: 'account', loss: 4 },
  ExternalFee: high('blocks-sells'),
  ExternalFeeTwin: quiet,
  RebaseDivisor: high('burns-balance', { isReversible: false }),
  NumericException: high('blocks-sells'),
  NumericExceptionTwin: { status: 'Low Risk', effect: 'raises-tax', holder: 'account', loss: 5 },
  // Gates
  ClosableSells: high('blocks-sells', { isReversible: true }),
  ClosableSellsTwin: quiet,
  Pausable: { status: 'Medium Risk', effect: 'stops-trading', holder: 'account', loss: 100 },
  PausableForOthers: high('blocks-sells', { warning: 'can stop all trading but its own' }),
  Blacklist: { status: 'Medium Risk', holder: 'account', loss: 100 },
  SellWhitelist: high('blocks-sells', { isReversible: true }),
  SellLimit: high('blocks-sells'),
  SellLimitTwin: quiet,
  LimitBehindSwitch: high('blocks-sells', { steps: 2 }),
  SellCooldown: high('blocks-sells'),
  SellCooldownTwin: quiet,
  GasPriceLimit: high('blocks-sells'),
  CallbackTrap: high('blocks-sells'),
  CallbackTrapTwin: quiet,
  // Of nothing, any address may send for the owner.
  MarkingGift: { ...anyone('blocks-account'), steps: 2 },
  MarkingGiftTwin: quiet,
  CallerBan: high('blocks-sells', { isReversible: true, warning: 'can stop all sells while purchases go on' }),
  JudgedTransfers: high('blocks-sells', { warning: 'can stop all sells' }),
  JudgedAccounts: high('blocks-sells'),
  HeardTransfers: quiet,
  OptOut: quiet,
  OptTax: quiet,
  OptOutOthers: { status: 'Critical Risk', effect: 'blocks-account', holder: 'anyone' },
  OpenTransferStop: { status: 'Medium Risk', effect: 'blocks-transfers', holder: 'anyone' },
  // Balances
  HiddenMint: high('mints-unseen', { loss: 99.99 }),
  OpenMint: { status: 'Medium Risk', effect: 'mints', holder: 'account', loss: 99.99 },
  CappedMint: { status: 'Low Risk', effect: 'mints', holder: 'account', loss: 1.24 },
  LiftedCapMint: { status: 'Medium Risk', effect: 'mints', holder: 'account', loss: 99.92, steps: 2 },
  LiftedCapMintTwin: quiet,
  CountedGift: { status: 'Medium Risk', effect: 'mints', holder: 'account' },
  CountedGiftTwin: quiet,
  PublicMint: { status: 'Critical Risk', effect: 'mints', holder: 'anyone' },
  BurnAny: high('burns-balance', { isReversible: false }),
  BurnAnyTwin: quiet,
  MoveAny: high('moves-balance', { isReversible: false }),
  TransferFromBackdoor: high('moves-balance'),
  PairAllowance: high('takes-allowance'),
  PairAllowanceTwin: quiet,
  // Holders
  RenouncedFee: { ...quiet, holder: 'renounced', after: ['renounce'] },
  PendingOwnerFee: { status: 'Critical Risk', effect: 'blocks-sells', isHidden: true, steps: 2, after: ['renounce'] },
  PendingOwnerFeeTwin: { ...quiet, holder: 'renounced', after: ['renounce'] },
  FakeRenouncedFee: { status: 'Critical Risk', effect: 'blocks-sells', isHidden: true, after: ['renounce'] },
  OperatorFee: high('blocks-sells', { also: { effect: 'raises-tax', loss: 99 } }),
  RoleFee: high('blocks-sells', { also: { effect: 'raises-tax', loss: 99 }, after: ['renounce'] }),
  RevokedRoleFee: { status: 'Medium Risk', effect: 'blocks-sells', holder: 'unknown', after: ['renounce'] },
  OpenOwnership: { status: 'Critical Risk', effect: 'blocks-sells', holder: 'anyone', steps: 2 },
  OpenOwnershipTwin: { status: 'Low Risk', effect: 'raises-tax', holder: 'account', loss: 5 },
  TimelockedFee: {
    ...{ status: 'Low Risk', effect: 'blocks-sells', holder: 'timelock', loss: 100, delaySeconds: 172_800 },
    after: ['handOver'],
  },
  HandedFee: high('blocks-sells', { also: { effect: 'raises-tax', loss: 99 } }),
  LooselyTimelockedFee: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  SilentlyTimelockedFee: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  BatchTimelockedFee: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  FakeTimelockedFee: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  MultisigFee: { status: 'Low Risk', effect: 'blocks-sells', holder: 'multisig', loss: 100, after: ['handOver'] },
  FakeMultisigFee: high('blocks-sells', { holder: 'contract', after: ['handOver'] }),
  ExchangeAware: quiet,
  ExchangeAndKeeper: high('pulls-liquidity'),
  DeadKeeper: quiet,
  // Code
  ProxySwap: high('replaces-code'),
  ProxySwapTwin: quiet,
  ProxyBehindAdmin: high('replaces-code'),
  ProxyBehindAdminTwin: quiet,
}
