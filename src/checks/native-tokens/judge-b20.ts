import { type Address, type Hex, toPaddedHex } from '../../hex.js'
import type { BytecodeReport, RiskFlag, Severity } from '../bytecode/bytecode-report.js'
import type { Finding } from '../bytecode/detector.js'
import { rank, SEVERITY_SCORES } from '../bytecode/severity.js'
import { NO_CAP, policyKindOf, type RoleName } from './b20.js'
import type { B20Facts, BoundPolicy } from './read-b20.js'

/**
 * What is said about a kind of power over a B20 token. Each has a place in `docs/native-tokens.md`.
 */
const POWERS = {
  'native-pause': {
    title: 'Transfers Can Be Paused',
    description: 'A privileged account can pause all transfers of this native token, sells included.',
    find: findPause,
  },
  'native-policy': {
    title: 'Lists Decide Who May Transfer',
    description:
      'This native token asks a list who may send or receive it, or a privileged account can make it ask one.',
    find: findPolicies,
  },
  'native-seizure': {
    title: 'Balances Can Be Taken',
    description: 'A privileged account can burn or move what barred holders have of this native token.',
    find: findSeizure,
  },
  'native-mint': {
    title: 'Supply Can Grow',
    description: 'A privileged account can make more of this native token.',
    find: findMint,
  },
} as const satisfies Record<string, { title: string; description: string; find(facts: B20Facts): Finding[] }>

/**
 * The findings of a B20 token, in the shape of all other code. `undefined` facts: the token
 * answered no question.
 */
export function judgeB20(
  address: Address,
  facts: B20Facts | undefined,
): Pick<BytecodeReport, 'riskFlags' | 'complete' | 'gaps'> {
  const riskFlags = facts === undefined ? [] : findB20Flags(address, facts)
  const gaps = facts === undefined ? ['native token that answers no question'] : [...facts.gaps]
  return { riskFlags, complete: gaps.length === 0, gaps }
}

/** The worst first. */
export function findB20Flags(address: Address, facts: B20Facts): RiskFlag[] {
  const flags = Object.entries(POWERS).flatMap(([id, { title, description, find }]): RiskFlag[] => {
    const findings = find(facts).toSorted((a, b) => rank(b.severity) - rank(a.severity))
    const [worst] = findings
    if (worst === undefined) return []
    const { severity } = worst
    const evidence = findings.map(({ severity: _, confidence: __, ...seen }) => ({ address, ...seen }))
    const { threatLevel } = SEVERITY_SCORES[severity]
    return [{ id, title, description, confidence: 'high', severity, threatLevel, evidence }]
  })
  return flags.toSorted((a, b) => rank(b.severity) - rank(a.severity))
}

/** Who has a role, or can give it to themselves. */
function holdersOf({ members, knowsAllMembers }: B20Facts, role: RoleName): { holder: string; isHeld: boolean } {
  const accounts = [...new Set([...members[role], ...members.admin])]
  if (accounts.length > 0) return { holder: accounts.slice(0, MAX_NAMED).join(', '), isHeld: true }
  return knowsAllMembers
    ? { holder: 'no address', isHeld: false }
    : { holder: 'not all members are known', isHeld: true }
}

/** Holders that a finding names. */
const MAX_NAMED = 3

/**
 * A power that is held is what its holder makes of it; one that cannot be used any more is a fact
 * about the past.
 */
const held = (isHeld: boolean): Severity => (isHeld ? 'medium' : 'low')

function findPause(facts: B20Facts): Finding[] {
  const { holder, isHeld } = holdersOf(facts, 'pause')
  const severity = facts.isPaused ? 'high' : held(isHeld)
  const note = facts.isPaused ? 'transfers are paused now' : 'transfers are not paused now'
  return [{ selector: SELECTORS.pause, holder, severity, note }]
}

function findPolicies(facts: B20Facts): Finding[] {
  const bound = facts.policies.filter(({ scope }) => scope !== 'seize').map(findPolicy)
  const { holder, isHeld } = holdersOf(facts, 'admin')
  const binding = 'can make the token ask another list'
  return [...bound, { selector: SELECTORS.updatePolicy, holder, severity: held(isHeld), note: binding }]
}

function findPolicy({ scope, id, admin, admitsStrangers }: BoundPolicy): Finding {
  const kind = policyKindOf(id) ?? 'unknown kind'
  const severity = admitsStrangers ? held(admin !== undefined) : 'high'
  const effect = admitsStrangers ? 'lets ordinary accounts pass now' : 'bars ordinary accounts now'
  return {
    selector: SELECTORS.isAuthorized,
    value: toPaddedHex(id, 32),
    holder: admin ?? 'no address',
    severity,
    note: `policy for the ${scope} (${kind}), which ${effect}`,
  }
}

function findSeizure(facts: B20Facts): Finding[] {
  const burning = holdersOf(facts, 'burnBlocked')
  const seizing = holdersOf(facts, 'seize')
  // An account that no list bars cannot be robbed: without a list, a holder must be able to bind
  // one.
  const isBarrable = facts.policies.some(({ scope }) => scope === 'sender') || holdersOf(facts, 'admin').isHeld
  const isSeizable = facts.policies.some(({ scope }) => scope === 'seize') || holdersOf(facts, 'admin').isHeld
  return [
    {
      ...{ selector: SELECTORS.burnBlocked, holder: burning.holder },
      severity: held(burning.isHeld && isBarrable),
      note: 'burns what accounts have that the list of senders bars',
    },
    {
      ...{ selector: SELECTORS.seizeWithMemo, holder: seizing.holder },
      severity: held(seizing.isHeld && isSeizable),
      note: 'moves what accounts have that are not exempt from seizure',
    },
  ]
}

function findMint(facts: B20Facts): Finding[] {
  const { holder, isHeld } = holdersOf(facts, 'mint')
  const { totalSupply, supplyCap } = facts
  const isFull = totalSupply >= supplyCap && !holdersOf(facts, 'admin').isHeld
  const bound = supplyCap >= NO_CAP ? 'without a cap' : `up to a cap of ${supplyCap}, with ${totalSupply} in being`
  return [{ selector: SELECTORS.mint, holder, severity: held(isHeld && !isFull), note: `mints ${bound}` }]
}

/** `IB20.sol`, `IPolicyRegistry.sol` */
const SELECTORS = {
  pause: '0xa290249c',
  updatePolicy: '0xadf9c4ea',
  burnBlocked: '0xec0cf3dc',
  seizeWithMemo: '0xf916d81b',
  mint: '0x40c10f19',
  isAuthorized: '0x55a1179e',
} as const satisfies Record<string, Hex>
