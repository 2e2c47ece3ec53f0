import type { Reports, SolanaReport } from '../api/reports.js'
import { toWords } from '../format.js'

/** Fields that have a picture of their own, or that say the same as one that has. */
const PICTURED = {
  simulation: ['success', 'checks', 'overall', 'token', 'family', 'block', 'engineVersion', 'inputs', 'signature'],
  checks: ['simulateResult', 'byteCodeResult', 'transactionHistoryResult'],
  simulateResult: [
    ...[
      'success',
      'ethDelta',
      'tokenDelta',
      'isProfit',
      'allowanceChanged',
      'allowanceDelta',
      'errorReason',
      'humanReason',
    ],
    ...['returnData', 'simulatedAt', 'estimatedTax', 'buyTax', 'sellTax', 'transferTax', 'gasUsed', 'watchedTokens'],
    ...['watchedTokensDeltas', 'isReentrancy', 'isHoneypot', 'inconclusive', 'venue', 'steps', 'simulation'],
    ...['conditions', 'coverage', 'engine'],
  ],
  byteCodeResult: [
    ...[
      'isContract',
      'trustStatus',
      'humanWarning',
      'riskFlags',
      'confidence',
      'codeHash',
      'normalisedHash',
      'selectors',
    ],
    ...['proxy', 'complete', 'gaps', 'conditions', 'coverage'],
  ],
  honeypot: [
    'success',
    'honeypotResponse',
    'overall',
    'token',
    'family',
    'block',
    'engineVersion',
    'inputs',
    'signature',
  ],
  honeypotResponse: [
    ...[
      'riskScore',
      'buyTax',
      'sellTax',
      'isTimeHoneypot',
      'timeTravelResults',
      'isHoneypot',
      'transferTax',
      'findings',
    ],
    ...['causes', 'nextChange', 'pair', 'venue', 'inconclusive', 'errorReason', 'trustStatus', 'humanWarning'],
    ...['powers', 'powersTried', 'holderAnalysis', 'liquidity', 'conditions', 'coverage'],
    ...['market', 'origin', 'saleSizes', 'maxBuy', 'maxSell', 'venueTestedOn', 'engine'],
  ],
} as const

export interface UnknownField {
  title: string
  value: unknown
}

/**
 * What the answers hold besides: newer fields of the service show up here, in words made of their
 * names. Empty ones do not.
 */
export function unknownFields(reports: Reports): UnknownField[] {
  const { simulation, honeypot, others } = reports
  // One answer of Solana has it all; the others are made of it.
  if (others.solana) return fieldsOfSolana(others.solana as SolanaReport)
  const places: [unknown, readonly string[], string][] = [
    [simulation, PICTURED.simulation, 'simulation'],
    [simulation?.checks, PICTURED.checks, 'simulation'],
    [simulation?.checks.simulateResult, PICTURED.simulateResult, 'trade'],
    [simulation?.checks.byteCodeResult, PICTURED.byteCodeResult, 'code'],
    [honeypot, PICTURED.honeypot, 'windows'],
    [honeypot?.honeypotResponse, PICTURED.honeypotResponse, 'windows'],
    [others, [], 'other answers'],
  ]
  const fields = places.flatMap(([place, known, where]) =>
    Object.entries((place ?? {}) as object)
      .filter(([name, value]) => !known.includes(name) && !isEmpty(value))
      .map(([name, value]) => ({ name, value, where })),
  )
  const simple = fields.filter(({ value }) => typeof value !== 'object')
  const deep = fields.filter(({ value }) => typeof value === 'object')
  const isTwice = (name: string) => deep.filter((each) => each.name === name).length > 1
  return [
    ...deep.map(({ name, value, where }) => ({
      title: isTwice(name) ? `${toWords(name)} (${where})` : toWords(name),
      value,
    })),
    ...(simple.length > 0
      ? [{ title: 'Also measured', value: Object.fromEntries(simple.map(({ name, value }) => [name, value])) }]
      : []),
  ]
}

/** What is shown above, or by `solana-parts.tsx`. */
const PICTURED_OF_SOLANA = [
  ...['name', 'symbol', 'supply', 'market', 'origin', 'pools', 'holders', 'authorities', 'tokenProgram', 'decimals'],
  ...['uri', 'metadataSource', 'metadataMutable', 'trustedAs', 'extensions', 'unknownExtensions', 'malformed', 'fee'],
  ...['hook', 'tradedWith', 'triedByNode'],
]

function fieldsOfSolana({ tokenInfo, slot }: SolanaReport): UnknownField[] {
  if (!tokenInfo) return []
  const rest = Object.entries(tokenInfo).filter(([name]) => !PICTURED_OF_SOLANA.includes(name))
  return [
    ...(rest.length > 0 ? [{ title: 'Also said of it', value: Object.fromEntries(rest) }] : []),
    // Otherwise it is the slot that the report names at its top.
    ...(slot.first === slot.last ? [] : [{ title: 'Read between slots', value: slot }]),
  ]
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
