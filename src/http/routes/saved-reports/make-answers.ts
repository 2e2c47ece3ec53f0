import type { FastifyReply, FastifyRequest } from 'fastify'
import { toFailure } from '../../../api-error.js'
import { readQuestion } from '../../../reports/analysis-question.js'
import type { AnswerServices } from '../../../reports/answer-question.js'
import type { SavedAnswers } from '../../../saved-reports/saved-report.js'
import { createAnalysisRunner } from '../../analysis-runner.js'
import type { HttpBounds } from '../../bounds.js'
import { toApiError } from '../../send-failure.js'
import type { Services } from '../../services.js'

/**
 * Makes all answers on a target, as they are kept, each of which may be a failure. Throws where all
 * are.
 */
export type MakeAnswers = (request: FastifyRequest, reply: FastifyReply, body: unknown) => Promise<SavedAnswers>

type AnswerMakerServices = AnswerServices & Pick<Services, 'config' | 'slots'>

export function createAnswerMaker(services: AnswerMakerServices, bounds: HttpBounds): MakeAnswers {
  const run = createAnalysisRunner(services, bounds)
  return async (request, reply, body) => {
    const question = readQuestion(body, services.config)
    const outcome = await run(request, reply, question, (turn) => question.work(services, turn))
    const failures: unknown[] = []
    const answers = question.answers.map(({ name, failure, write }): [string, object] => {
      try {
        return [name, write(services, outcome)]
      } catch (error) {
        failures.push(error)
        return [name, toFailure(toApiError(error, failure).code)]
      }
    })
    if (failures.length === answers.length) throw failures[0]
    return Object.fromEntries(answers)
  }
}

/** What a chain is called above a report. */
export const nameChains =
  ({ chains }: Pick<Services['config'], 'chains'>) =>
  (id: string): string =>
    chains.find((chain) => String(chain.id) === id)?.name ?? 'Solana'
