/**
 * What stands for a technique: contracts of `contracts/traps`, and twins that do nearly the same
 * and harm nobody.
 */
export interface Fixtures {
  traps: readonly string[]
  twins: readonly string[]
}

const shown = (traps: readonly string[], twins: readonly string[]): Fixtures => ({ traps, twins })

/** Ways to trap those who buy, by the names that `docs/honeypot.md` explains. */
export const techniques: Record<string, Fixtures> = {
  'pair-sell-block': shown(['PairSellBlock', 'PairSellBlockByCode'], ['PairSellBlockTwin']),
  'router-block': shown(['RouterBlock'], ['RouterBlockTwin']),
  'buyer-blacklist': shown(['BuyerBlacklist', 'BuyerBlacklistLater'], ['BuyerBlacklistTwin']),
  'sell-whitelist': shown(['SellWhitelist'], ['SellWhitelistTwin']),
  'sell-limit': shown(['SellLimit', 'SellLimitTenth', 'SecondSell'], ['SellLimitTwin', 'MaxWallet']),
  'sell-cooldown': shown(
    ['SellCooldown', 'SellCooldownByBlock'],
    ['SellCooldownTwin', 'MinuteCooldown', 'SameBlockBan'],
  ),
  'balance-dependent-sell': shown(
    ['BalanceDependentSell', 'BalanceDependentSellSmall', 'BalanceDependentSellNative'],
    ['BalanceDependentSellTwin', 'PlainLimits'],
  ),
  'gas-price-dependent-sell': shown(
    ['GasPriceDependentSell', 'GasPriceDependentFee'],
    ['GasPriceDependentSellTwin', 'GasPriceCap'],
  ),
  'pause-or-closed-trading': shown(['ClosedTrading', 'ClosedTradingWholly'], ['ClosedTradingTwin']),
  'early-buyer-trap': shown(['EarlyBuyerTrap', 'LateBuyerTrap'], ['EarlyBuyerTrapTwin', 'BrakedLaunch']),
  'time-window-sell': shown(['TimeWindowSell', 'TimeWindowSellWeekday'], ['TimeWindowSellTwin', 'AccruingToken']),
  'origin-whitelist': shown(['OriginWhitelist'], ['OriginWhitelistTwin', 'PeopleOnly']),
  'callback-trap': shown(['CallbackTrap'], ['CallbackTrapTwin', 'HookedToken', 'RegisteredHooks']),
  'numeric-exception': shown(['NumericException'], ['NumericExceptionTwin']),
  'delayed-fee': shown(
    [
      'DelayedFee',
      'DelayedFeeByBlock',
      'DelayedFeeBeyond',
      'DelayedFeeBeyondByBlock',
      'SlidingFee',
      'SlidingFeeByBlock',
    ],
    ['DelayedFeeTwin', 'SlidingFeeTwin'],
  ),
  'counter-gate': shown(['CounterGate', 'CounterGateFar'], ['CounterGateTwin', 'SwapBack']),
  'settable-fee': shown(['SettableFee'], ['SettableFeeTwin', 'TetherLike']),
  'external-fee': shown(['ExternalFee'], ['ExternalFeeTwin']),
  'late-pair-tax': shown(['LatePairTax'], ['LatePairTaxTwin']),
  'rebase-divisor': shown(['RebaseDivisor'], ['RebaseDivisorTwin', 'RebasingToken']),
  'fake-transfer-event': shown(['FakeTransferEvent', 'FakeTransferEventSell'], ['FakeTransferEventTwin']),
  'lying-balance': shown(['LyingBalance'], ['LyingBalanceTwin']),
  'lying-return-value': shown(['LyingReturnValue', 'LyingReturnValueFalse'], ['LyingReturnValueTwin', 'TetherLike']),
  'altered-approve': shown(['AlteredApprove', 'AlteredApproveAmount'], ['AlteredApproveTwin']),
  'hidden-mint': shown(['HiddenMint'], ['HiddenMintTwin', 'DaiLike']),
  'public-mint': shown(['PublicMint'], ['HiddenMintTwin']),
  'owner-moves-balances': shown(['OwnerMovesBalances'], ['OwnerMovesBalancesTwin']),
  'transferFrom-backdoor': shown(['TransferFromBackdoor'], ['TransferFromBackdoorTwin']),
  'preset-lp-allowance': shown(['PresetLpAllowance'], ['PresetLpAllowanceTwin']),
  'fake-renounce': shown(['FakeRenounce'], ['FakeRenounceTwin']),
  'proxy-swap': shown(['ProxySwap'], ['ProxySwapTwin', 'DollarProxy']),
  'metamorphic-redeploy': shown(['MetamorphicRedeploy'], ['MetamorphicRedeployTwin']),
  'reentrancy-bait': shown(['ReentrancyBait'], ['ReentrancyBaitTwin', 'LockedTransfer']),
}

