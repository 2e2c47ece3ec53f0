/**
 * What the honeypot check must say about a trap or its twin. What is absent is expected to be
 * `false`, or nothing.
 */
export interface TrapExpectation {
  isHoneypot?: boolean
  isTimeHoneypot?: boolean
  /** Percent in the first window, within 0.1. Not judged when absent. */
  buyTax?: number
  sellTax?: number
  /** All findings, by id. */
  findings?: readonly string[]
  /** Text in `inconclusive`. */
  inconclusive?: string
  /** What the next change brings; a trap that comes later may have one without being asked. */
  nextChange?: { sellTax?: number }
  /** `simulateResult.isHoneypot`; that of the honeypot check when absent. */
  simulated?: boolean
  /**
   * Detectors that the analysis of the code must name at `MEDIUM` or above, and, in the twins, must
   * not.
   */
  flags?: readonly string[]
  absentFlags?: readonly string[]
  /**
   * Chance picks its victims. The ordinary seller may be among them, so that findings differ from
   * run to run.
   */
  byChance?: true
  /** Called by the owner after the listing. */
  after?: readonly string[]
}

const trap = (rest: TrapExpectation = {}): TrapExpectation => ({ isHoneypot: true, ...rest })
const later = (rest: TrapExpectation = {}): TrapExpectation => ({ isTimeHoneypot: true, ...rest })
/** What nobody may accuse. Taxes are none unless said otherwise. */
const harmless = (rest: TrapExpectation = {}): TrapExpectation => ({ buyTax: 0, sellTax: 0, ...rest })

