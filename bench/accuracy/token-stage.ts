import { encodeFunctionData, maxUint256, parseAbi, parseEther, toFunctionSelector, toHex } from 'viem'
import { findCandidateSelectors } from '../../src/bytecode/candidate-selectors.js'
import { signatureOf } from '../../src/checks/powers/signatures.js'
import type { DevnetTransaction } from '../../src/devnet/devnet-ledger.js'
import { approve, createV2Market } from '../../src/devnet/market.js'
import type { Devnet } from '../../src/devnet/start-devnet.js'
import { venuesOf } from '../../src/dex/venues.js'
import { type Address, type Hex, hexToBytes, toPaddedHex, toQuantity, ZERO_ADDRESS } from '../../src/hex.js'
import type { RealContract } from './trades.js'
import { listTrialCalls, type TrialCall, type TrialValues } from './trial-calls.js'

const GAS = 12_000_000n
const LISTED_NATIVE = parseEther('20')
const BOUGHT_NATIVE = parseEther('0.05')
const PAID_NATIVE = parseEther('1')
const RICH = parseEther('1000000')
/** Pools count in 112 bits; buyers need room as well. */
const MAX_LISTED = 2n ** 110n
/** With less the pool's own minimum is not met. */
const MIN_LISTED = 1_000_000n
/** Amounts that are issued where no account holds anything, and switches that are numbers. */
const ISSUED = [10n ** 24n, 10n ** 12n, 10n ** 6n]
/** Calling it without any data. */
const NO_SELECTOR: Hex = '0x'
/** A transaction with some arguments and no write stays below. */
const LEAST_WRITING_GAS = 26_000n
/** Calls after which all issuing is tried again, and calls that are tried then. */
const MAX_OPENERS = 8
const MAX_SECOND_CALLS = 32
/** Accounts that are tried as the contract's owner, and calls in a row that prepare trading. */
const MAX_ACTORS = 4
const MAX_PREPARATIONS = 4
const FIRST_SLOTS = 16
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const erc20Abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
])
const OWNER = '0x8da5cb5b'
const APPROVE = 'approve(address,uint256)'
/** Without these no exchange can take, hold and give a token. */
const NEEDED = [
  'balanceOf(address)',
  'transfer(address,uint256)',
  'transferFrom(address,address,uint256)',
  APPROVE,
].map((signature) => ({ name: signature.replace(/\(.*/, ''), selector: toFunctionSelector(signature) }))

/** How far trading gets. Each step needs the ones before it. */
const STEPS = ['approve', 'opening a pool', 'buying', 'selling', 'trading'] as const
interface Reach {
  step: number
  why: string
}

/** A token with a pool, and what its owner had to do first. */
export interface Listed {
  token: Address
  prepared: readonly string[]
}

type Act = Omit<DevnetTransaction, 'what'>

/**
 * Brings contracts onto the devnet as their makers did, and opens a pool for those that are tokens.
 * Where no account holds any, or trade is not open, the contract's own functions are tried as its
 * owner, on snapshots, and those that bring trade nearer are kept.
 */
export function createTokenStage({ node, chain, accounts }: Devnet) {
  const accountAt = (index: number) => (accounts[index]?.address ?? ZERO_ADDRESS).toLowerCase() as Address
  const [deployer, customer] = [accountAt(1), accountAt(2)]
  const market = createV2Market(chain)
  const [venue] = venuesOf(chain)

  async function act({ from, to, data, value = 0n }: Act): Promise<Receipt> {
    const fields = { from, ...(to && { to }), data, value: toQuantity(value), gas: toQuantity(GAS) }
    // After a return to a snapshot the devnet sometimes never mines what it took: that trial has
    // failed, and must not stand in the way of the next.
    return node.call<Receipt>('eth_sendTransactionSync', fields).catch(async () => {
      await node.call('anvil_dropAllTransactions')
      return REFUSED
    })
  }
  const works = async (transaction: Act) => (await act(transaction)).status === '0x1'
  const read = (to: Address, data: Hex) => node.call<Hex>('eth_call', { to, data }, 'latest').catch(() => '0x' as Hex)

  async function balanceOf(token: Address, holder: Address): Promise<bigint> {
    const answer = await read(token, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] }))
    return answer.length < 66 ? 0n : BigInt(answer.slice(0, 66))
  }

  async function allowanceOf(token: Address, holder: Address): Promise<bigint> {
    const args = [holder, market.router] as const
    const answer = await read(token, encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args }))
    return answer.length < 66 ? 0n : BigInt(answer.slice(0, 66))
  }

  /** What `work` did is undone unless it says to keep it. */
  async function attempt<Result>(work: () => Promise<{ keep: boolean; result: Result }>): Promise<Result> {
    const snapshot = await node.call<Hex>('evm_snapshot')
    const { keep, result } = await work()
    if (!keep) await node.call('evm_revert', snapshot)
    return result
  }

  async function become(account: Address): Promise<void> {
    await node.call('anvil_impersonateAccount', account)
    await node.call('anvil_setBalance', account, toHex(RICH))
  }

  /**
   * The deployer, `owner()`, and accounts in the first words of storage: those that may act as the
   * owner.
   */
  async function listActors(token: Address): Promise<Address[]> {
    const named = await listNamed(token)
    return [...new Set([deployer, ...named])].filter((each) => each !== token).slice(0, MAX_ACTORS)
  }

  async function listNamed(token: Address): Promise<Address[]> {
    const slots = Array.from({ length: FIRST_SLOTS }, (_, i) => toQuantity(BigInt(i)))
    const words = await Promise.all(slots.map((slot) => node.call<Hex>('eth_getStorageAt', token, slot, 'latest')))
    return [await read(token, OWNER), ...words].flatMap(accountsIn)
  }

  /** The deployer, or those that the constructor, its events or the code name. */
  async function findHolder(token: Address, { creation, constructorArgs }: RealContract, logs: readonly Log[]) {
    const named = [...`${creation}${constructorArgs}`.matchAll(/(?:73|0{24})([0-9a-f]{40})/g)].map(
      ([, hex]) => `0x${hex}` as Address,
    )
    const given = logs.flatMap(({ topics: [topic, , to] }) =>
      topic === TRANSFER_TOPIC && to ? [`0x${to.slice(26)}` as Address] : [],
    )
    const actors = await listActors(token)
    const candidates = [deployer, ...given, ...actors, ...named.filter(isAccount), token]
    const balances = new Map<Address, bigint>()
    for (const holder of new Set(candidates)) balances.set(holder, await balanceOf(token, holder))
    const [largest] = [...balances].toSorted(([, a], [, b]) => Number(b > a) - Number(b < a))
    return largest && largest[1] > 0n ? largest[0] : undefined
  }

  /**
   * Calls each function as each owner until the deployer has tokens, by minting or by a sale to the
   * public; then once more after each call that may have opened one.
   */
  async function issue(token: Address, prepared: string[]): Promise<boolean> {
    const code = await node.call<Hex>('eth_getCode', token, 'latest')
    const calls = listTrialCalls(code, { addresses: [deployer], numbers: ISSUED })
    const owners = await listActors(token)
    for (const owner of owners) await become(owner)
    const free = calls.flatMap(({ selector, data }) => owners.map((from) => ({ selector, from, data, value: 0n })))
    const paid = [{ selector: NO_SELECTOR, data: NO_SELECTOR }, ...calls].map(({ selector, data }) => ({
      ...{ selector, from: deployer, data, value: PAID_NATIVE },
    }))
    const issuing = [...paid.slice(0, 1), ...free, ...paid.slice(1)]
    const openers: Trial[] = []
    for (const each of issuing) {
      const { isIssued, changes } = await attempt(async () => {
        const { status, gasUsed } = await perform(token, each)
        const done = status === '0x1' && (await balanceOf(token, deployer)) >= MIN_LISTED
        return {
          keep: done,
          result: { isIssued: done, changes: status === '0x1' && BigInt(gasUsed) > LEAST_WRITING_GAS },
        }
      })
      if (isIssued) return prepared.push(describe(each)) > 0
      if (changes && each.value === 0n) openers.push(each)
    }
    for (const first of openers.slice(0, MAX_OPENERS)) {
      const second = await attempt(async () => {
        await perform(token, first)
        const found = await findIssue(token, issuing.slice(0, MAX_SECOND_CALLS))
        return { keep: found !== undefined, result: found }
      })
      if (second) return prepared.push(describe(first), describe(second)) > 0
    }
    return false
  }

  async function findIssue(token: Address, issuing: readonly Trial[]): Promise<Trial | undefined> {
    for (const each of issuing) {
      const isIssued = await attempt(async () => {
        const { status } = await perform(token, each)
        const done = status === '0x1' && (await balanceOf(token, deployer)) >= MIN_LISTED
        return { keep: done, result: done }
      })
      if (isIssued) return each
    }
    return undefined
  }

  const perform = (token: Address, { from, data, value }: Trial): Promise<Receipt> =>
    act({ from, to: token, data, value })

  async function open(token: Address, holder: Address): Promise<Reach> {
    // A contract that holds its own supply may have been emptied of coins meanwhile.
    await become(holder)
    const held = (await balanceOf(token, holder)) / 2n
    const amount = held > MAX_LISTED ? MAX_LISTED : held
    if (amount < MIN_LISTED) return { step: 0, why: 'too few tokens to open a pool with' }
    await act(approve(holder, token, market.router, maxUint256))
    // Some refuse more than there is, and say so or not.
    const allow = approve(holder, token, market.router, amount)
    if ((await allowanceOf(token, holder)) < amount && !(await works(allow)))
      return { step: 0, why: `approve ${await reason(allow)}` }
    const listing = market.list(holder, token, amount, LISTED_NATIVE)
    if (!(await works(listing))) return { step: 1, why: `opening a pool ${await reason(listing)}` }
    return { step: 2, why: '' }
  }

  /** Lists, buys and sells, and undoes it all. */
  const measure = (token: Address, holder: Address): Promise<Reach> =>
    attempt(async () => ({ keep: false, result: await trade(token, holder) }))

  async function trade(token: Address, holder: Address): Promise<Reach> {
    const opened = await open(token, holder)
    if (opened.step < 2) return opened
    await act(market.buy(customer, token, BOUGHT_NATIVE))
    const bought = await balanceOf(token, customer)
    if (bought === 0n) return { step: 2, why: 'buying fails' }
    await act(approve(customer, token, market.router, maxUint256))
    if (await works(market.sell(customer, token, bought / 2n))) return { step: 4, why: '' }
    return { step: 3, why: 'selling fails' }
  }

  /**
   * Tries calls of the contract's owner until strangers can trade, and keeps each that brings them
   * a step nearer.
   */
  async function prepare(token: Address, holder: Address, prepared: string[]): Promise<Reach> {
    let best = await measure(token, holder)
    const pools = venue?.guessPools(token, [chain.wrappedNative]).map(({ address }) => address) ?? []
    for (let round = 0; round < MAX_PREPARATIONS && best.step < STEPS.length - 1; round += 1) {
      const actors = [...new Set([...(await listActors(token)), holder])]
      const values = { addresses: [holder, market.router, ...pools.slice(0, 1)], numbers: [1n, 0n, ...ISSUED] }
      const step = await findStep(token, holder, values, actors, best)
      if (!step) return best
      prepared.push(nameOf(step.selector))
      best = step.reach
    }
    return best
  }

  async function findStep(
    token: Address,
    holder: Address,
    values: TrialValues,
    actors: readonly Address[],
    best: Reach,
  ): Promise<{ selector: Hex; reach: Reach } | undefined> {
    const named = await listNamed(token)
    for (const actor of actors) await become(actor)
    const code = await node.call<Hex>('eth_getCode', token, 'latest')
    for (const { selector, data } of listTrialCalls(code, values)) {
      for (const from of actors) {
        const reach = await attempt(async () => {
          const isDone = await works({ from, to: token, data })
          // Making the router the owner opens trade for the router alone.
          const namedNow = isDone ? await listNamed(token) : []
          const isKept =
            isDone && namedNow.every((each) => named.includes(each) || !values.addresses.slice(1).includes(each))
          const after = isKept ? await measure(token, holder) : best
          return { keep: after.step > best.step, result: after }
        })
        if (reach.step > best.step) return { selector, reach }
      }
    }
    return undefined
  }

  async function reason({ from, to, data, value = 0n }: Act): Promise<string> {
    const call = { from, ...(to && { to }), data, value: toQuantity(value), gas: toQuantity(GAS) }
    const told = await node.call('eth_call', call, 'latest').then(
      () => 'fails',
      (error: Error) => error.message.replace(/^.*?: /, ''),
    )
    return `fails: ${told}`
  }

  return {
    async list(contract: RealContract): Promise<Listed | { why: string }> {
      await become(deployer)
      const args = contract.constructorArgs.replace(/^0x/, '')
      const data: Hex = contract.creation.endsWith(args) ? contract.creation : `${contract.creation}${args}`
      const { status, contractAddress, logs } = await act({ from: deployer, data })
      const token = (contractAddress ?? ZERO_ADDRESS).toLowerCase() as Address
      const isDeployed = status === '0x1' && token !== ZERO_ADDRESS
      const why = whyUntradable(isDeployed ? await node.call<Hex>('eth_getCode', token, 'latest') : data)
      if (why) return { why }
      if (!isDeployed) return { why: `its constructor ${await reason({ from: deployer, data })}` }
      const prepared: string[] = []
      const holder =
        (await findHolder(token, contract, logs)) ?? ((await issue(token, prepared)) ? deployer : undefined)
      if (!holder)
        return { why: 'no account holds any of it after its deployment, and no call of its owner issues any' }
      await become(holder)
      await prepare(token, holder, prepared)
      const opened = await open(token, holder)
      return opened.step < 2 ? { why: opened.why } : { token, prepared }
    },
  }
}

