import { encodeFunctionData, parseUnits } from 'viem'
import { chains } from '../chains/index.js'
import type { PhishingVerdict } from '../checks/phishing/phishing-report.js'
import type { Address } from '../hex.js'
import { readContract } from './artifacts.js'
import { deploy } from './deploy.js'
import type { ExamplePlan, Expectation, Scene, TimelineEvent } from './example.js'
import { DEPLOYED_SECONDS_AGO, listed, traded } from './listing.js'
import { createV3Market, transfer } from './market.js'
import { DAY, LAST_HOUR, LAST_WEEK, LONG_AGO, MINUTE, payments } from './trading-history.js'
import { wellKnownToken, wrappedNative } from './well-known-tokens.js'

const EVERY_CHAIN = chains.map(({ id }) => id)
const ETHEREUM = [1]

const KILL_SWITCH = 'Kill Switch Detected'
const HIDDEN_PROXY = 'Hidden Logic (Proxy)'
const DYNAMIC_DEPLOYMENT = 'Dynamic Deployment'
const TITLES = [KILL_SWITCH, HIDDEN_PROXY, DYNAMIC_DEPLOYMENT]

/**
 * The deployer of an example keeps its liquidity, as most do: the one thing to say of a harmless
 * token.
 */
const LIQUIDITY_IN_ONE_HAND = { level: 'Low Risk', score: 30 } as const

const HARMLESS: Expectation = {
  simulateSuccess: true,
  isHoneypot: false,
  buyTaxPercent: 0,
  sellTaxPercent: 0,
  isTimeHoneypot: false,
  laterSellTaxPercent: 0,
  isContract: true,
  ...LIQUIDITY_IN_ONE_HAND,
  riskTitles: [],
  absentRiskTitles: TITLES,
  activityPulse: 'Active',
  phishingVerdict: ['SAFE', 'LOW_RISK'],
}

const finding = (title: string): Expectation => ({
  ...HARMLESS,
  riskTitles: [title],
  absentRiskTitles: TITLES.filter((other) => other !== title),
  activityPulse: 'Low Activity',
})

/** Powers that are public knowledge may be listed; they make no bad verdict. */
const PUBLIC_POWERS = { level: 'Low Risk', score: 15 } as const

const WELL_KNOWN: Expectation = {
  ...HARMLESS,
  ...PUBLIC_POWERS,
  absentRiskTitles: [KILL_SWITCH, DYNAMIC_DEPLOYMENT],
  activityPulse: 'Very Active',
}

/** A token that cannot be bought at all: nothing is said about its trade, and nothing bad. */
const UNTRADEABLE: Expectation = {
  simulateSuccess: false,
  isHoneypot: false,
  isTimeHoneypot: false,
  isContract: true,
  level: 'Safe',
  score: 0,
  riskTitles: [],
  absentRiskTitles: TITLES,
  activityPulse: 'Dead / No Activity',
  phishingVerdict: ['SAFE'],
}

