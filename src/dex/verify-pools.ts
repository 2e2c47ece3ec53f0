import type { Chain } from '../chains/chain.js'
import type { Family } from '../chains/exchanges.js'
import { type Address, type Hex, toPaddedHex, wordToAddress } from '../hex.js'
import { ethCall } from '../rpc/methods.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import { POOL_BY_PAIR } from './algebra.js'
import { callData } from './read-contract.js'
import { GET_POOL_BY_TICK_SPACING } from './slipstream.js'
import { GET_POOL_BY_CURVE } from './solidly.js'
import { GET_PAIR } from './uniswap-v2.js'
import { GET_POOL_BY_FEE } from './uniswap-v3.js'
import type { Pool } from './venue.js'
import { venuesOf } from './venues.js'
import type { Verified } from './verify-exchanges.js'

/** How a factory of the family is asked for a pool, and whether by what else than its tokens. */
const QUESTIONS: { readonly [F in Exclude<Family, 'v4'>]: { selector: Hex; isTiered: boolean } } = {
  v2: { selector: GET_PAIR, isTiered: false },
  v3: { selector: GET_POOL_BY_FEE, isTiered: true },
  solidly: { selector: GET_POOL_BY_CURVE, isTiered: true },
  slipstream: { selector: GET_POOL_BY_TICK_SPACING, isTiered: true },
  algebra: { selector: POOL_BY_PAIR, isTiered: false },
}

interface Question {
  exchange: string
  factory: Address
  pool: Pool
  data: Hex
}

/**
 * Compares addresses of pools as they follow from the table (the hash of their creation code, or
 * what they are proxies of) with those that the factories name, for the pairs of the chain's own
 * tokens. Where a factory has none of these pools, nothing can be compared, which is said. Uniswap
 * V4's pools have no addresses.
 */
export async function verifyPools(rpc: RpcClient, chain: Chain): Promise<Verified[]> {
  const questions = questionsOf(chain)
  const asked = questions.map(({ factory, data }) => ethCall({ to: factory, data }, 'latest'))
  const outcomes = await rpc.batch(asked, { suspect: 'chain' })
  const answers = questions.map((question, i) => {
    const outcome = outcomes[i]
    const isWord = outcome?.ok === true && outcome.value.length === WORD_LENGTH
    return { ...question, named: isWord ? wordToAddress(BigInt(outcome.value)) : undefined }
  })
  return [...new Set(answers.map(({ exchange }) => exchange))].map((exchange) => {
    const all = answers.filter((each) => each.exchange === exchange)
    const there = all.filter(({ named }) => named !== undefined && named !== NONE)
    const wrong = there.filter(({ named, pool }) => named !== pool.address)
    return {
      ...{ exchange, part: 'pools', address: all[0]?.factory ?? NONE },
      problems: wrong
        .slice(0, 1)
        .map(({ named, pool }) => `the pool of ${pool.token} is ${named} and not ${pool.address}`),
      ...(there.length === 0 && { note: 'the factory has none to compare' }),
    }
  })
}

const NONE: Address = toPaddedHex(0n, 20)
const WORD_LENGTH = 2 + 64

function questionsOf(chain: Chain): Question[] {
  const { wrappedNative, watchedTokens } = chain
  const tokens = watchedTokens.map(({ address }) => address).filter((address) => address !== wrappedNative)
  const venues = venuesOf(chain)
  return (Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]).flatMap((family) =>
    chain[family].flatMap(({ name: exchange, factory }) => {
      const { selector, isTiered } = QUESTIONS[family]
      const pools = venues.find(({ name }) => name === exchange)?.guessPools ?? (() => [])
      return tokens
        .flatMap((token) => pools(token, [wrappedNative]))
        .map((pool) => {
          const key = isTiered ? [BigInt(pool.tier ?? 0)] : []
          return { exchange, factory, pool, data: callData(selector, [pool.token, pool.quote, ...key]) }
        })
    }),
  )
}