/** Every contract of `contracts/traps` that can be listed, by technique. */
export const expectations: Record<string, TrapExpectation> = {
  // The sell is blocked.
  PairSellBlock: trap({ buyTax: 0, sellTax: 100 }),
  PairSellBlockByCode: trap(),
  PairSellBlockTwin: harmless({ buyTax: 3, sellTax: 3 }),
  RouterBlock: { findings: ['router-blocked'] },
  RouterBlockTwin: harmless(),
  BuyerBlacklist: trap(),
  BuyerBlacklistLater: later({ buyTax: 0, sellTax: 0 }),
  BuyerBlacklistTwin: harmless(),
  SellWhitelist: trap(),
  SellWhitelistTwin: harmless({ after: ['open'] }),
  SellLimit: trap(),
  SellLimitTenth: {},
  SellLimitTwin: harmless(),
  SellCooldown: trap(),
  SellCooldownByBlock: trap(),
  SellCooldownTwin: harmless({ findings: ['cooldown'] }),
  SameBlockBan: harmless(),
  BalanceDependentSell: trap({ findings: ['large-holding'], simulated: false }),
  BalanceDependentSellSmall: trap(),
  BalanceDependentSellNative: trap({ findings: ['simulation-aware'] }),
  BalanceDependentSellTwin: harmless(),
  GasPriceDependentSell: trap(),
  GasPriceDependentFee: trap({ findings: ['simulation-aware'] }),
  GasPriceDependentSellTwin: harmless(),
  ClosedTrading: trap(),
  ClosedTradingWholly: { inconclusive: 'cannot be bought' },
  ClosedTradingTwin: harmless(),
  EarlyBuyerTrap: trap(),
  EarlyBuyerTrapTwin: harmless(),
  LateBuyerTrap: later({ sellTax: 0 }),
  TimeWindowSell: later(),
  TimeWindowSellWeekday: later(),
  TimeWindowSellTwin: harmless(),
  OriginWhitelist: trap(),
  // It goes through one router, and says so: what is refused takes nothing.
  OriginWhitelistTwin: harmless({ findings: ['other-route'] }),
  CallbackTrap: trap(),
  CallbackTrapTwin: harmless(),
  NumericException: trap(),
  NumericExceptionTwin: harmless({ sellTax: 2 }),
  SecondSell: trap({ findings: ['second-purchase', 'second-sell'], simulated: false }),
  GiftedTokens: { findings: ['gift'] },
  // The tax takes the value.
  DelayedFee: later({ buyTax: 2, sellTax: 2 }),
  DelayedFeeByBlock: later({ sellTax: 0 }),
  DelayedFeeBeyond: later({ sellTax: 0, nextChange: { sellTax: 95 } }),
  DelayedFeeBeyondByBlock: later({ sellTax: 0, nextChange: { sellTax: 95 } }),
  DelayedFeeTwin: harmless({ buyTax: 20, sellTax: 20, nextChange: { sellTax: 19 } }),
  CounterGate: trap({ findings: ['crowd', 'second-purchase'], simulated: false }),
  CounterGateFar: trap({ findings: ['crowd'], simulated: false }),
  CounterGateTwin: harmless({ sellTax: 1 }),
  // Another condition of the sale than the ordinary sale meets: one trap for each leaf that may
  // decide.
  SaleCount: trap({ findings: ['crowd'], simulated: false }),
  SaleCountTwin: harmless(),
  VolumeFee: trap({ findings: ['crowd', 'rally', 'slump'], simulated: false }),
  VolumeFeeTwin: harmless({ sellTax: 2 }),
  PriceCeiling: trap({ findings: ['rally'], simulated: false }),
  PriceCeilingTwin: harmless({ sellTax: 1 }),
  PriceFloor: trap({ findings: ['slump'], simulated: false }),
  LargeSaleFee: { findings: ['large-sell'] },
  LargeSaleFeeTwin: harmless({ sellTax: 1 }),
  ScarceGasFee: trap({ findings: ['estimated-gas'], simulated: false }),
  ScarceGasFeeTwin: harmless(),
  HashedSeller: trap({ byChance: true }),
  HashedSellerTwin: {},
  BoundlessApproval: trap({ findings: ['unlimited-approval'], simulated: false }),
  BoundlessApprovalTwin: harmless(),
  TwoTogether: trap({ findings: ['everyday-sale'], simulated: false }),
  TwoTogetherTwin: harmless({ sellTax: 1 }),
  SecondPurchase: trap({ findings: ['second-purchase'], simulated: false }),
  SecondPurchaseTwin: harmless({ sellTax: 2 }),
  ThirdPurchase: trap({ findings: ['second-purchase'], simulated: false }),
  ThirdPurchaseTwin: harmless({ sellTax: 1 }),
  SpendingLine: trap({ findings: ['second-purchase'], simulated: false }),
  SpendingLineTwin: harmless(),
  SoldOut: trap({ findings: ['second-purchase'], simulated: false }),
  // All is sold in these windows, for which it takes less than of others.
  SoldOutTwin: harmless({ sellTax: 1 }),
  HoldersCostGas: trap({ findings: ['crowd'], simulated: false }),
  HoldersCostGasTwin: harmless(),
  ListAsked: harmless(),
  ThreeSales: trap({ findings: ['second-sell'], simulated: false }),
  BlockLottery: trap({ byChance: true }),
  BlockLotteryTwin: {},
  ProductOfTruth: trap({ findings: ['crowd'], simulated: false }),
  SaleGrowth: trap({ findings: ['crowd', 'second-sell'], simulated: false }),
  SaleGrowthTwin: harmless(),
  // Two conditions at once.
  SalesAndDays: trap({ findings: ['crowd'], simulated: false }),
  SalesAndDaysJoined: trap({ findings: ['crowd'], simulated: false }),
  SalesAndDaysTwin: harmless(),
  MiddleSaleFee: { findings: ['large-sell'] },
  MiddleSaleFeeTwin: harmless(),
  TenSales: trap({ findings: ['second-sell'], simulated: false }),
  TenSalesTwin: harmless({ sellTax: 1 }),
  TenSalesADay: harmless(),
  AskedTwice: trap({ findings: ['block-values'], simulated: false }),
  AskedTwiceTwin: harmless(),
  CoinsHeld: trap({ findings: ['sent-coins'], simulated: false }),
  CoinsHeldTwin: harmless(),
  // The sale's own transaction moves the price before the pool swaps.
  SpoiltPrice: trap({ sellTax: 90 }),
  SpoiltPriceTwin: harmless(),
  SpoiltPriceLater: later({ sellTax: 0, nextChange: {} }),
  SpoiltPriceLaterTwin: harmless(),
  // What the seller owns and allowed elsewhere, and what others do elsewhere.
  OtherApproval: trap({ findings: ['other-approval'], simulated: false }),
  OtherApprovalTwin: harmless(),
  StoredSpender: trap({ findings: ['other-approval'], simulated: false }),
  WrappedCoinsHeld: trap({ findings: ['other-means'], simulated: false }),
  WrappedCoinsHeldTwin: harmless({ sellTax: 1 }),
  WrappedCoinsLent: trap({ findings: ['other-approval'], simulated: false }),
  PoorSeller: trap({ findings: ['other-means'], simulated: false }),
  PoorSellerTwin: harmless({ buyTax: 1, sellTax: 2 }),
  ForeignCounter: trap({ findings: ['open-call'], simulated: false }),
  ForeignCounterTwin: harmless({ sellTax: 2 }),
  NearCount: trap({ findings: ['open-call'], simulated: false }),
  FarCount: harmless(),
  FarSum: harmless(),
  RungBell: trap({ findings: ['open-call'], simulated: false }),
  LaterJudge: { findings: ['later-code'] },
  LaterJudgeOfFees: { findings: ['later-code'] },
  LaterJudgeTwin: harmless(),
  // The way of the sale, and the kind of account that sells.
  OneRoute: { findings: ['other-route'] },
  OneRouteTwin: harmless(),
  PoolFeeTwin: harmless({ sellTax: 3 }),
  RefusedRoutes: { findings: ['other-route'] },
  NamedRoute: { findings: ['other-route'] },
  OwnTransferRoute: { findings: ['other-route'] },
  DelegatedSeller: trap({ findings: ['delegated-account'], simulated: false }),
  DelegatedSellerByBytes: trap({ findings: ['delegated-account'], simulated: false }),
  CodedSeller: trap({ findings: ['contract-wallet', 'delegated-account'], simulated: false }),
  CodedSellerTwin: harmless(),
  ContractSeller: { findings: ['contract-wallet'] },
  DelegatedBuyer: trap({ findings: ['delegated-account'], simulated: false }),
  NoContractsTwin: harmless(),
  // What many others move, and what only its maker does.
  HolderFee: trap({ findings: ['crowd'], simulated: false }),
  HolderFeeTwin: harmless(),
  GiftCount: trap({ findings: ['crowd'], simulated: false }),
  ApprovalCount: trap({ findings: ['crowd'], simulated: false }),
  SecretSum: { findings: ['hidden-command'] },
  SecretSumTwin: harmless(),
  SecretReceiver: { findings: ['hidden-command'] },
  MagicSums: { findings: ['hidden-command'] },
  SecretApproval: { findings: ['hidden-command'] },
  LockTwin: harmless(),
  SettableFee: trap({ sellTax: 99 }),
  SettableFeeTwin: harmless({ sellTax: 3 }),
  ExternalFee: trap({ sellTax: 93 }),
  ExternalFeeTwin: harmless({ sellTax: 2 }),
  SlidingFee: later({ buyTax: 0, sellTax: 0, nextChange: {} }),
  SlidingFeeByBlock: later({ buyTax: 0, sellTax: 0, nextChange: { sellTax: 95 } }),
  SlidingFeeTwin: harmless(),
  LatePairTax: trap({ sellTax: 88, after: ['register'] }),
  LatePairTaxTwin: harmless({ sellTax: 4, after: ['register'] }),
  RebaseDivisor: later({ sellTax: 0 }),
  RebaseDivisorTwin: harmless(),
  // The token lies.
  FakeTransferEvent: trap(),
  FakeTransferEventSell: trap(),
  FakeTransferEventTwin: harmless({ buyTax: 1, sellTax: 1 }),
  LyingBalance: trap(),
  // Of what a sale redistributes, the pool gets back its part.
  LyingBalanceTwin: harmless({ buyTax: 2, sellTax: 0.4 }),
  LyingReturnValue: trap(),
  LyingReturnValueFalse: trap(),
  LyingReturnValueTwin: harmless(),
  AlteredApprove: trap(),
  AlteredApproveAmount: trap(),
  AlteredApproveTwin: harmless(),
  // Power over balances and code. They trade like any other token; what their code and state allow
  // is told beside the trade.
  HiddenMint: harmless({ flags: ['hidden-mint'] }),
  HiddenMintTwin: harmless({ absentFlags: ['hidden-mint'] }),
  PublicMint: harmless({ flags: ['hidden-mint'] }),
  OwnerMovesBalances: harmless({ flags: ['balance-seizure'] }),
  OwnerMovesBalancesTwin: harmless({ absentFlags: ['balance-seizure'] }),
  TransferFromBackdoor: harmless({ flags: ['allowance-bypass'] }),
  TransferFromBackdoorTwin: harmless({ absentFlags: ['allowance-bypass'] }),
  PresetLpAllowance: harmless({ findings: ['pool-allowance'] }),
  PresetLpAllowanceTwin: harmless(),
  FakeRenounce: harmless({ flags: ['hidden-owner', 'blacklist'], after: ['renounce'] }),
  FakeRenounceTwin: harmless({ sellTax: 1, absentFlags: ['hidden-owner'], after: ['renounce'] }),
  ProxySwap: harmless({ flags: ['hidden-proxy'] }),
  ProxySwapTwin: harmless(),
  MetamorphicRedeploy: harmless({ flags: ['kill-switch'] }),
  MetamorphicRedeployTwin: harmless({ absentFlags: ['kill-switch'] }),
  ReentrancyBait: harmless({ flags: ['external-transfer-call'] }),
  ReentrancyBaitTwin: harmless(),
  // It asks whether it is watched.
  CallerCode: trap(),
  CallerCodeHash: trap(),
  OverrideArtefact: trap(),
  OverrideArtefactTwin: harmless(),
  SameBlockBundle: trap(),
  CallDepth: trap({ findings: ['simulation-aware'] }),
  PrecompilePresence: trap(),
  ClockZero: trap(),
  OriginZero: trap(),
  CoinbaseZeroFee: trap({ findings: ['simulation-aware'], sellTax: 92 }),
  SimulationOnlyLoopAware: { findings: ['simulation-aware'] },
  StateChangeAfter: harmless({ flags: ['trading-switch'] }),
  TransientBundleTwin: harmless(),
  BlockDiary: harmless(),
  GasPriceCap: harmless(),
  PeopleOnly: harmless(),
  PlainLimits: harmless(),
  LockedTransfer: harmless(),
  PermitDomain: harmless(),
  MinerTips: harmless(),
  GasMetered: harmless(),
  CoinbaseZero: trap({ findings: ['simulation-aware'] }),
  GasPriceZero: trap({ findings: ['simulation-aware'] }),
  GasLimitOdd: trap({ findings: ['simulation-aware'] }),
  GasLeftLarge: trap({ findings: ['simulation-aware'] }),
  DifficultySmall: trap({ findings: ['simulation-aware'] }),
  BlockhashZero: trap(),
  RichOrigin: trap({ findings: ['simulation-aware'] }),
  NonexistentSender: trap(),
  SenderHasCode: trap({ findings: ['simulation-aware'] }),
  SenderNotOrigin: trap(),
  KnownAddress: trap(),
  RoundAmount: trap({ findings: ['simulation-aware'] }),
  EmptyWorld: trap(),
  ToolArtefact: trap(),
  ClockBehindHeight: trap(),
  BasefeeZero: trap({ findings: ['simulation-aware'] }),
  GasPriceBelowBasefee: trap(),
  BlobBasefeeZero: trap(),
  ChainIdOdd: trap(),
  TransientBundle: trap(),
  WarmAccess: trap(),
  DustOutput: trap(),
  SimulationOnlyLoop: trap(),
  SimulationAwareTwin: harmless(),
  // Shapes of honest tokens.
  TetherLike: harmless(),
  DollarProxy: harmless(),
  DaiLike: harmless(),
  RebasingToken: harmless(),
  RegisteredHooks: harmless({ absentFlags: ['external-transfer-call'] }),
  MaxWallet: harmless(),
  MinuteCooldown: harmless({ findings: ['cooldown'] }),
  HookedToken: harmless(),
  VotingToken: harmless(),
  BrakedLaunch: harmless({ buyTax: 15, sellTax: 15, nextChange: { sellTax: 3 }, after: ['open', 'renounce'] }),
  AccruingToken: harmless(),
  DiceToken: harmless(),
  SwapBack: harmless({ buyTax: 5, sellTax: 5 }),
}
