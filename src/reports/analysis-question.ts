import { ApiError, type ApiErrorCode } from '../api-error.js'
import type { SolanaTarget } from '../checks/solana/check-token.js'
import type { AnalysisTarget, ProgressStep } from '../checks/target.js'
import {
  ANALYSES,
  type AnalysisName,
  type AnalysisServices,
  analysisOf,
  EVM_ANALYSES,
  type ReportServices,
} from './analyses.js'
import type { AnswerCache } from './answer-cache.js'
import { type Assessment, isLasting, type PartName } from './assess.js'
import type { SolanaAssessment } from './assess-solana.js'
import { nameQuestion } from './inputs.js'
import { parseAnalysisRequest, type RequestConfig } from './parse-analysis-request.js'
import { isSolanaRequest, parseSolanaRequest, refuseSolanaRequest } from './parse-solana-request.js'
import { isPlain } from './plain-question.js'

/** What a request comes down to: one piece of work, and the answers that are made of it. */
export interface Question<Outcome = unknown> {
  /** Questions of one name that are asked at the same time are one piece of work. */
  readonly name: string
  /** The chain: questions about others do not wait where its nodes are slow. */
  readonly lane: string
  /** Whether it takes little, because the target is known. */
  isShort(services: Pick<AnalysisServices, 'isKnown'>): boolean
  readonly answers: readonly [Answer<Outcome>, ...Answer<Outcome>[]]
  work(services: AnalysisServices, run: Run): Promise<Outcome>
}

/** What an endpoint of its own would give. */
export interface Answer<Outcome = unknown> {
  readonly name: AnalysisName
  readonly failure: ApiErrorCode
  /** Its bytes, when it is known. */
  recall(answers: AnswerCache): Buffer | undefined
  /** Throws what kept it from being made. */
  write(services: ReportServices, outcome: Outcome): object
  /** The same, remembered where the next one would be the same. */
  writeAndKeep(services: ReportServices & { answers: AnswerCache }, outcome: Outcome): object
}

export interface Run {
  /** Whose analysis it is. */
  caller: string
  signal: AbortSignal
  onProgress?(step: ProgressStep): void
}

/**
 * Reads what is asked about the target of a request. On Solana one answer has everything, so that
 * `solana` stands for all. Throws an `ApiError` for what cannot be answered.
 */
export function readQuestion(
  body: unknown,
  config: RequestConfig,
  wanted: readonly AnalysisName[] = EVM_ANALYSES,
): Question {
  const [name] = namesOfAnswers(body, wanted)
  if (name === 'solana' || (name === 'honeypot' && isSolanaRequest(body))) {
    return askSolana(name, parseSolanaRequest(body, config))
  }
  const names = EVM_ANALYSES.filter((each) => wanted.includes(each))
  const only = names.length === 1 ? names[0] : undefined
  return askEvm(names, parseTarget(body, config, only))
}

/** The names that the answers of such a request will have, whether or not it can be answered. */
export const namesOfAnswers = (
  body: unknown,
  wanted: readonly AnalysisName[] = EVM_ANALYSES,
): readonly AnalysisName[] => (isSolanaRequest(body) && wanted.length > 1 ? ['solana'] : wanted)

/**
 * Reads a target on a chain with an EVM; `only` is the analysis that is asked for alone. Throws an
 * `ApiError`.
 */
export function parseTarget(body: unknown, config: RequestConfig, only?: PartName): AnalysisTarget {
  refuseSolanaRequest(body, config)
  return { ...parseAnalysisRequest(body, config), ...(only && analysisOf(only).parseMore?.(body, config)) }
}

function askEvm(names: readonly PartName[], target: AnalysisTarget): Question<Assessment> {
  const [first, ...others] = names
  if (first === undefined) throw new ApiError('unsupported_chain')
  const only = target.only && others.length === 0 ? first : undefined
  const question = nameQuestion(target, only)
  const answer = (name: PartName): Answer<Assessment> => {
    const { url, failure, report } = ANALYSES[name]
    const key = `${url} ${question}`
    const write = (services: ReportServices, assessment: Assessment) => report(services, target, assessment)
    return {
      name,
      failure,
      recall: (answers) => answers.recall(key, target),
      write,
      writeAndKeep(services, assessment) {
        const written = write(services, assessment)
        return isLasting(assessment) ? services.answers.keep(key, target, written) : written
      },
    }
  }
  return {
    name: `${question} ${target.blockNumber ?? ''}`,
    lane: String(target.chain.id),
    isShort: ({ isKnown }) => isPlain({ ...target, amount: undefined }) && isKnown(target),
    answers: [answer(first), ...others.map(answer)],
    work: ({ assess }, run) => assess({ ...target, ...run }, only),
  }
}

function askSolana(name: 'solana' | 'honeypot', target: SolanaTarget): Question<SolanaAssessment> {
  const { failure, reportSolana } = ANALYSES[name]
  const write: Answer<SolanaAssessment>['write'] = (services, report) => reportSolana(services, target, report)
  return {
    name: `solana ${target.address}`,
    lane: 'SOL',
    isShort: () => false,
    answers: [{ name, failure, recall: () => undefined, write, writeAndKeep: write }],
    work: ({ checkSolanaToken }, { signal, caller }) => checkSolanaToken({ ...target, signal, caller }),
  }
}
