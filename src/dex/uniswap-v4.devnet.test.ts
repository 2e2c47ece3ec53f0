import { decodeFunctionData, encodeFunctionData, type Hex, maxUint256, parseAbi, parseEther, slice } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listOnV4 } from '../../test/dex/list-pool.js'
import { type Stage, startStage } from '../../test/dex/venue-stage.js'
import { readPackaged } from '../devnet/artifacts.js'
import { type Address, hexToBytes, ZERO_ADDRESS } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import { balanceOf, erc20Abi } from './read-contract.js'
import { createUniswapV4 } from './uniswap-v4.js'
import type { Order } from './venue.js'

const executeAbi = parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline) payable'])
const actionsAbi = parseAbi(['function executeActions(bytes params) payable'])
const V4_SWAP = '0x10'
const ROUTER: Address = '0x000000000000000000000000000000000000f4f4'
const TRADER: Address = '0x0000000000000000000000000000000000007a3d'
const SPENT = parseEther('0.1')

/**
 * The devnet's router is a stand-in, which could share our mistakes. Uniswap's own V4Router,
 * without the commands around it, cannot.
 */
describe("actions, as Uniswap's own V4Router understands them", () => {
  let stage: Stage
  let token: Address
  const deployment = () => {
    const [v4] = stage.chain.v4
    if (!v4) throw new Error('no V4')
    return v4
  }

  beforeAll(async () => {
    stage = await startStage(1)
    token = await stage.deploy('Clean')
    const list = listOnV4(deployment(), deployment().positionManager)
    const amounts = { tokenAmount: parseEther('200000'), quoteAmount: parseEther('40') }
    await list(stage, { token, quote: stage.chain.wrappedNative, ...amounts })
    const [dollar] = stage.chain.watchedTokens
    if (!dollar) throw new Error('no dollar')
    await list(stage, {
      token,
      quote: dollar.address,
      tokenAmount: parseEther('200000'),
      quoteAmount: 120_000_000_000n,
    })
    const hub = { tokenAmount: 900_000_000_000n, quoteAmount: parseEther('300') }
    await list(stage, { token: dollar.address, quote: stage.chain.wrappedNative, ...hub })
  })
  afterAll(() => stage?.stop())

  /**
   * Hands the actions of a trade to Uniswap's router. Its constructor only keeps the pool manager
   * as an immutable.
   */
  function act({ evm }: Fork, call: { data: Hex; value: bigint }) {
    const { args } = decodeFunctionData({ abi: executeAbi, data: call.data })
    const [commands, inputs] = args
    const actions =
      inputs[Array.from({ length: commands.length / 2 - 1 }, (_, i) => slice(commands, i, i + 1)).indexOf(V4_SWAP)]
    if (!actions) throw new Error('no V4_SWAP')
    const data = encodeFunctionData({ abi: actionsAbi, functionName: 'executeActions', args: [actions] })
    return transact({ evm }, { to: ROUTER, data, value: call.value })
  }

  function transact({ evm }: Pick<Fork, 'evm'>, call: { to: Address; data: Hex; value?: bigint }) {
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
    return evm.transact({ ...call, from: TRADER, gasLimit: 3_000_000n, ...fees })
  }

  const withRouter = (fork: Fork) => {
    const { bytecode } = readPackaged('@uniswap/v4-periphery/foundry-out/MockV4Router.sol/MockV4Router.json')
    const manager = deployment().poolManager.slice(2).padStart(64, '0')
    fork.evm.setBalance(TRADER, parseEther('10'))
    fork.evm.setCode(ROUTER, hexToBytes(`${bytecode}${manager}`))
    const built = fork.evm.read({ to: ROUTER, data: '0x' })
    fork.evm.setCode(ROUTER, hexToBytes(built.output))
  }

  test.each(['native coin', 'a dollar'])('a round trip against %s', async (against) => {
    const { output } = await stage.play((fork) => {
      withRouter(fork)
      const venue = createUniswapV4(stage.chain, deployment())
      const [dollar = ZERO_ADDRESS] = stage.chain.watchedTokens.map(({ address }) => address)
      const [native] = venue.findPools(fork, token, [stage.chain.wrappedNative])
      const [quoted] = venue.findPools(fork, token, [dollar])
      const [via] = venue.findPools(fork, dollar, [stage.chain.wrappedNative])
      if (!native || !quoted || !via) return
      const terms = { trader: TRADER, deadline: fork.evm.block.timestamp + 60n }
      const order = (amountIn: bigint): Order =>
        against === 'a dollar' ? { pool: quoted, via, amountIn, ...terms } : { pool: native, amountIn, ...terms }
      const bought = act(fork, venue.buy(order(SPENT)))
      const held = balanceOf(fork, token, TRADER) ?? 0n
      const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ROUTER, maxUint256] })
      transact(fork, { to: token, data: approve })
      const before = fork.evm.account(TRADER).balance
      const sold = act(fork, venue.sell(order(held)))
      const gained = fork.evm.account(TRADER).balance - before
      return { bought: bought.status, sold: sold.status, held, left: balanceOf(fork, token, TRADER), gained }
    })
    expect(output).toMatchObject({ bought: 'success', sold: 'success', left: 0n })
    expect(output?.held).toBeGreaterThan(parseEther('400'))
    expect(Number(output?.gained) / Number(SPENT)).toBeGreaterThan(0.9)
  })
})
