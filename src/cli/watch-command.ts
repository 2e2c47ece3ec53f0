import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { SOLANA_ID } from '../chains/chain-id.js'
import { parseAddress } from '../checksum-address.js'
import type { Config } from '../config.js'
import { BaseError } from '../errors.js'
import { parseSolanaAddress } from '../solana/address.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { Watches, WatchStatus } from '../watching/create-watches.js'
import { toAlertBody } from '../watching/to-alert-body.js'
import { ALERT_KINDS, type AlertKind } from '../watching/watch.js'
import { untilSignal } from '../wiring/until-signal.js'
import type { CommandLine } from './command-line.js'
import { createStanding } from './follow-standing.js'
import { withOwnStore } from './own-store.js'
import {
  ADDRESS_NEEDED,
  CHAIN_OPTION,
  chooseChain,
  MINT_NEEDED,
  type Misused,
  readTargets,
  SOLANA,
} from './read-targets.js'
import { renderAlert } from './render-alert.js'
import { createPaint, type Paint, wordOf } from './render-verdict.js'

interface WatchOptions {
  chain: string
  rpcUrl?: string
  tell: readonly AlertKind[]
  json?: boolean
}

/**
 * `assay watch <addresses> --chain 1`: judges each, follows the chain, and tells what changes a
 * verdict, until it is told to stop. Keeps nothing: what happened while it was off is not told.
 */
export function addWatchCommand(program: Command, io: CommandLine): void {
  program
    .command('watch')
    .description('follow the chain, and tell when what a verdict stands on changes; until Ctrl-C')
    .argument('<addresses...>', 'tokens; - reads them from standard input, one a line')
    .requiredOption('--chain <chain>', CHAIN_OPTION)
    .option('--rpc-url <url>', 'ask this node, in place of those of the settings')
    .option('--tell <kinds>', `of ${ALERT_KINDS.join(', ')}, separated by commas`, parseKinds, ALERT_KINDS)
    .option('--json', 'one line of JSON for each alert, as webhooks have it')
    .action(async (texts: string[], options: WatchOptions, command: Command) => {
      const misused: Misused = (message) => command.error(`error: ${message}`)
      const { chain, config } = chooseChain(io.env, options, misused)
      const [chainId, parse, needed] =
        chain === SOLANA ? [SOLANA_ID, parseSolanaAddress, MINT_NEEDED] : [chain.id, parseAddress, ADDRESS_NEEDED]
      const addresses = await readTargets(texts, io, (text): TokenAddress => parse(text) ?? misused(needed), misused)
      await withOwnStore(config, (own) => watchAll(io, own, { ...options, chainId, addresses }))
    })
}

async function watchAll(
  { write, writeError, colour = false, untilStopped = untilSignal, threads }: CommandLine,
  config: Config,
  {
    chainId,
    addresses,
    tell: tells,
    json,
  }: Omit<WatchOptions, 'chain'> & { chainId: number; addresses: readonly TokenAddress[] },
): Promise<void> {
  // The engine is loaded only by the commands that need it.
  const { createServices } = await import('../wiring/create-services.js')
  const { watches, close } = await createServices(config, { threads })
  const controller = new AbortController()
  const { signal } = controller
  void untilStopped().then(() => controller.abort())
  const paint = createPaint(colour)
  try {
    let id = ''
    for (const address of addresses) {
      const created = await watches.create({ ...OWN_KEY, chainId, address, tells, webhook: undefined, contacts: [] })
      if (typeof created === 'string') throw new TooManyTokensError(addresses.length)
      id = created.watch.id
    }
    watches.start()
    const tellStanding = createStanding(writeError)
    const first = new Set(addresses)
    for (let place = 0; !signal.aborted; await sleep(LOOK_MS, undefined, { signal }).catch(() => {})) {
      tellStanding((await watches.read(id, OWN_KEY.keyId))?.followed)
      if (!json) await tellFirst(watches, first, (status) => void write(firstLine(status, paint)))
      for (const alert of await watches.listAlerts(OWN_KEY.keyId, { after: place, limit: MAX_ALERTS })) {
        place = alert.place
        const body = toAlertBody(alert)
        write(json ? `${JSON.stringify(body)}\n` : renderAlert(body, paint))
      }
    }
  } finally {
    await close()
  }
}

class TooManyTokensError extends BaseError {
  override readonly name = 'TooManyTokensError'

  constructor(count: number) {
    super(`${count} tokens are more than are watched at a time`, { docs: 'docs/watching.md' })
  }
}

/** All watches of this command; as many as a chain can have. */
const OWN_KEY = { keyId: 'watch', limits: { analysis: 1_000, general: 1_000 } }
const LOOK_MS = 1_000
const MAX_ALERTS = 100

/** Tells of those that were judged since, and takes them from the list. */
async function tellFirst(
  watches: Watches,
  waiting: Set<TokenAddress>,
  tell: (status: WatchStatus) => void,
): Promise<void> {
  if (waiting.size === 0) return
  for (const status of await watches.list(OWN_KEY.keyId)) {
    if (waiting.has(status.watch.address) && status.token?.judgement !== undefined) {
      waiting.delete(status.watch.address)
      tell(status)
    }
  }
}

function firstLine({ watch, token }: WatchStatus, paint: Paint): string {
  const judgement = token?.judgement
  if (judgement === undefined) return ''
  return `${watch.address}  ${wordOf(judgement, paint)}: ${judgement.headline}\n`
}

function parseKinds(text: string): readonly AlertKind[] {
  const named = text.split(',').map((each) => each.trim())
  const kinds = ALERT_KINDS.filter((kind) => named.includes(kind))
  if (kinds.length !== named.length) throw new InvalidArgumentError(`Each must be one of ${ALERT_KINDS.join(', ')}.`)
  return kinds
}
