import type { PhishingFindingId } from '../../src/checks/phishing/phishing-facts.js'
import type { CheckResult, PhishingVerdict } from '../../src/checks/phishing/phishing-report.js'

/** What the phishing check must say about a contract of `contracts/phishing`. */
export interface PhishingExpectation {
  verdict: PhishingVerdict
  /** Checks that must be triggered, and no others. */
  triggered: readonly CheckResult['name'][]
  /** Must be among the findings. */
  finding?: PhishingFindingId
  /** Where it goes: `operator` is the deployer, `thief` whoever the caller named. */
  to?: 'operator' | 'thief' | `0x${string}`
  /** Of what is taken: all that the victim has, or what the caller said. */
  asset?: 'USDC' | 'TOKEN' | 'DAI' | 'WETH' | 'NFT' | 'native'
}

const DRAIN = 'Allowance Drain Trap'
const PERMIT = 'Permit Signature Abuse'
const NATIVE = 'Native ETH Forwarder'

type Rest = Omit<PhishingExpectation, 'verdict' | 'triggered'>

const drains = (finding: PhishingFindingId, rest: Rest = {}): PhishingExpectation => {
  return { verdict: 'HIGH_RISK', triggered: [DRAIN], finding, to: 'operator', asset: 'USDC', ...rest }
}
const signs = (rest: Rest = {}): PhishingExpectation => {
  return {
    verdict: 'HIGH_RISK',
    triggered: [PERMIT],
    finding: 'permit-puller',
    to: 'operator',
    asset: 'TOKEN',
    ...rest,
  }
}
const forwards = (finding: PhishingFindingId, to: Rest['to'] = 'operator'): PhishingExpectation => {
  return { verdict: 'LOW_RISK', triggered: [NATIVE], finding, to, asset: 'native' }
}
const tells = (finding: PhishingFindingId, verdict: PhishingVerdict): PhishingExpectation => {
  return { verdict, triggered: [], finding }
}
/** What nobody may accuse. */
const harmless: PhishingExpectation = { verdict: 'SAFE', triggered: [] }