interface Log {
  topics: readonly Hex[]
}

/** A call that may bring trade nearer. */
interface Trial extends TrialCall {
  from: Address
  value: bigint
}

interface Receipt {
  gasUsed: Hex
  status: Hex
  contractAddress: Address | null
  logs: readonly Log[]
}

/**
 * `code` is what lies on the chain, or what its constructor would have put there: functions are
 * found in either.
 */
function whyUntradable(code: Hex): string | undefined {
  const known = new Set(findCandidateSelectors(hexToBytes(code)).map((selector) => toPaddedHex(BigInt(selector), 4)))
  const isThere = ({ selector }: (typeof NEEDED)[number]) =>
    known.size > 0 ? known.has(selector) : code.includes(`63${selector.slice(2)}`)
  const missing = NEEDED.filter((needed) => !isThere(needed)).map(({ name }) => name)
  if (missing.includes('balanceOf')) return 'no token: it has no balanceOf'
  return missing.length > 0 ? `no exchange can take it: it has no ${missing.join(', no ')}` : undefined
}

const describe = ({ selector, value }: Trial) =>
  value === 0n ? nameOf(selector) : selector === NO_SELECTOR ? 'a payment to it' : `${nameOf(selector)}, paid for`
const REFUSED: Receipt = { status: '0x0', gasUsed: '0x0', contractAddress: null, logs: [] }

const nameOf = (selector: Hex) => signatureOf(selector) ?? selector
const isAccount = (address: Address) => BigInt(address) > 2n ** 100n

/** Addresses that a word holds at its end, at its beginning or behind a flag. */
function accountsIn(word: Hex): Address[] {
  if (word.length !== 66) return []
  const value = BigInt(word)
  if (value === 0n) return []
  const parts = value < 2n ** 160n ? [value] : value < 2n ** 168n ? [value >> 8n, value & (2n ** 160n - 1n)] : []
  return parts.map((part) => toPaddedHex(part, 20)).filter(isAccount)
}
