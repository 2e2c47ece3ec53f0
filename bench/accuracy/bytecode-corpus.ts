import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type ContractFacts, readFacts } from '../../src/bytecode/facts.js'
import type { RiskFlag } from '../../src/checks/bytecode/bytecode-report.js'
import { createDeadline, createDetectionDeadline } from '../../src/checks/bytecode/deadline.js'
import { detectors } from '../../src/checks/bytecode/detectors/index.js'
import { findFlags } from '../../src/checks/bytecode/find-flags.js'
import { createUnknownSubject } from '../../src/checks/bytecode/unknown-storage.conformance.js'
import type { Address } from '../../src/hex.js'
import { SHARED_DATA } from '../../test/conformance/shared-data.js'

const DATA = resolve(SHARED_DATA, 'bytecode')

interface Line {
  address: Address
  name: string | null
  labels: string[]
  patterns?: string[]
  code: string
}

export interface Judged extends Line {
  flags: RiskFlag[]
  facts: ContractFacts
  ms: number
  /** Neither facts nor detectors lacked time or budget. */
  complete: boolean
}

export const corpusIsPresent = (): boolean => existsSync(DATA)

function readLines(file: string): Line[] {
  const lines = gunzipSync(readFileSync(resolve(DATA, `${file}.jsonl.gz`)))
  return lines
    .toString()
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Line)
}

const toBytes = ({ code }: Line) => new Uint8Array(Buffer.from(code.slice(2), 'hex'))

/** Every code of a file of the corpus. */
export const readCodes = (file: string): Uint8Array[] => readLines(file).map(toBytes)

/**
 * Judges each code of a file of the corpus. Storage is unknown, so that every stored holder counts
 * as living.
 */
export function* judgeCorpus(file: string): Generator<Judged> {
  for (const line of readLines(file)) {
    const code = toBytes(line)
    const start = process.cpuUsage()
    const facts = readFacts(code, { isOverdue: createDeadline() })
    const { flags, failed } = findFlags(detectors, [createUnknownSubject(code, facts)], createDetectionDeadline(1))
    // Processor time of all threads, the collector's and the compiler's too: what else runs on the
    // machine does not count.
    const { user, system } = process.cpuUsage(start)
    const ms = (user + system) / 1_000
    yield { ...line, flags, facts, ms, complete: facts.gaps.length === 0 && failed.length === 0 }
  }
}

export interface Speed {
  count: number
  p50: number
  p95: number
  p99: number
  max: number
  incomplete: number
}

/** Time per code and share of codes that were not seen completely. */
export function measureSpeed(judged: Iterable<Judged>): Speed {
  const times: number[] = []
  let incomplete = 0
  for (const { ms, complete } of judged) {
    times.push(ms)
    if (!complete) incomplete += 1
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { count: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), incomplete }
}

/** Which detectors answer the patterns that RPHunter's analysts named. */
export const PATTERNS: Record<string, readonly string[]> = {
  'Hidden Balance Modification': [
    'balance-seizure',
    'hidden-mint',
    'allowance-bypass',
    'allowance-forge',
    'altered-transfer',
  ],
  'Hidden Mint/Burn': ['hidden-mint', 'balance-seizure'],
  'Address Restrict': ['blacklist', 'whitelist', 'trading-switch', 'altered-transfer', 'privileged-transfer'],
  'Amount Restrict': ['transfer-limit', 'altered-transfer', 'privileged-transfer'],
  'Modifiable Tax Rate': ['modifiable-fee'],
  'Modifiable Tax Address': ['modifiable-fee', 'external-transfer-call'],
  'Modifiable External Call#2': ['external-transfer-call', 'hidden-proxy'],
  'TimeStamp Restrict': ['environment-transfer', 'transfer-cooldown'],
}

/** Which detectors answer the labels of CRPWarner's reviewers. */
export const REVIEWED: Record<string, readonly string[]> = {
  mint: ['hidden-mint'],
  limit: ['blacklist', 'whitelist', 'trading-switch', 'transfer-limit', 'altered-transfer', 'privileged-transfer'],
}

export interface Agreement {
  label: string
  yes: number
  found: number
  no: number
  wrong: number
}

export function measurePatterns(judged: readonly Judged[]): Agreement[] {
  return Object.entries(PATTERNS).map(([label, ids]) => {
    const raised = ({ flags }: Judged) => flags.some(({ id }) => ids.includes(id))
    const marked = judged.filter(({ patterns }) => patterns?.includes(label))
    const normal = judged.filter(({ labels }) => labels.includes('normal'))
    return {
      label,
      yes: marked.length,
      found: marked.filter(raised).length,
      no: normal.length,
      wrong: normal.filter(raised).length,
    }
  })
}

/** Some of what was reviewed is no token: it has no transfers that could be limited. */
const isToken = ({ facts }: Judged) => facts.roles.balances.size > 0

export function measureReviewed(judged: readonly Judged[]): Agreement[] {
  return Object.entries(REVIEWED).flatMap(([label, ids]) => {
    const raised = ({ flags }: Judged) => flags.some(({ id, threatLevel }) => ids.includes(id) && threatLevel !== 'LOW')
    const measure = (name: string, of: readonly Judged[]): Agreement => {
      const yes = of.filter(({ labels }) => labels.includes(`${label}:Yes`))
      const no = of.filter(({ labels }) => labels.includes(`${label}:No`))
      const [found, wrong] = [yes.filter(raised).length, no.filter(raised).length]
      return { label: name, yes: yes.length, found, no: no.length, wrong }
    }
    return [measure(label, judged), measure(`${label}, of tokens alone`, judged.filter(isToken))]
  })
}
