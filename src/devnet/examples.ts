import { encodeFunctionData, parseUnits } from 'viem'
import type { Address } from '../hex.js'
import { readContract } from './artifacts.js'
import { deploy } from './deploy.js'
import type { ExamplePlan, Expectation, Scene, TimelineEvent, TrustStatus } from './example.js'
import { approve, createV2Market, createV3Market, type Market, transfer } from './market.js'
import {
  DAY,
  HOUR,
  LAST_DAY,
  LAST_HOUR,
  LAST_WEEK,
  LISTED_NATIVE,
  LISTED_WHOLE_TOKENS,
  LONG_AGO,
  MINUTE,
  tradingHistory,
} from './trading-history.js'

const EVERY_CHAIN = [1, 56, 8453, 42161]
const ETHEREUM = [1]

const KILL_SWITCH = 'Kill Switch Detected'
const HIDDEN_PROXY = 'Hidden Logic (Proxy)'
const DYNAMIC_DEPLOYMENT = 'Dynamic Deployment'
const TITLES = [KILL_SWITCH, HIDDEN_PROXY, DYNAMIC_DEPLOYMENT]

const HARMLESS: Expectation = {
  simulateSuccess: true,
  isHoneypot: false,
  buyTaxPercent: 0,
  sellTaxPercent: 0,
  isTimeHoneypot: false,
  laterSellTaxPercent: 0,
  isContract: true,
  trustStatus: ['Safe', 'Low Risk'],
  riskTitles: [],
  absentRiskTitles: TITLES,
  activityPulse: 'Active',
}

/** A capability that could hurt and has not. */
const CAPABLE: readonly TrustStatus[] = ['Medium Risk', 'High Risk', 'Critical Risk']
const ANY: readonly TrustStatus[] = ['Safe', 'Low Risk', ...CAPABLE]

const finding = (title: string): Expectation => ({
  ...HARMLESS,
  trustStatus: CAPABLE,
  riskTitles: [title],
  absentRiskTitles: TITLES.filter((other) => other !== title),
  activityPulse: 'Low Activity',
})

/** A token that cannot be bought at all: nothing is said about its trade, and nothing bad. */
const UNTRADEABLE: Expectation = {
  simulateSuccess: false,
  isHoneypot: false,
  isTimeHoneypot: false,
  isContract: true,
  trustStatus: ['Safe', 'Low Risk'],
  riskTitles: [],
  absentRiskTitles: TITLES,
  activityPulse: 'Dead / No Activity',
}

/**
 * Every example, in the order of its deployer's account: append only, or addresses change.
 * What an example is called here, it is called in `contracts/` and `docs/devnet.md`.
 */
