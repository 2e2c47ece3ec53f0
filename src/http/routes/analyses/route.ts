import type { RouteOptions } from 'fastify'
import { ANALYSES, type AnalysisName, analysisOf } from '../../../reports/analyses.js'
import { type Question, readQuestion } from '../../../reports/analysis-question.js'
import { type AnalysisRunner, createAnalysisRunner } from '../../analysis-runner.js'
import type { HttpBounds } from '../../bounds.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import type { Services } from '../../services.js'

type AnalysisRouteServices = Pick<
  Services,
  'answers' | 'assess' | 'blame' | 'checkSolanaToken' | 'clock' | 'config' | 'isKnown' | 'seals' | 'slots'
>

/**
 * An endpoint for each analysis. Questions about one target share their work, whichever endpoint
 * they came to.
 */
export function analysisRoutes(services: AnalysisRouteServices, bounds: HttpBounds): RouteOptions[] {
  const run = createAnalysisRunner(services, bounds)
  return (Object.keys(ANALYSES) as AnalysisName[]).map((name) => analysisRoute(name, services, run))
}

/**
 * Reads the question, waits for a slot, and stops the work when the client leaves or time is up.
 */
function analysisRoute(name: AnalysisName, services: AnalysisRouteServices, run: AnalysisRunner): RouteOptions {
  const { url, operationId, summary, failure, failures, limitClass, Body, Report } = analysisOf(name)
  const read = rememberByObject((body) => readQuestion(body, services.config, [name]))
  return {
    method: 'POST',
    url,
    schema: {
      operationId,
      summary,
      body: Body,
      response: { 200: Report, ...failureSchemas([...COMMON_FAILURES, ...failures, failure]) },
    },
    config: { access: 'key', limitClass, failure },
    handler: async (request, reply) => {
      const question = read(request.body)
      const [answer] = question.answers
      reply.type('application/json; charset=utf-8')
      const known = answer.recall(services.answers)
      if (known) return reply.send(known)
      const outcome = await run(request, reply, question, (turn) => question.work(services, turn))
      return answer.writeAndKeep(services, outcome)
    },
  }
}

/**
 * What `make` gave for the same object before. Bodies that come again are one object, which cannot
 * change.
 */
function rememberByObject(make: (body: unknown) => Question): (body: unknown) => Question {
  const made = new WeakMap<object, Question>()
  return (body) => {
    if (typeof body !== 'object' || body === null) return make(body)
    const known = made.get(body)
    if (known !== undefined) return known
    const fresh = make(body)
    made.set(body, fresh)
    return fresh
  }
}
