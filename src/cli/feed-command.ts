import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { SOLANA_ID } from '../chains/chain-id.js'
import { TRUST_STATUSES, type TrustStatus } from '../checks/levels.js'
import type { Config } from '../config.js'
import { toFeedEvent } from '../feed/to-listing-body.js'
import { untilSignal } from '../wiring/until-signal.js'
import type { CommandLine } from './command-line.js'
import { createStanding } from './follow-standing.js'
import { withOwnStore } from './own-store.js'
import { CHAIN_OPTION, chooseChain, type Misused, SOLANA } from './read-targets.js'
import { renderChange } from './render-change.js'
import { createPaint } from './render-verdict.js'

interface FeedOptions {
  chain: string
  rpcUrl?: string
  level?: readonly TrustStatus[]
  json?: boolean
}

/**
 * `assay feed --chain 1`: tells new markets with the verdicts on their tokens, until it is told to
 * stop.
 */
export function addFeedCommand(program: Command, io: CommandLine): void {
  program
    .command('feed')
    .description('follow the new markets of a chain, and judge their tokens; until Ctrl-C')
    .requiredOption('--chain <chain>', CHAIN_OPTION)
    .option('--rpc-url <url>', 'ask this node, in place of those of the settings')
    .option('--level <levels>', `of ${TRUST_STATUSES.join(', ')}, separated by commas`, parseLevels)
    .option('--json', 'one line of JSON for each change, as the events of a service have it')
    .action(async (options: FeedOptions, command: Command) => {
      const misused: Misused = (message) => command.error(`error: ${message}`)
      const { chain, config } = chooseChain(io.env, options, misused)
      const feedChains = [chain === SOLANA ? SOLANA_ID : chain.id]
      await withOwnStore(config, (own) => tellFeed(io, { ...own, feedChains }, options))
    })
}

const LOOK_MS = 500
const MAX_CHANGES = 100

async function tellFeed(
  { write, writeError, colour = false, untilStopped = untilSignal, threads }: CommandLine,
  config: Config,
  { level: levels, json }: FeedOptions,
): Promise<void> {
  // The engine is loaded only by the commands that need it.
  const { createServices } = await import('../wiring/create-services.js')
  const { feed, close } = await createServices(config, { threads })
  const controller = new AbortController()
  const { signal } = controller
  void untilStopped().then(() => controller.abort())
  const paint = createPaint(colour)
  const filter = levels === undefined ? {} : { levels }
  try {
    feed.start()
    const tellStanding = createStanding(writeError)
    for (let place = 0; !signal.aborted; await sleep(LOOK_MS, undefined, { signal }).catch(() => {})) {
      tellStanding([...(await feed.listFollowed()).values()][0])
      for (const change of await feed.listChanges(filter, { after: place, limit: MAX_CHANGES })) {
        const { name, data, place: reached } = toFeedEvent(change)
        place = reached
        write(json ? `${JSON.stringify({ event: name, ...data })}\n` : renderChange(change, paint))
      }
    }
  } finally {
    await close()
  }
}

function parseLevels(text: string): readonly TrustStatus[] {
  const named = text.split(',').map((each) => each.trim())
  const levels = TRUST_STATUSES.filter((level) => named.includes(level))
  if (levels.length !== named.length)
    throw new InvalidArgumentError(`Each must be one of ${TRUST_STATUSES.join(', ')}.`)
  return levels
}