export const examplePlans: readonly ExamplePlan[] = [
  {
    name: 'clean',
    summary: 'An ordinary token: fixed supply, no owner, no fee, much used.',
    chainIds: EVERY_CHAIN,
    expect: { ...HARMLESS, activityPulse: 'Very Active' },
    plan(scene) {
      const { target, events } = listed(scene, { contract: 'Clean' })
      return { target, events: [...events, ...payments(scene, target)] }
    },
  },
  {
    name: 'taxed',
    summary: 'Keeps 5 % of each buy and 8 % of each sell, and sells what it kept.',
    chainIds: EVERY_CHAIN,
    expect: { ...HARMLESS, buyTaxPercent: 5, sellTaxPercent: 8, laterSellTaxPercent: 8, trustStatus: ANY },
    plan: (scene) => {
      const treasury = scene.traders.at(-1) ?? scene.deployer
      return listed(scene, { contract: 'Taxed', args: [v2RouterOf(scene), treasury] })
    },
  },
  {
    name: 'sell-blocked',
    summary: 'Anyone can buy, only the owner can sell: a honeypot.',
    chainIds: EVERY_CHAIN,
    expect: {
      ...UNTRADEABLE,
      isHoneypot: true,
      errorReasonIncludes: 'Trading is not open for you',
      buyTaxPercent: 0,
      sellTaxPercent: 100,
      trustStatus: ANY,
      activityPulse: 'Active',
    },
    plan: (scene) => listed(scene, { contract: 'SellBlocked', args: [v2RouterOf(scene)], onlySeller: scene.deployer }),
  },
  {
    name: 'v3-only',
    summary: 'An ordinary token whose only pool is on Uniswap V3.',
    chainIds: EVERY_CHAIN,
    expect: HARMLESS,
    plan: (scene) => listed(scene, { contract: 'V3Only', market: createV3Market(scene.chain) }),
  },
  {
    name: 'rising-tax',
    summary: 'Takes 2 % today and 90 % of each sell from three days after its launch, which was just now.',
    chainIds: ETHEREUM,
    expect: {
      ...HARMLESS,
      buyTaxPercent: 2,
      sellTaxPercent: 2,
      isTimeHoneypot: true,
      laterSellTaxPercent: 90,
      trustStatus: ANY,
    },
    plan: (scene) =>
      listed(scene, {
        contract: 'RisingTax',
        args: [v2RouterOf(scene)],
        deployedSecondsAgo: 40 * MINUTE,
        times: LAST_HOUR,
      }),
  },
  {
    name: 'hidden-proxy',
    summary: 'An EIP-1967 proxy in front of an ordinary token: its admin can exchange the code.',
    chainIds: ETHEREUM,
    expect: finding(HIDDEN_PROXY),
    plan: hiddenProxy,
  },
  {
    name: 'kill-switch',
    summary: 'An ordinary token until its owner calls `close`, which self-destructs.',
    chainIds: ETHEREUM,
    expect: finding(KILL_SWITCH),
    plan: (scene) => listed(scene, { contract: 'KillSwitch', times: LAST_WEEK }),
  },
  {
    name: 'dynamic-deployment',
    summary: 'A token that is also a factory: anyone can have it deploy contracts with CREATE2.',
    chainIds: ETHEREUM,
    expect: finding(DYNAMIC_DEPLOYMENT),
    plan: (scene) => listed(scene, { contract: 'DynamicDeployment', times: LAST_WEEK }),
  },
  {
    name: 'dormant',
    summary: 'An ordinary token that nobody has moved for five weeks.',
    chainIds: ETHEREUM,
    expect: { ...HARMLESS, activityPulse: 'Dead / No Activity' },
    plan: (scene) => listed(scene, { contract: 'Dormant', deployedSecondsAgo: 55 * DAY, times: LONG_AGO }),
  },
  {
    name: 'no-pool',
    summary: 'An ordinary token with holders and no market. That makes it no honeypot.',
    chainIds: ETHEREUM,
    expect: { ...UNTRADEABLE, errorReasonIncludes: 'liquidity', activityPulse: 'Low Activity' },
    plan(scene) {
      const { address: target, transaction } = deploy(scene.deployer, 0, 'NoPool')
      const gifts = LAST_WEEK.map((secondsAgo, i) => ({
        secondsAgo,
        transaction: transfer(scene.deployer, target, scene.traders[i] ?? target, parseUnits('1000', 18)),
      }))
      return { target, events: [{ secondsAgo: DEPLOYED, transaction }, ...gifts] }
    },
  },
  {
    name: 'no-return',
    summary: 'Like USDT: `transfer` and `approve` answer nothing, and 6 decimals.',
    chainIds: ETHEREUM,
    expect: HARMLESS,
    plan: (scene) => listed(scene, { contract: 'NoReturn', decimals: 6 }),
  },
  {
    name: 'not-a-token',
    summary: 'A contract that is no token: a guest book.',
    chainIds: ETHEREUM,
    expect: UNTRADEABLE,
    plan(scene) {
      const { address: target, transaction } = deploy(scene.deployer, 0, 'NotAToken')
      const { abi } = readContract('NotAToken')
      const data = encodeFunctionData({ abi, functionName: 'sign', args: ['A pleasant stay.'] })
      const entries = LAST_WEEK.map((secondsAgo, i) => ({
        secondsAgo,
        transaction: { what: 'sign the guest book', from: scene.traders[i] ?? scene.deployer, to: target, data },
      }))
      return { target, events: [{ secondsAgo: DEPLOYED, transaction }, ...entries] }
    },
  },
]

