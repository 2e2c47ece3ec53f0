import { findCandidateSelectors } from '../../bytecode/candidate-selectors.js'
import { type ContractFacts, readFacts } from '../../bytecode/facts.js'
import { hashShape, joinShapes } from '../../bytecode/shape-hash.js'
import type { Chain } from '../../chains/chain.js'
import { type Address, EMPTY_CODE_HASH, type Hex, toPaddedHex } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import { createCountedLru } from '../../scheduling/lru.js'
import { describeAdmin, readAdminKind } from './admin-kind.js'
import type { BytecodeReport, DelegateReport, RiskFlag } from './bytecode-report.js'
import type { CodeConditions } from './code-conditions.js'
import { isTradable, readConditions } from './conditions/read-conditions.js'
import { createDeadline, DetectionOverdueError } from './deadline.js'
import { hiddenProxy } from './detectors/hidden-proxy.js'
import { detectors } from './detectors/index.js'
import { findFlags, type ToldPlaces } from './find-flags.js'
import { type CodeState, type ReadSubjectOptions, readSubject } from './read-subject.js'
import type { Subject } from './subject.js'

export interface CheckBytecodeOptions {
  state: CodeState
  address: Address
  chain: Chain
  /** Default: remembering the last codes. */
  analyse?: (code: Uint8Array) => ContractFacts
  /** Says whether the detectors' time is over. Default: after a part of a second. */
  isOverdue?: () => boolean
}

/**
 * Reads what an address can do from its bytecode and the storage its powers depend on. Throws
 * only what `state.load` throws.
 */
export function checkBytecode({
  state,
  address,
  chain,
  analyse = analyseCode,
  isOverdue,
}: CheckBytecodeOptions): BytecodeReport {
  const tree = readSubject(address, { state, chain, analyse })
  const [root] = tree?.subjects ?? []
  if (tree === undefined || root === undefined) return withoutCode()
  const { flags, failed, told } = findFlags(detectors, tree.subjects, isOverdue)
  const conditions = readConditionsInTime(tree.subjects, told)
  nameAdmins(flags, { state, chain, analyse })
  const gaps = [
    ...new Set([
      ...tree.subjects.flatMap(({ facts }) => facts.gaps),
      ...unreadTargets(tree.subjects),
      ...tree.unread,
      ...failed,
      ...(conditions === 'overdue' ? ['conditions'] : []),
    ]),
  ]
  const complete = gaps.length === 0
  const { facts, delegations } = root
  const isDesignator = delegations.some(({ kind }) => kind === 'designator')
  return {
    isContract: !isDesignator,
    riskFlags: flags,
    codeHash: state.account(address)?.codeHash ?? EMPTY_CODE_HASH,
    normalisedHash: isDesignator ? undefined : facts.normalisedHash,
    familyCode: isDesignator || tree.unread.length > 0 ? undefined : familyCodeOf(tree.subjects),
    selectors: [
      ...new Set(tree.subjects.flatMap(({ facts }) => facts.functions.flatMap(({ selector }) => selector ?? []))),
    ].sort(),
    proxy: tree.subjects.flatMap((subject) =>
      subject.delegations.map((delegation) => toDelegateReport(tree.subjects, flags, delegation)),
    ),
    complete,
    gaps,
    conditions: conditions === 'overdue' ? undefined : conditions,
  }
}

/** `undefined` where no code of it is a token's. */
function readConditionsInTime(subjects: readonly Subject[], told: ToldPlaces): CodeConditions | 'overdue' | undefined {
  if (subjects.every(({ facts }) => !isTradable(facts))) return undefined
  try {
    return readConditions(subjects, told)
  } catch (error) {
    if (error instanceof DetectionOverdueError) return 'overdue'
    throw error
  }
}

const ADDRESS = /^0x[0-9a-f]{40}$/

/**
 * Says in the evidence who stands behind the address that can exchange the code; several are left
 * as they are.
 */
function nameAdmins(flags: readonly RiskFlag[], options: ReadSubjectOptions): void {
  for (const evidence of flags.find(({ id }) => id === hiddenProxy.id)?.evidence ?? []) {
    const { holder, slot, note } = evidence
    if (slot === undefined || holder === undefined || !ADDRESS.test(holder)) continue
    evidence.note = `${note}, ${describeAdmin(readAdminKind(holder as Address, options))}`
  }
}

/**
 * Nothing to analyse is not the same as nothing to fear: code may come later, by CREATE2 or by a
 * delegation.
 */
function withoutCode(): BytecodeReport {
  return {
    isContract: false,
    riskFlags: [],
    codeHash: EMPTY_CODE_HASH,
    normalisedHash: undefined,
    familyCode: undefined,
    selectors: [],
    proxy: [],
    complete: true,
    gaps: [],
    conditions: undefined,
  }
}

/** Delegations whose code is not known: it can do anything. A target without code does nothing. */
function unreadTargets(subjects: readonly Subject[]): string[] {
  const unread = subjects.flatMap(({ delegations }) =>
    delegations
      .filter(({ kind, target }) => target === undefined && kind !== 'calldata')
      .map(({ kind }) => `delegate (${kind})`),
  )
  return unread
}

function familyCodeOf(subjects: readonly Subject[]): Hex | undefined {
  if (unreadTargets(subjects).length > 0) return undefined
  const [own, ...others] = subjects.map(({ facts }) => hashShape(facts.program))
  return own && joinShapes(own, others)
}

function toDelegateReport(
  subjects: readonly Subject[],
  flags: readonly RiskFlag[],
  { kind, target, slot, pc }: Subject['delegations'][number],
): DelegateReport {
  // The detector has found out who can exchange the code.
  const evidence = flags.find(({ id }) => id === hiddenProxy.id)?.evidence
  return {
    address: target,
    kind,
    slot: slot === undefined ? undefined : toPaddedHex(slot, 32),
    admin: evidence?.find((seen) => seen.pc === pc)?.holder,
    codeHash: subjects.find(({ address }) => address === target)?.facts.codeHash,
  }
}

/**
 * Facts of the codes seen last in this thread: the rounds of one job need them again, and clones
 * share them. A code of 24 KB holds some megabytes of terms.
 */
const MAX_CACHED = 24
const cache = createCountedLru<string, ContractFacts>(MAX_CACHED)

function analyseCode(code: Uint8Array): ContractFacts {
  return cache.getOrMake(keccak256(code), () =>
    readFacts(code, { candidates: findCandidateSelectors(code), isOverdue: createDeadline() }),
  )
}