/** Ways to ask whether somebody is only trying. */
export const pills: Record<string, Fixtures> = {
  'coinbase-zero': shown(['CoinbaseZero', 'CoinbaseZeroFee'], ['BlockDiary', 'MinerTips']),
  'basefee-zero': shown(['BasefeeZero'], ['BlockDiary']),
  'gasprice-zero': shown(['GasPriceZero'], ['BlockDiary', 'GasPriceCap']),
  'gasprice-below-basefee': shown(['GasPriceBelowBasefee'], ['BlockDiary']),
  'blobbasefee-zero': shown(['BlobBasefeeZero'], ['BlockDiary']),
  'clock-height-mismatch': shown(['ClockBehindHeight', 'ClockZero'], ['BlockDiary', 'AccruingToken']),
  'blockhash-zero': shown(['BlockhashZero'], ['BlockDiary', 'DiceToken']),
  'prevrandao-constant': shown(['DifficultySmall'], ['BlockDiary', 'DiceToken']),
  'gaslimit-odd': shown(['GasLimitOdd'], ['BlockDiary']),
  'gasleft-large': shown(['GasLeftLarge'], ['SimulationAwareTwin', 'GasMetered']),
  'chainid-odd': shown(['ChainIdOdd'], ['PermitDomain']),
  'rich-origin': shown(['RichOrigin'], ['PlainLimits']),
  'nonexistent-sender': shown(['NonexistentSender'], ['PeopleOnly']),
  'sender-not-origin': shown(['SenderNotOrigin', 'OriginZero'], ['PeopleOnly', 'OriginWhitelistTwin']),
  'caller-code': shown(['CallerCode', 'CallerCodeHash'], ['PeopleOnly']),
  'known-address': shown(['KnownAddress'], ['PlainLimits']),
  'round-amount': shown(['RoundAmount'], ['PlainLimits']),
  'state-override-artefact': shown(['OverrideArtefact'], ['OverrideArtefactTwin']),
  'delegated-sender': shown(['SenderHasCode'], ['PeopleOnly']),
  'transient-bundle': shown(['TransientBundle'], ['TransientBundleTwin']),
  'same-block-bundle': shown(['SameBlockBundle'], ['SameBlockBan']),
  'empty-world': shown(['EmptyWorld', 'PrecompilePresence'], ['BlockDiary']),
  'warm-access': shown(['WarmAccess'], ['GasMetered']),
  'call-depth': shown(['CallDepth'], ['GasMetered']),
  'tool-artefact': shown(['ToolArtefact'], ['PeopleOnly']),
  'state-change-after': shown(['StateChangeAfter'], ['FakeRenounceTwin']),
  'visible-probe': shown(['StateChangeAfter'], ['BlockDiary']),
  'dust-output': shown(['DustOutput'], ['SellLimitTwin']),
  'simulation-only-loop': shown(['SimulationOnlyLoop', 'SimulationOnlyLoopAware'], ['GasMetered']),
}

/**
 * Shapes of tokens that nobody may accuse. WETH and the dollars of the devnet are the real
 * contracts, or our own of the same shape.
 */
export const benignShapes: Record<string, readonly string[]> = {
  WETH: ['wrapped native coin'],
  USDT: ['TetherLike', 'watched dollars'],
  'USDC-style proxy': ['DollarProxy', 'watched dollars'],
  DAI: ['DaiLike', 'watched dollars'],
  UNI: ['VotingToken'],
  reflection: ['LyingBalanceTwin'],
  rebasing: ['RebasingToken', 'RebaseDivisorTwin'],
  'fee on transfer': ['PairSellBlockTwin'],
  'ERC-777': ['RegisteredHooks', 'HookedToken'],
  pausable: ['ClosedTradingTwin'],
  'anti-bot launch window': ['BrakedLaunch', 'DelayedFeeTwin'],
  'max wallet': ['MaxWallet', 'BrakedLaunch'],
  'cooldown of a minute': ['MinuteCooldown', 'SellCooldownTwin'],
  'taxed with swap-back': ['SwapBack'],
}
