import { randomUUID } from 'node:crypto'
import type { Chain } from '../chains/chain.js'
import { SOLANA_ID } from '../chains/chain-id.js'
import type { Config } from '../config.js'
import { createSqlFamilyStore } from '../families/sql-family-store.js'
import { createFeed, type Feed } from '../feed/create-feed.js'
import { createCreationBlocks } from '../feed/creation-blocks.js'
import { createCreationTrail } from '../feed/creation-trail.js'
import { createEvmMarkets } from '../feed/evm-markets.js'
import { createFindFamiliar, readEvmFamilyCodes, readSolanaFamilyCodes } from '../feed/find-familiar.js'
import { createListingFollower } from '../feed/follow-listings.js'
import { createJudgeListing } from '../feed/judge-listing.js'
import { createSolanaMarkets } from '../feed/solana-markets.js'
import { createSqlFeedStore } from '../feed/sql-feed-store.js'
import { createWarmUp } from '../feed/warm-up.js'
import type { Assessors } from '../outcomes/follow-verdicts.js'
import { USDC, USDT } from '../solana/programs.js'
import { chainOf, createForgetHead, judgesOf, type WatchParts } from './create-watch-service.js'

/** The feed lives in the database, which also decides which process follows which chain. */
export function createFeedService(
  config: Config,
  /** `unrecorded` judges without a trace in what this installation remembers. */
  { unrecorded, ...parts }: WatchParts & { unrecorded: Assessors },
): Feed {
  const { db, rpcClients, solanaRpc, memory, slots, clock, log } = parts
  const store = createSqlFeedStore(db)
  const families = createSqlFamilyStore(db)
  const holder = randomUUID()
  const chainIds = config.feedChains.filter((id) => id === SOLANA_ID || rpcClients.has(id))
  const onFailure = (error: unknown) => log.warn({ error }, 'the feed of new markets failed; it goes on')
  const marketsOf = (chainId: number) => {
    if (chainId === SOLANA_ID)
      return {
        markets: createSolanaMarkets(
          solanaRpc,
          config.feedReadsBlocks ? createCreationBlocks(solanaRpc) : createCreationTrail(solanaRpc),
        ),
        findFamiliar: createFindFamiliar(readSolanaFamilyCodes(solanaRpc), families),
      }
    const { chain, rpc } = chainOf(config, parts, chainId)
    return {
      markets: createEvmMarkets({ chain, rpc, onHead: createForgetHead(memory, chain) }),
      findFamiliar: createFindFamiliar(readEvmFamilyCodes(rpc), families),
    }
  }
  return createFeed({
    ...{ store, clock, chainIds, onFailure },
    follow: (chainId) => createListingFollower({ chainId, store, holder, clock, ...marketsOf(chainId) }),
    judgeListing: createJudgeListing({ judges: judgesOf(config, parts, chainIds), store, slots, clock, onFailure }),
    warmUp: createWarmUp({
      judges: judgesOf(config, { ...parts, ...unrecorded }, chainIds),
      ...{ slots, countWaiting: store.countWaiting },
      tokensOf: (id) => (id === SOLANA_ID ? [USDC, USDT] : dollarsOf(chainOf(config, parts, id).chain)),
      onFailure: (error) => log.warn({ error }, 'the first new tokens may be judged late: what judges is not ready'),
    }),
  })
}

const dollarsOf = ({ watchedTokens, wrappedNative }: Chain) =>
  watchedTokens.map(({ address }) => address).filter((address) => address !== wrappedNative)
