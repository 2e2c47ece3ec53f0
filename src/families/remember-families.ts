import { SOLANA_ID } from '../chains/chain-id.js'
import type { Clock } from '../clock.js'
import type { Review } from '../reports/assess.js'
import type { SolanaReview } from '../reports/assess-solana.js'
import type { Family } from '../reports/family.js'
import { judgeSolana } from '../reports/judge-solana.js'
import { isPlain } from '../reports/plain-question.js'
import { createBackgroundWrites } from '../scheduling/background-writes.js'
import { createLru } from '../scheduling/lru.js'
import { withDeadline } from '../scheduling/with-deadline.js'
import type { FamilyMember } from './family-member.js'
import type { FamilyQuestion, FamilyStore } from './family-store.js'
import { familyCodeOf, toMember } from './to-member.js'
import { solanaFamilyCodeOf, toSolanaMember } from './to-solana-member.js'

export interface FamilyMemoryOptions {
  store: Pick<FamilyStore, 'read' | 'record' | 'forgetOld'>
  clock: Clock
  onFailure(error: unknown): void
}

/** A memory that answers later than this is left out: no report waits for it. */
const READ_MS = 500
/**
 * As long as what was read of a family is told of the same token again: a wallet asks of one token
 * with one amount after the other, and copies are judged by the minute.
 */
const FRESH_MS = 2_000
const MAX_FRESH = 1_000
/** How often what is old is forgotten, while tokens are judged. */
const FORGET_MS = 60_000

/**
 * What is known of other tokens of a family, told beside each verdict. Takes nothing from the
 * verdict, adds nothing to it, and fails no analysis.
 */
export interface FamilyMemory {
  now(): number
  /** Remembers `member`, where there is one; `undefined` where nothing is told in time. */
  tell(question: FamilyQuestion, member: FamilyMember | undefined): Promise<Family | undefined>
  /** Waits for what is being written. */
  close(): Promise<void>
}

export function createFamilyMemory({ store, clock, onFailure }: FamilyMemoryOptions): FamilyMemory {
  const writes = createBackgroundWrites(onFailure)
  const fresh = createLru<string, { family: Family; readAt: number }>({ maxWeight: MAX_FRESH, weigh: () => 1 })
  const read = async (question: FamilyQuestion): Promise<Family> => {
    const { chainId, address, code, behaviour } = question
    const name = [chainId, address, code, behaviour].join(' ')
    const known = fresh.get(name)
    if (known !== undefined && clock.monotonic() - known.readAt < FRESH_MS) return known.family
    const family = await store.read(question)
    fresh.set(name, { family, readAt: clock.monotonic() })
    return family
  }
  let forgotAt = Number.NEGATIVE_INFINITY
  const forgetNowAndThen = () => {
    if (clock.monotonic() - forgotAt < FORGET_MS) return
    forgotAt = clock.monotonic()
    writes.add(() => store.forgetOld(clock.now()))
  }
  return {
    now: () => clock.now(),
    async tell(question, member) {
      const family = await withDeadline({ ms: READ_MS }, () => read(question)).catch((error: unknown) => {
        onFailure(error)
        return undefined
      })
      if (member !== undefined) {
        writes.add(() => store.record(member))
        forgetNowAndThen()
      }
      return family
    },
    close: () => writes.close(),
  }
}

/** Tells of its family in each assessment, and remembers the token itself. */
export const rememberFamilies =
  (memory: FamilyMemory): Review =>
  async (assessment, target, only) => {
    const code = familyCodeOf(assessment)
    if (code === undefined) return assessment
    const member = toMember(target, assessment, memory.now())
    const question = { chainId: target.chain.id, address: target.address, code, behaviour: member?.behaviour }
    const family = await memory.tell(question, isPlain(target, only) ? member : undefined)
    return family === undefined ? assessment : { ...assessment, family }
  }

/** The same of Solana, where every question is the plain one. */
export const rememberSolanaFamilies =
  (memory: FamilyMemory): SolanaReview =>
  async (report, target) => {
    if (report.kind !== 'token') return report
    const member = toSolanaMember(report, judgeSolana(report), memory.now())
    const code = solanaFamilyCodeOf(report)
    const question = { chainId: SOLANA_ID, address: target.address, code, behaviour: member?.behaviour }
    const family = await memory.tell(question, member)
    return family === undefined ? report : { ...report, family }
  }
