import type { AnalysisTarget } from '../checks/target.js'
import type { Config } from '../config.js'
import { BaseError } from '../errors.js'
import type { Hex } from '../hex.js'
import { ANALYSES, EVM_ANALYSES } from '../reports/analyses.js'
import { parseTarget } from '../reports/analysis-question.js'
import type { PartName } from '../reports/assess.js'
import { createServices, type ServicesOptions } from '../wiring/create-services.js'

/**
 * Makes a saved report again, at its block, with the people that it invented, until `isSame` says
 * that it is the same: the last one otherwise. Rejects with {@link NotReplayableError} when the
 * report does not say how.
 */
export async function makeAgain(
  config: Config,
  saved: Readonly<Record<string, unknown>>,
  isSame: (again: object) => boolean,
  { threads }: Pick<ServicesOptions, 'threads'> = {},
): Promise<object> {
  const { name, target } = readTarget(saved, config)
  const ownConfig = { ...config, compat: false, signingKey: undefined, logLevel: 'silent' } as const
  const { services, close } = await createServices(ownConfig, { threads })
  try {
    for (let run = 1; ; run += 1) {
      // An answer travels as JSON: what that loses is lost on both sides.
      const assessment = await services.assess(target, target.only ? name : undefined)
      const again: object = JSON.parse(JSON.stringify(ANALYSES[name].report(services, target, assessment)))
      if (run === MAX_RUNS || isSame(again)) return again
    }
  } finally {
    await close()
  }
}

/**
 * A process that has just begun is slow, and a check may run out of time in it that did not in the
 * service. Chance makes no report equal in all fields, so that one equal run is enough.
 */
const MAX_RUNS = 3

function readTarget(
  { inputs, block }: Readonly<Record<string, unknown>>,
  { chains }: Pick<Config, 'chains'>,
): {
  name: PartName
  target: AnalysisTarget
} {
  const { check, request, traderSeed } = toRecord(inputs)
  const { number } = toRecord(block)
  if (check === 'solana' || check === 'solana-honeypot') {
    throw new NotReplayableError('Solana nodes keep no old states: this report can be verified, and not made again')
  }
  const name = EVM_ANALYSES.find((each) => each === check)
  if (name === undefined || typeof traderSeed !== 'string' || !/^0x[0-9a-f]{64}$/.test(traderSeed)) {
    throw new NotReplayableError('The report does not say what it was made from')
  }
  const target = parseTarget({ ...toRecord(request), blockNumber: number }, { compat: false, chains }, name)
  if (target.blockNumber === undefined) throw new NotReplayableError('The report names no block')
  return { name, target: { ...target, traderSeed: traderSeed as Hex } }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** The report cannot be made again; the message says why. */
class NotReplayableError extends BaseError {
  override readonly name = 'NotReplayableError'

  constructor(reason: string) {
    super(reason, { docs: 'docs/replay.md' })
  }
}
