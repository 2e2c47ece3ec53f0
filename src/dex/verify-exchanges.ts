import type { Chain } from '../chains/chain.js'
import type { Deployments, Family } from '../chains/exchanges.js'
import { type Address, type Hex, toPaddedHex } from '../hex.js'
import { ethCall, getCode } from '../rpc/methods.js'
import type { RpcOutcome, RpcRequest } from '../rpc/request.js'
import type { RpcClient } from '../rpc/rpc-client.js'

/** What a contract of an exchange must be: there, and, where `answers` is given, of one mind. */
interface Expectation {
  /** Of the exchange, as in `router`. */
  part: string
  address: Address
  /** The function's name for people, its selector, and the address that it must answer. */
  answers?: readonly { name: string; selector: Hex; expected: Address }[]
}

export interface Verified {
  exchange: string
  part: string
  address: Address
  /** What is wrong with it, in words; none when all is well. */
  problems: readonly string[]
  /** Why nothing could be said, where nothing is wrong. */
  note?: string
}

/**
 * Asks the node whether the contracts that a chain's table names have code, and whether routers
 * answer with the factory and the wrapped coin that the table gives them.
 */
export async function verifyExchanges(rpc: RpcClient, chain: Chain): Promise<Verified[]> {
  const expected = expectationsOf(chain)
  const questions = expected.flatMap(({ address, answers = [] }): RpcRequest<Hex>[] => [
    getCode(address, 'latest'),
    ...answers.map(({ selector }) => ethCall({ to: address, data: selector }, 'latest')),
  ])
  const outcomes = await rpc.batch(questions, { suspect: 'chain' })
  let next = 0
  return expected.map(({ exchange, part, address, answers = [] }) => {
    const [code, ...replies] = outcomes.slice(next, next + 1 + answers.length)
    next += 1 + answers.length
    const hasCode = code?.ok === true && code.value !== '0x'
    const wrong = answers.flatMap((answer, i) => contradiction(answer, replies[i]))
    return { exchange, part, address, problems: hasCode ? wrong : ['has no code'] }
  })
}

function contradiction(
  { name, expected }: { name: string; expected: Address },
  reply: RpcOutcome<Hex> | undefined,
): string[] {
  if (reply?.ok !== true || reply.value.length !== WORD_LENGTH) return [`does not answer ${name}()`]
  const word: Hex = toPaddedHex(BigInt(expected), 32)
  return reply.value === word ? [] : [`${name}() is 0x${reply.value.slice(-40)} and not ${expected}`]
}

const WORD_LENGTH = 2 + 64

function expectationsOf(chain: Chain): (Expectation & { exchange: string })[] {
  const families = Object.keys(EXPECTATIONS) as Family[]
  const ofFamily = <F extends Family>(family: F) => {
    const deployments = chain[family] as unknown as readonly Deployments[F][]
    return deployments.flatMap((deployment) =>
      EXPECTATIONS[family](deployment, chain.wrappedNative).map((each) => ({ exchange: deployment.name, ...each })),
    )
  }
  const coins = chain.watchedTokens.map(({ symbol, address }) => ({ exchange: 'tokens', part: symbol, address }))
  return [...coins, ...families.flatMap(ofFamily)]
}

const FACTORY = { name: 'factory', selector: '0xc45a0155' } as const
const WETH = { name: 'WETH', selector: '0xad5c4648' } as const
const WETH9 = { name: 'WETH9', selector: '0x4aa4a4fc' } as const

/**
 * What a router of the family tells of itself; constants of its code, which cost a node nothing.
 */
const EXPECTATIONS: { [F in Family]: (deployment: Deployments[F], wrapped: Address) => Expectation[] } = {
  v2: ({ factory, router }, wrapped) => [
    { part: 'factory', address: factory },
    {
      part: 'router',
      address: router,
      answers: [
        { ...FACTORY, expected: factory },
        { ...WETH, expected: wrapped },
      ],
    },
  ],
  v3: ({ factory, router, quoter, poolDeployer }, wrapped) => [
    { part: 'factory', address: factory },
    ...(poolDeployer === factory ? [] : [{ part: 'pool deployer', address: poolDeployer }]),
    ...[
      { part: 'router', address: router },
      { part: 'quoter', address: quoter },
    ].map((each) => ({
      ...each,
      answers: [
        { ...FACTORY, expected: factory },
        { ...WETH9, expected: wrapped },
      ],
    })),
  ],
  v4: ({ poolManager, positionManager, router, permit2 }) => [
    { part: 'pool manager', address: poolManager },
    {
      part: 'position manager',
      address: positionManager,
      answers: [
        { name: 'poolManager', selector: '0xdc4c90d3', expected: poolManager },
        { name: 'permit2', selector: '0x12261ee7', expected: permit2 },
      ],
    },
    { part: 'router', address: router },
    { part: 'Permit2', address: permit2 },
  ],
  solidly: ({ factory, router, poolImplementation }, wrapped) => [
    { part: 'factory', address: factory },
    { part: 'pool implementation', address: poolImplementation },
    {
      part: 'router',
      address: router,
      answers: [
        { name: 'defaultFactory', selector: '0xd4b6846d', expected: factory },
        { name: 'weth', selector: '0x3fc8cef3', expected: wrapped },
      ],
    },
  ],
  slipstream: ({ factory, router, poolImplementation }, wrapped) => [
    { part: 'factory', address: factory },
    { part: 'pool implementation', address: poolImplementation },
    {
      part: 'router',
      address: router,
      answers: [
        { ...FACTORY, expected: factory },
        { ...WETH9, expected: wrapped },
      ],
    },
  ],
  algebra: ({ factory, router, poolDeployer }, wrapped) => [
    { part: 'factory', address: factory },
    { part: 'pool deployer', address: poolDeployer },
    {
      part: 'router',
      address: router,
      answers: [
        { ...FACTORY, expected: factory },
        { name: 'WNativeToken', selector: '0x8af3ac85', expected: wrapped },
      ],
    },
  ],
}