/** Every contract of `contracts/phishing`, by its name. */
export const expectations: Record<string, PhishingExpectation> = {
  AllowancePuller: drains('allowance-puller'),
  FixedTokenPuller: drains('allowance-puller', { to: '0x1111111111222222222233333333334444444444' }),
  OpenPuller: drains('allowance-puller', { to: 'thief' }),
  BatchPuller: drains('allowance-puller'),
  OriginPuller: drains('allowance-puller'),
  ListedPuller: drains('allowance-puller', { to: 'thief' }),
  RegistrationPuller: drains('allowance-puller'),
  DisguisedPuller: { verdict: 'HIGH_RISK', triggered: [DRAIN], finding: 'hidden-operator' },
  GuardedExecutor: drains('guarded-executor', { to: 'thief' }),
  GuardedBatchExecutor: drains('guarded-executor', { to: 'thief' }),
  RichPuller: drains('allowance-puller'),
  GuardedDelegate: drains('guarded-executor', { to: 'thief' }),
  GuardedDelegateTwin: harmless,
  FixedLogic: harmless,
  SignedOrders: drains('signed-order', { to: 'thief' }),
  SignedOrdersPacked: { verdict: 'HIGH_RISK', triggered: [DRAIN], finding: 'signed-order', asset: 'USDC' },
  SignedOrdersTwin: harmless,
  BurnsOnArrival: harmless,
  ApproveFirstClaim: drains('approve-first-claim'),
  FixedClaim: drains('approve-first-claim'),
  TokenSideDrain: drains('token-side-drain', { asset: 'WETH' }),
  Permit2AllowancePuller: drains('permit2-puller'),
  Permit2AllowanceBatchPuller: drains('permit2-puller', { to: 'thief' }),
  NftPuller: drains('nft-puller', { asset: 'NFT' }),
  MultiTokenPuller: drains('nft-puller', { asset: 'NFT' }),
  // Its victim loses the same by calling it.
  PermitPuller: { ...signs(), verdict: 'CRITICAL', triggered: [DRAIN, PERMIT] },
  Permit2BatchPuller: { ...signs(), verdict: 'CRITICAL', triggered: [DRAIN, PERMIT] },
  DaiPermitPuller: signs({ asset: 'DAI' }),
  Permit2SinglePuller: signs(),
  Permit2SignaturePuller: signs(),
  Permit2BatchSignaturePuller: signs({ to: 'thief' }),
  Permit2WitnessPuller: signs(),
  PayableForwarder: forwards('payable-forwarder'),
  ThresholdForwarder: forwards('payable-forwarder'),
  SplitForwarder: forwards('payable-forwarder', '0x1111111111222222222233333333334444444444'),
  ReceiveSweeper: forwards('receive-sweeper'),
  DelegationSweeper: forwards('receive-sweeper', '0x5555555555666666666677777777778888888888'),
  RawPuller: drains('allowance-puller'),
  RawExecutor: drains('guarded-executor', { to: 'thief' }),
  RawBatchExecutor: drains('guarded-executor', { to: 'thief' }),
  RawRelay: harmless,
  OpenDelegate: tells('open-executor', 'SAFE'),
  OperatorDelegate: drains('guarded-executor', { to: 'thief' }),
  // Code for accounts: as a contract it has no owner. What it obeys is tried with the account.
  FirstComeDelegate: tells('open-executor', 'SAFE'),
  OwnInitDelegate: harmless,
  SignedDelegate: harmless,
  StoredLogic: harmless,
  StoredLogicCode: harmless,
  LogicTakeover: harmless,
  CallsInTurn: tells('open-executor', 'SAFE'),
  MaskedPuller: drains('allowance-puller'),
  PackedPuller: drains('allowance-puller'),
  SecretPuller: drains('secret-puller', { to: 'thief' }),
  HiddenEntry: drains('allowance-puller'),
  VeryRichPuller: drains('allowance-puller'),
  LatePuller: drains('allowance-puller'),
  SwitchedPuller: drains('allowance-puller'),
  ListedSigner: drains('signed-order', { to: 'thief' }),
  OperatedByContract: drains('allowance-puller'),
  SettableLibrary: drains('guarded-executor', { to: 'thief' }),
  PatientPuller: drains('allowance-puller'),
  WorthlessReward: drains('approve-first-claim'),
  FakeCredit: drains('approve-first-claim'),
  NftCollector: drains('nft-puller', { asset: 'NFT' }),
  TokenCollector: drains('approve-first-claim', { asset: 'TOKEN' }),
  AuthorizationPuller: signs(),
  CountedPayment: forwards('payable-forwarder'),
  // It owes what it gave away.
  ForwardedDeposit: { ...forwards('payable-forwarder'), verdict: 'HIGH_RISK' },
  OwnerWithdraws: tells('withdraw-bait', 'HIGH_RISK'),
  NeverOpens: tells('withdraw-bait', 'HIGH_RISK'),
  CounterfeitToken: tells('counterfeit-events', 'HIGH_RISK'),
  CounterfeitAirdrop: tells('counterfeit-events', 'HIGH_RISK'),
  WithdrawBait: tells('withdraw-bait', 'HIGH_RISK'),
  LureToken: tells('lure-text', 'LOW_RISK'),

  PackedPayout: harmless,
  HashLock: harmless,
  ContractOperator: harmless,
  TransferProxy: harmless,
  ProxiedVault: harmless,
  CappedSubscription: harmless,
  WrappedDollar: harmless,
  PaidSubscription: harmless,
  OpensLater: harmless,
  LockedStaking: harmless,
  PresaleWithRefund: harmless,
  NftCustody: harmless,
  BatchDelegate: harmless,
  DonationBox: tells('donation', 'SAFE'),
  PaymentSplitter: harmless,
  Crowdsale: harmless,
  Presale: harmless,
  PermitStaking: harmless,
  PermitVault: harmless,
  HonestToken: harmless,
  HonestAirdrop: harmless,
  HonestBank: harmless,
  Staking: harmless,
  Disperse: harmless,
  Vesting: harmless,
  BridgeDeposit: harmless,
  OpenMulticall: tells('open-executor', 'SAFE'),
  SharedWallet: tells('wallet-module', 'SAFE'),
  EntryPointLike: harmless,
  Exchange: harmless,
  ProbeToken: harmless,
  ProbeNft: harmless,
}
