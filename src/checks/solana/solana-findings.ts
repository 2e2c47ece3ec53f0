import type { ThreatLevel } from '../bytecode/bytecode-report.js'
import { LEAST_SCORES } from '../levels.js'

/**
 * What a finding is called, means and weighs on the scale of `levels.ts`. Weights are set by hand
 * and not calibrated (docs/solana.md).
 */
export interface FindingText {
  title: string
  description: string
  weight: number
}

/**
 * Specification titles are used where they fit: who can freeze or pause has a kill switch, who can
 * replace the hook hides logic.
 */
const KILL_SWITCH = 'Kill Switch Detected'
const HIDDEN_LOGIC = 'Hidden Logic (Proxy)'

export const FINDINGS = {
  'not-transferable': {
    title: 'Token Cannot Be Transferred',
    description: 'The token stays with the account that receives it first, so that it can never be sold.',
    weight: 98,
  },
  'accounts-frozen': {
    title: 'Accounts Start Frozen',
    description: 'Every new account is frozen until the freeze authority thaws it, so that a buyer cannot sell.',
    weight: 98,
  },
  paused: {
    title: 'Token Is Paused',
    description: 'Transfers are switched off for all accounts.',
    weight: 98,
  },
  'sell-blocked': {
    title: 'Selling Fails',
    description: 'What is bought cannot be sold.',
    weight: 98,
  },
  'confiscatory-tax': {
    title: 'Confiscatory Tax',
    description: 'At least half of what is moved goes to another account.',
    weight: 97,
  },
  'time-delayed': {
    title: 'Turns Hostile Later',
    description: 'The token can be traded now, and no longer at a later time that was tried.',
    weight: 96,
  },
  'quote-frozen': {
    title: 'Pool Cannot Pay',
    description: 'The account that the pool pays sellers from is frozen, so that nothing can be sold there.',
    weight: 96,
  },
  'next-sale-fails': {
    title: 'Selling Fails After a While',
    description: 'The same wallet sold once, and its next sale was refused.',
    weight: 96,
  },
  'some-cannot-sell': {
    title: 'Some Cannot Sell',
    description: 'The address of a wallet decides on whether it can sell.',
    weight: 95,
  },
  'permanent-delegate': {
    title: 'Tokens Can Be Seized',
    description: 'A permanent delegate can move and destroy the tokens of every holder.',
    weight: 93,
  },
  'sell-limit': {
    title: 'Larger Sales Fail',
    description: 'Small amounts can be sold, and larger ones cannot.',
    weight: 86,
  },
  'frozen-holders': {
    title: 'Holders Are Frozen',
    description: 'Among the largest accounts there are some that were frozen: the power to do so has been used.',
    weight: 86,
  },
  'replaceable-hook': {
    title: HIDDEN_LOGIC,
    description: 'A program decides on every transfer, and an authority can put another one in its place.',
    weight: 83,
  },
  'steerable-hook': {
    title: HIDDEN_LOGIC,
    description: 'Data that a program can change decides on every sale, and other data made a sale fail.',
    weight: 83,
  },
  'unexplained-hook': {
    title: HIDDEN_LOGIC,
    description: 'A program decides on every transfer by what could not be read or tried.',
    weight: 83,
  },
  freeze: {
    title: KILL_SWITCH,
    description: 'An authority can freeze the account of any holder, who then cannot sell.',
    weight: 80,
  },
  pause: {
    title: KILL_SWITCH,
    description: 'An authority can switch off all transfers at any time.',
    weight: 80,
  },
  'high-tax': {
    title: 'High Tax',
    description: 'More than a tenth of what is moved goes to another account.',
    weight: 75,
  },
  copycat: {
    title: 'Copies a Known Name',
    description: 'The token calls itself like a widely known one, and is another.',
    weight: 75,
  },
  'buy-blocked': {
    title: 'Buying Fails',
    description: 'The token cannot be bought.',
    weight: 70,
  },
  'high-minimum': {
    title: 'Small Sales Fail',
    description: 'Amounts that people trade cannot be sold: only larger ones can.',
    weight: 72,
  },
  'pool-closed': {
    title: 'Pool Is Closed',
    description: 'The exchange refuses all trades in the pool.',
    weight: 70,
  },
  'mutable-fee': {
    title: 'Tax Can Be Raised',
    description: 'An authority can set the fee on transfers up to 100 %, which takes effect within days.',
    weight: 70,
  },
  'liquidity-gone': {
    title: 'Liquidity Is Gone',
    description: 'The pool is empty or nearly so: there is nothing to sell the token for.',
    weight: 70,
  },
  mint: {
    title: 'Supply Can Grow',
    description: 'An authority can make any number of new tokens and sell them.',
    weight: 61,
  },
  'large-sale-limit': {
    title: 'Large Sales Fail',
    description: 'What is more than a hundredth of the market cannot be sold at once.',
    weight: 50,
  },
  'unknown-extension': {
    title: 'Unknown Extension',
    description: 'The mint has a property that this service does not know, or that is not well-formed.',
    weight: 52,
  },
  hook: {
    title: 'Program Decides on Transfers',
    description: 'A program that cannot be replaced is asked about every transfer.',
    weight: 44,
  },
  'distorted-display': {
    title: 'Displayed Amounts Mislead',
    description:
      'Wallets soon show at least twice or at most half of what they show now, or half as much again each year.',
    weight: 52,
  },
  'thin-market': {
    title: 'Hardly Any Market',
    description: 'The pools hold so little of known worth that an ordinary sale would bring less than half its worth.',
    weight: 42,
  },
  'concentrated-supply': {
    title: 'Concentrated Supply',
    description: 'Ten wallets hold more than half of the supply, or twenty more than two thirds.',
    weight: 35,
  },
  'liquidity-not-locked': {
    title: 'Liquidity Can Be Withdrawn',
    description: 'Most of the shares of the pool are in the hands of those who can take the liquidity out.',
    weight: 35,
  },
  'not-everything-seen': {
    title: 'Analysis Incomplete',
    description: 'Something could not be read or tried, so that something may be hidden in it.',
    weight: 35,
  },
  'scaled-display': {
    title: 'Displayed Amounts Are Scaled',
    description: 'Wallets show another amount than is held, and an authority can change the factor.',
    weight: 30,
  },
  'close-authority': {
    title: 'Mint Can Be Closed',
    description:
      'An authority can close the mint once nothing is left of the supply, and open another one in its place.',
    weight: 25,
  },
  'no-pool': {
    title: 'No Market Found',
    description:
      'No pool of a known exchange was found, so that trading was tried with an invented or unknown counterparty.',
    weight: 25,
  },
  'minimum-sale': {
    title: 'Smallest Sales Fail',
    description: 'Very small amounts cannot be sold.',
    weight: 25,
  },
  tax: {
    title: 'Tax',
    description: 'A part of what is moved goes to another account.',
    weight: 20,
  },
  'interest-display': {
    title: 'Displayed Amounts Grow',
    description: 'Wallets show interest that does not exist as tokens.',
    weight: 15,
  },
  'permissioned-burn': {
    title: 'Burning Needs Permission',
    description: 'Holders cannot destroy tokens without an authority.',
    weight: 15,
  },
  'confidential-transfers': {
    title: 'Confidential Transfers',
    description: 'Amounts can be moved unseen.',
    weight: 10,
  },
  'mutable-metadata': {
    title: 'Name Can Be Changed',
    description: 'An authority can give the token another name, symbol or picture.',
    weight: 10,
  },
} as const satisfies Record<string, FindingText>

export type FindingId = keyof typeof FINDINGS

/** How bad a weight is, in the words of the specification. */
export function threatLevelOf(weight: number): ThreatLevel {
  if (weight >= LEAST_SCORES['High Risk']) return 'HIGH'
  return weight >= LEAST_SCORES['Medium Risk'] ? 'MEDIUM' : 'LOW'
}
