import type { AssayClient } from './client.js'
import type { CheckPhishingAnswer } from './operations.js'
import { isGuarded, readWalletQuestion, type WalletQuestion } from './wallet-question.js'

/** A wallet's provider (EIP-1193). */
export interface WalletProvider {
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

export type Decision = 'pass' | 'warn' | 'block'

/** What is known when the policy decides. */
export interface Judgement extends WalletQuestion {
  /** One for each of `requests`, in their order; empty when there was none, or none in time. */
  answers: CheckPhishingAnswer[]
  /** Why there is no answer: out of time, over the limit, not reachable. */
  failure?: unknown
}

export interface GuardOptions {
  assay: Pick<AssayClient, 'checkPhishing'>
  /** Decides on each request that sends or signs; {@link defaultPolicy} where absent. */
  policy?: (judgement: Judgement) => Decision | Promise<Decision>
  /** Asks the person after a `warn`; without it a warning blocks. */
  confirm?: (judgement: Judgement) => boolean | Promise<boolean>
  /** After it the policy decides without an answer. */
  timeoutMs?: number
}

/**
 * The same provider, which asks Assay before it sends or signs. What is asked for is copied first,
 * so that a page cannot change it meanwhile; a policy that throws, or says anything but its three
 * words, blocks.
 *
 * @example
 * const guarded = guardProvider(window.ethereum, { assay, confirm: askThePerson })
 */
export function guardProvider<Provider extends WalletProvider>(provider: Provider, options: GuardOptions): Provider {
  const request: WalletProvider['request'] = async (given) => {
    const { method } = given
    // A page's object may say another method the next time that it is asked.
    if (!isGuarded(method)) return provider.request({ ...given, method })
    const call = { ...structuredClone(given), method }
    const chainId = await readChainId(provider)
    const judgement = await judge(readWalletQuestion(method, call.params, chainId), options)
    if (!(await isAllowed(judgement, options))) throw new BlockedByAssayError(judgement)
    // The answer was about this chain; on another one the same bytes are another transaction.
    if ((await readChainId(provider)) !== chainId) throw new BlockedByAssayError(judgement)
    return provider.request(call)
  }
  // Not a proxy of the provider itself: one that is frozen could not be answered for.
  const guarded: Provider = new Proxy<Provider>(Object.create(null), {
    get(_, name) {
      if (name === 'request') return request
      // Older ways to send go past `request`, and so past every check.
      if (name === 'send' || name === 'sendAsync') return undefined
      return withoutProvider(Reflect.get(provider, name), { provider, guarded })
    },
    has: (_, name) => name in provider,
    set: () => false,
  })
  return guarded
}

/** Members of a provider lead to it or to others: lists of wallets, and `on`, which gives it. */
function withoutProvider(
  member: unknown,
  { provider, guarded }: { provider: WalletProvider; guarded: WalletProvider },
): unknown {
  if (typeof member === 'object') return undefined
  if (typeof member !== 'function') return member
  return (...given: unknown[]) => {
    const result: unknown = Reflect.apply(member, provider, given)
    return result === provider ? guarded : result
  }
}

/**
 * Blocks what is dangerous, and warns of what is doubtful or was not judged. Passes what was seen
 * to be harmless, and messages that can be read.
 */
export function defaultPolicy({ answers, unreadable, failure, requests }: Judgement): Decision {
  if (answers.some(({ verdict }) => verdict === 'CRITICAL' || verdict === 'HIGH_RISK')) return 'block'
  const warnings = answers.flatMap(({ wallet }) => wallet?.warnings ?? [])
  if (warnings.some(({ severity }) => severity === 'CRITICAL')) return 'block'
  const isJudged = failure === undefined && unreadable === undefined && answers.length === requests.length
  const isCalm = answers.every(({ verdict, isEmpty }) => verdict === 'SAFE' || isEmpty) && warnings.length === 0
  return isJudged && isCalm ? 'pass' : 'warn'
}

const DEFAULT_TIMEOUT_MS = 10_000

async function judge(question: WalletQuestion, { assay, timeoutMs = DEFAULT_TIMEOUT_MS }: GuardOptions) {
  if (question.requests.length === 0) return { ...question, answers: [] }
  const controller = new AbortController()
  const reason = new AssayTimeoutError(timeoutMs)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort(reason)
      reject(reason)
    }, timeoutMs)
  })
  const asked = question.requests.map((each) => assay.checkPhishing(each, { signal: controller.signal }))
  try {
    // A client that does not listen to its signal is not waited for either.
    return { ...question, answers: await Promise.race([Promise.all(asked), late]) }
  } catch (failure) {
    controller.abort(failure)
    return { ...question, answers: [], failure }
  } finally {
    clearTimeout(timer)
  }
}

async function isAllowed(judgement: Judgement, { policy = defaultPolicy, confirm }: GuardOptions): Promise<boolean> {
  try {
    const decision = await policy(judgement)
    if (decision === 'warn') return (await confirm?.(judgement)) === true
    return decision === 'pass'
  } catch {
    return false
  }
}

async function readChainId(provider: WalletProvider): Promise<number> {
  return Number(await provider.request({ method: 'eth_chainId' }))
}

/** What the page reads in place of an answer: to it, the person said no (EIP-1193). */
export class BlockedByAssayError extends Error {
  override readonly name = 'BlockedByAssayError'
  readonly code = 4001
  readonly judgement: Judgement

  constructor(judgement: Judgement) {
    super('The request was not sent to the wallet')
    this.judgement = judgement
  }
}

/** Assay did not answer while the page could be kept waiting. */
export class AssayTimeoutError extends Error {
  override readonly name = 'AssayTimeoutError'

  constructor(timeoutMs: number) {
    super(`There was no answer within ${timeoutMs} ms`)
  }
}