const DEPLOYED = 6 * DAY
const UNTIL_LISTED = 2 * MINUTE

interface Listing {
  contract: string
  args?: readonly unknown[]
  decimals?: number
  /** The chain's V2 exchange if absent. */
  market?: Market
  deployedSecondsAgo?: number
  times?: readonly number[]
  onlySeller?: Address
}

/** Deploys a token, opens its pool two minutes later, and has it traded. */
function listed(scene: Scene, { contract, args = [], deployedSecondsAgo = DEPLOYED, ...rest }: Listing) {
  const { address: target, transaction } = deploy(scene.deployer, 0, contract, args)
  return {
    target,
    events: [
      { secondsAgo: deployedSecondsAgo, transaction },
      ...market(scene, target, { deployedSecondsAgo, ...rest }),
    ],
  }
}

function market(
  scene: Scene,
  token: Address,
  {
    decimals = 18,
    market = createV2Market(scene.chain),
    deployedSecondsAgo = DEPLOYED,
    times = [...LAST_WEEK, ...LAST_DAY],
    onlySeller,
  }: Omit<Listing, 'contract'>,
): TimelineEvent[] {
  const unit = 10n ** BigInt(decimals)
  const listing = [
    approve(scene.deployer, token, market.lister, LISTED_WHOLE_TOKENS * unit),
    market.list(scene.deployer, token, LISTED_WHOLE_TOKENS * unit, LISTED_NATIVE),
    approve(scene.deployer, token, market.lister, 0n),
    approve(scene.deployer, token, market.router),
  ]
  return [
    ...listing.map((transaction) => ({ secondsAgo: deployedSecondsAgo - UNTIL_LISTED, transaction })),
    ...tradingHistory(scene, { token, market, unit, times, ...(onlySeller && { onlySeller }) }),
  ]
}

/** People pay each other with the token: what makes it `Very Active` rather than traded now and then. */
function payments({ deployer, traders }: Scene, token: Address): TimelineEvent[] {
  const gifts = traders.map((trader) => ({
    secondsAgo: 5 * DAY,
    transaction: transfer(deployer, token, trader, parseUnits('2000', 18)),
  }))
  const amount = (hour: number, i: number) => parseUnits(`${3 + ((hour / HOUR + i * 7) % 40)}`, 18)
  const paid = LAST_DAY.flatMap((secondsAgo) =>
    traders.slice(0, PAYMENTS_PER_MOMENT).map((payer, i) => ({
      secondsAgo,
      transaction: transfer(payer, token, traders[i + PAYMENTS_PER_MOMENT] ?? deployer, amount(secondsAgo, i)),
    })),
  )
  return [...gifts, ...paid]
}

/** With a buy and a sell at each of the 11 moments of the last day this makes 110 transfers. */
const PAYMENTS_PER_MOMENT = 8

/** The proxy is the deployer's second contract; the first is the code behind it. */
function hiddenProxy(scene: Scene): { target: Address; events: TimelineEvent[] } {
  const { deployer } = scene
  const logic = deploy(deployer, 0, 'HiddenProxyLogic')
  const { abi } = readContract('HiddenProxyLogic')
  const args = ['Hidden Proxy Example', 'PROXY', deployer, parseUnits('1000000', 18)]
  const setup = encodeFunctionData({ abi, functionName: 'initialize', args })
  const proxy = deploy(deployer, 1, 'HiddenProxy', [logic.address, deployer, setup])
  const deployments = [logic, proxy].map(({ transaction }) => ({ secondsAgo: DEPLOYED, transaction }))
  return { target: proxy.address, events: [...deployments, ...market(scene, proxy.address, { times: LAST_WEEK })] }
}

function v2RouterOf({ chain: { v2 } }: Scene): Address {
  return v2[0]?.router ?? '0x'
}
