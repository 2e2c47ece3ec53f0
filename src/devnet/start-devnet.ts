import type { Chain, DevnetTraits } from '../chains/chain.js'
import { findChain } from '../chains/index.js'
import { type Address, toQuantity, ZERO_ADDRESS } from '../hex.js'
import { type DevnetAccount, devnetAccount } from './accounts.js'
import { startAnvil } from './anvil.js'
import { blockTraits } from './block-traits.js'
import { createLedger, type Ledger } from './devnet-ledger.js'
import type { DevnetExample, ExamplePlan, Scene, TimelineEvent } from './example.js'
import { examplePlans } from './examples.js'
import { createDevnetNode, DevnetError, type DevnetNode } from './node.js'
import { placeContracts } from './place-contract.js'
import { planExchanges } from './place-exchanges.js'
import { DAY, MINUTE } from './trading-history.js'
import { planWellKnownTokens } from './well-known-tokens.js'

export interface DevnetOptions {
  chainId: number
  /**
   * Names of the examples to set up; all of the chain's if absent. A test names what it needs and
   * starts sooner.
   */
  examples?: readonly string[]
  /**
   * Mines a block every so many seconds, as a live chain does, so that the head never grows old;
   * transactions wait for it. Absent: a block for each transaction, at once, and none otherwise, so
   * that nothing moves under a test.
   */
  blockEverySeconds?: number
}

export interface Devnet {
  url: string
  /**
   * The chain as it is here: init code hashes differ from the real chain's where Uniswap's code
   * stands in for another exchange's.
   */
  chain: Chain
  /**
   * Funded accounts that have done nothing yet, unlocked on the node. Their keys are anvil's, known
   * to everyone.
   */
  accounts: readonly DevnetAccount[]
  examples: readonly DevnetExample[]
  node: DevnetNode
  stop(): Promise<void>
}

/**
 * Starts a chain of its own: anvil, the chain's exchanges at their addresses, and examples with a
 * history that ends now. From then on blocks bear the time of the wall clock.
 *
 * @example
 * const devnet = await startDevnet({ chainId: 1, examples: ['clean'] })
 */
export async function startDevnet({ chainId, examples, blockEverySeconds }: DevnetOptions): Promise<Devnet> {
  const plans = choosePlans(chainId, examples)
  const { chain, traits } = findDevnetChain(chainId)
  const now = secondsNow()
  const { gasLimit, baseFeePerGas } = traits
  const genesisTimestamp = now - GENESIS_SECONDS_AGO
  const anvil = await startAnvil({ chainId, genesisTimestamp, gasLimit, baseFeePerGas, accountCount: ACCOUNT_COUNT })
  try {
    const node = createDevnetNode(anvil.url)
    const addresses = (await node.call<Address[]>('eth_accounts')).map((address) => address.toLowerCase() as Address)
    const governor = addresses[GOVERNOR] ?? ZERO_ADDRESS
    const exchanges = planExchanges(chain, governor)
    const tokens = planWellKnownTokens(chain, governor)
    await node.batch([
      { method: 'evm_setAutomine', params: [false] },
      { method: 'anvil_setCoinbase', params: [traits.coinbase] },
    ])
    const placements = [...exchanges.placements, ...tokens.placements]
    await placeContracts(node, governor, placements)
    const ledger = createLedger(node, { gasLimit, nonces: new Map([[governor, placements.length]]) })
    await ledger.mine(genesisTimestamp + MINUTE, [...exchanges.transactions, ...tokens.transactions])

    const acted = plans.map((plan) => ({ plan, ...plan.plan(sceneOf(plan, exchanges.chain, now, addresses)) }))
    const events = acted.flatMap((act) => act.events)
    await writeHistory(ledger, now, events)
    await comeToThePresent(node, traits)
    if (blockEverySeconds === undefined) await node.call('evm_setAutomine', true)
    else await node.call('evm_setIntervalMining', blockEverySeconds)
    return {
      url: anvil.url,
      chain: exchanges.chain,
      accounts: Array.from({ length: FRESH_COUNT }, (_, index) => devnetAccount(index)),
      examples: acted.map(({ plan: { name, summary, expect }, target }) => {
        return { name, targetContractAddress: target, chainId, summary, expect }
      }),
      node,
      stop: anvil.stop,
    }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** Before the oldest event of any example. */
const GENESIS_SECONDS_AGO = 60 * DAY

/*
 * Accounts by index. The first are left alone, for the user of the devnet. A deployer has an index
 * of its own, so that an example has the same address whichever others are set up.
 */
const FRESH_COUNT = 10
const TRADER_COUNT = 20
const GOVERNOR = FRESH_COUNT + TRADER_COUNT
const FIRST_DEPLOYER = GOVERNOR + 1
const ACCOUNT_COUNT = FIRST_DEPLOYER + examplePlans.length

const secondsNow = () => Math.floor(Date.now() / 1000)

function findDevnetChain(chainId: number): { chain: Chain; traits: DevnetTraits } {
  const chain = findChain(chainId)
  const traits = blockTraits[chainId]
  if (!chain || !traits) throw new DevnetError(`There is no devnet for chain ${chainId}`)
  return { chain, traits }
}

function choosePlans(chainId: number, names: readonly string[] | undefined): ExamplePlan[] {
  const possible = examplePlans.filter(({ chainIds }) => chainIds.includes(chainId))
  const unknown = names?.filter((name) => !possible.some((plan) => plan.name === name)) ?? []
  if (unknown.length > 0) throw new DevnetError(`There is no example ${unknown.join(', ')} for chain ${chainId}`)
  return names ? possible.filter(({ name }) => names.includes(name)) : possible
}

function sceneOf(plan: ExamplePlan, chain: Chain, now: number, addresses: readonly Address[]): Scene {
  const deployer = addresses[FIRST_DEPLOYER + examplePlans.indexOf(plan)] ?? ZERO_ADDRESS
  return {
    chain,
    now,
    deployer,
    issuer: addresses[GOVERNOR] ?? ZERO_ADDRESS,
    traders: addresses.slice(FRESH_COUNT, FRESH_COUNT + TRADER_COUNT),
  }
}

/** Oldest first; what happens at the same time keeps its order. */
async function writeHistory(ledger: Ledger, now: number, events: readonly TimelineEvent[]): Promise<void> {
  const moments = new Set(events.map(({ secondsAgo }) => secondsAgo))
  for (const moment of [...moments].toSorted((a, b) => b - a)) {
    const due = events.filter(({ secondsAgo }) => secondsAgo === moment)
    await ledger.mine(
      now - moment,
      due.map(({ transaction }) => transaction),
    )
  }
}

/**
 * Empty blocks have let the base fee sink, and history ends some minutes ago. The block that is
 * mined here is the head.
 */
async function comeToThePresent(node: DevnetNode, { baseFeePerGas }: DevnetTraits): Promise<void> {
  await node.call('anvil_setNextBlockBaseFeePerGas', toQuantity(baseFeePerGas))
  await node.call('evm_setTime', secondsNow())
  await node.call('evm_mine')
}
