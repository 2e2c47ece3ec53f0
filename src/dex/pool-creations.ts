import type { Chain } from '../chains/chain.js'
import type { Deployments, Family } from '../chains/exchanges.js'
import { type Address, type Hex, wordToAddress, ZERO_ADDRESS } from '../hex.js'
import { addressOfTopic, type LogEntry } from '../rpc/log-entry.js'

import { readInitialize, V4_INITIALIZE_TOPIC } from './v4-pool-key.js'
import { quotesOf } from './venues.js'

/** A pool that an exchange of the chain's table has made. */
export interface PoolCreation {
  exchange: string
  /** Its address; where one contract holds all pools, its id. */
  pool: Hex
  /** The zero address is the native coin itself. */
  currencies: readonly [Address, Address]
}

/** How the exchanges of one family tell that they made a pool. */
interface Announcement<F extends Family> {
  /** Who tells it. The same event of any other contract says nothing. */
  emitter(deployment: Deployments[F]): Address
  topic: Hex
  read(log: LogEntry): Omit<PoolCreation, 'exchange'> | undefined
}

const ANNOUNCEMENTS: { readonly [F in Family]: Announcement<F> } = {
  v2: {
    emitter: ({ factory }) => factory,
    // `PairCreated(address indexed, address indexed, address pair, uint256)`
    topic: '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9',
    read: poolInWord(0),
  },
  v3: {
    emitter: ({ factory }) => factory,
    // `PoolCreated(address indexed, address indexed, uint24 indexed, int24, address pool)`
    topic: '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118',
    read: poolInWord(1),
  },
  v4: {
    emitter: ({ poolManager }) => poolManager,
    topic: V4_INITIALIZE_TOPIC,
    read(log) {
      const key = readInitialize(log)
      const id = log.topics[1]
      return key && id && { pool: id, currencies: [key.currency0, key.currency1] }
    },
  },
  solidly: {
    emitter: ({ factory }) => factory,
    // `PoolCreated(address indexed, address indexed, bool indexed, address pool, uint256)`
    topic: '0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e',
    read: poolInWord(0),
  },
  slipstream: {
    emitter: ({ factory }) => factory,
    // `PoolCreated(address indexed, address indexed, int24 indexed, address pool)`
    topic: '0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2',
    read: poolInWord(0),
  },
  algebra: {
    emitter: ({ factory }) => factory,
    // `Pool(address indexed, address indexed, address pool)`
    topic: '0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db',
    read: poolInWord(0),
  },
}

/** `Mint(address indexed sender, uint256, uint256)` of pairs that are given liquidity */
const PAIR_MINT_TOPIC: Hex = '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f'
/**
 * `Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper,
 * uint128, uint256, uint256)` of Uniswap V3's pools and their relatives
 */
export const POSITION_MINT_TOPIC: Hex = '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde'
const LIQUIDITY_TOPICS = [PAIR_MINT_TOPIC, POSITION_MINT_TOPIC]
/** `ModifyLiquidity(bytes32 indexed id, address indexed, int24, int24, int256, bytes32)` */
const V4_LIQUIDITY_TOPIC: Hex = '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'

/** Reads new pools, and the first liquidity of pools that had none, from a chain's logs. */
export interface PoolLogs {
  /** Whose logs, and which, are to be asked for; `dry` are the pools that wait for liquidity. */
  filter(dry: readonly Hex[]): { address: Address[]; topics: [Hex[]] }
  /** `undefined` where the log is no announcement of an exchange of the table. */
  creation(log: LogEntry): PoolCreation | undefined
  /** The pool that was given liquidity. */
  supplied(log: LogEntry): Hex | undefined
}

export function createPoolLogs(chain: Chain): PoolLogs {
  const tellers = tellersOf(chain)
  const managers = new Set(chain.v4.map(({ poolManager }) => poolManager))
  return {
    filter(dry) {
      const pools = dry.filter(isAddress)
      const areInOne = pools.length < dry.length
      const liquidity = [...(pools.length > 0 ? LIQUIDITY_TOPICS : []), ...(areInOne ? [V4_LIQUIDITY_TOPIC] : [])]
      return {
        address: [...new Set([...tellers.map(({ emitter }) => emitter), ...pools])],
        topics: [[...new Set([...tellers.map(({ topic }) => topic), ...liquidity])]],
      }
    },
    creation(log) {
      const teller = tellers.find(({ emitter, topic }) => emitter === log.address && topic === log.topics[0])
      const made = teller?.read(log)
      return teller && made && { exchange: teller.exchange, ...made }
    },
    supplied({ address, topics: [topic, id] }) {
      if (topic === V4_LIQUIDITY_TOPIC) return managers.has(address) ? id : undefined
      return topic !== undefined && LIQUIDITY_TOPICS.includes(topic) ? address : undefined
    },
  }
}

/**
 * The tokens that a pool is news of, each with what it is traded for: all but the coins that
 * everything is traded for. A pool of two such coins is no news.
 */
export function newTokensOf(chain: Chain, { currencies: [a, b] }: PoolCreation): { token: Address; quote: Address }[] {
  const known = new Set([ZERO_ADDRESS, chain.wrappedNative, ...quotesOf(chain, ZERO_ADDRESS)])
  for (const { address } of chain.wellKnownTokens ?? []) known.add(address)
  const sides = [
    { token: a, quote: b },
    { token: b, quote: a },
  ]
  return sides.filter(({ token }) => !known.has(token))
}

interface Teller extends Pick<Announcement<Family>, 'topic' | 'read'> {
  exchange: string
  emitter: Address
}

function tellersOf(chain: Chain): Teller[] {
  const ofFamily = <F extends Family>(family: F): Teller[] => {
    const { emitter, topic, read } = ANNOUNCEMENTS[family]
    const deployments = chain[family] as unknown as readonly Deployments[F][]
    return deployments.map((deployment) => ({ exchange: deployment.name, emitter: emitter(deployment), topic, read }))
  }
  return (Object.keys(ANNOUNCEMENTS) as Family[]).flatMap(ofFamily)
}

const WORD_DIGITS = 64
const isAddress = (pool: Hex) => pool.length === ZERO_ADDRESS.length

/** An event that names both tokens in its topics, and the pool in a word of its data. */
function poolInWord(index: number): Announcement<Family>['read'] {
  return ({ topics: [, a, b], data }) => {
    const word = data.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS)
    if (!a || !b || word.length < WORD_DIGITS) return undefined
    return { pool: wordToAddress(BigInt(`0x${word}`)), currencies: [addressOfTopic(a), addressOfTopic(b)] }
  }
}