/** A swindle that is no token. */
const swindle = (phishingVerdict: PhishingVerdict, overall: Pick<Expectation, 'level' | 'score'>): Expectation => ({
  ...UNTRADEABLE,
  ...overall,
  phishingVerdict: [phishingVerdict],
})

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
      const gifts = scene.traders.map((trader) => ({
        secondsAgo: 5 * DAY,
        transaction: transfer(scene.deployer, target, trader, parseUnits('2000', 18)),
      }))
      return { target, events: [...events, ...gifts, ...payments(scene, target, 10n ** 18n)] }
    },
  },
  {
    name: 'taxed',
    summary: 'Keeps 5 % of each buy and 8 % of each sell, and sells what it kept.',
    chainIds: EVERY_CHAIN,
    expect: { ...HARMLESS, buyTaxPercent: 5, sellTaxPercent: 8, laterSellTaxPercent: 8 },
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
      level: 'Critical Risk',
      score: 100,
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
      level: 'Critical Risk',
      score: 98,
      reasonIncludes: 'in 7 days, selling costs 90 %',
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
    expect: { ...finding(HIDDEN_PROXY), level: 'High Risk', score: 80, reasonIncludes: 'can replace' },
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
    summary: 'An ordinary token that has not moved for five weeks.',
    chainIds: ETHEREUM,
    expect: { ...HARMLESS, activityPulse: 'Dead / No Activity' },
    plan: (scene) => listed(scene, { contract: 'Dormant', deployedSecondsAgo: 55 * DAY, times: LONG_AGO }),
  },
  {
    name: 'no-pool',
    summary: 'An ordinary token with holders and no market. That makes it no honeypot.',
    chainIds: ETHEREUM,
    expect: {
      ...UNTRADEABLE,
      level: 'Medium Risk',
      errorReasonIncludes: 'liquidity',
      reasonIncludes: 'No pool was found',
      activityPulse: 'Low Activity',
    },
    plan(scene) {
      const { address: target, transaction } = deploy(scene.deployer, 0, 'NoPool')
      const gifts = LAST_WEEK.map((secondsAgo, i) => ({
        secondsAgo,
        transaction: transfer(scene.deployer, target, scene.traders[i] ?? target, parseUnits('1000', 18)),
      }))
      return { target, events: [{ secondsAgo: DEPLOYED_SECONDS_AGO, transaction }, ...gifts] }
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
      return { target, events: [{ secondsAgo: DEPLOYED_SECONDS_AGO, transaction }, ...entries] }
    },
  },
  {
    name: 'usdt',
    summary: 'A dollar in the shape of USDT: its issuer can freeze and mint, as everyone knows.',
    chainIds: ETHEREUM,
    expect: WELL_KNOWN,
    plan: (scene) => wellKnownToken(scene, 'USDT'),
  },
  {
    name: 'usdc',
    summary: 'A dollar in the shape of USDC: a proxy, whose issuer can freeze and mint, as everyone knows.',
    chainIds: ETHEREUM,
    expect: WELL_KNOWN,
    plan: (scene) => wellKnownToken(scene, 'USDC'),
  },
  {
    name: 'dai',
    summary: 'A dollar in the shape of DAI.',
    chainIds: ETHEREUM,
    expect: WELL_KNOWN,
    plan: (scene) => wellKnownToken(scene, 'DAI'),
  },
  {
    name: 'weth',
    summary: 'The wrapped native coin: bought and sold one for one, at itself.',
    chainIds: ETHEREUM,
    expect: WELL_KNOWN,
    plan: wrappedNative,
  },
  {
    name: 'drainer',
    summary: 'Takes what was approved or signed, and passes on what is paid for the promised reward.',
    chainIds: EVERY_CHAIN,
    expect: swindle('CRITICAL', { level: 'Critical Risk', score: 95 }),
    plan: (scene) => deployed(scene, 'Drainer'),
  },
  {
    name: 'fake-mint',
    summary: 'Promises a mint for a payment, and shares the payment between two accounts.',
    chainIds: ETHEREUM,
    expect: swindle('LOW_RISK', { level: 'Medium Risk', score: 40 }),
    plan: (scene) => deployed(scene, 'FakeMint'),
  },
  {
    name: 'owner-can-close',
    summary: 'Trades perfectly, until its owner stops all sells but its own with one call.',
    chainIds: ETHEREUM,
    expect: {
      ...HARMLESS,
      level: 'High Risk',
      score: 80,
      reasonIncludes: 'can stop all sells while purchases go on',
    },
    plan: (scene) => listed(scene, { contract: 'OwnerCanClose' }),
  },
  {
    name: 'forty-sales',
    summary: 'Has no owner, and trades perfectly in every window; after its fortieth sale none goes through.',
    chainIds: ETHEREUM,
    expect: {
      ...HARMLESS,
      isHoneypot: true,
      level: 'Critical Risk',
      score: 95,
      reasonIncludes: 'Sells stop working, or cost most of the money, once others have traded.',
    },
    plan: (scene) => listed(scene, { contract: 'FortySales' }),
  },
]

/** A contract that was not used yet. */
function deployed({ deployer }: Scene, contract: string): { target: Address; events: TimelineEvent[] } {
  const { address: target, transaction } = deploy(deployer, 0, contract)
  return { target, events: [{ secondsAgo: DEPLOYED_SECONDS_AGO, transaction }] }
}

/** The proxy is the deployer's second contract; the first is the code behind it. */
function hiddenProxy(scene: Scene): { target: Address; events: TimelineEvent[] } {
  const { deployer } = scene
  const logic = deploy(deployer, 0, 'HiddenProxyLogic')
  const { abi } = readContract('HiddenProxyLogic')
  const args = ['Hidden Proxy Example', 'PROXY', deployer, parseUnits('1000000', 18)]
  const setup = encodeFunctionData({ abi, functionName: 'initialize', args })
  const proxy = deploy(deployer, 1, 'HiddenProxy', [logic.address, deployer, setup])
  const deployments = [logic, proxy].map(({ transaction }) => ({ secondsAgo: DEPLOYED_SECONDS_AGO, transaction }))
  return { target: proxy.address, events: [...deployments, ...traded(scene, proxy.address, { times: LAST_WEEK })] }
}

function v2RouterOf({ chain: { v2 } }: Scene): Address {
  const [exchange] = v2
  if (!exchange) throw new RangeError('The chain has no V2 exchange')
  return exchange.router
}
