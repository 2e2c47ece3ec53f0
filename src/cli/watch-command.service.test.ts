import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { threadsOfWorker } from '../../test/threads-of-worker.js'
import { type Devnet, startDevnet } from '../devnet/start-devnet.js'
import { run } from './program.js'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ chainId: 1, examples: ['owner-can-close', 'clean'] })
})
afterAll(() => devnet?.stop())

/** Runs the command, calls `act` at its first line, and stops it at the line that `isLast`. */
async function watching(args: readonly string[], act: () => Promise<unknown>, isLast: (text: string) => boolean) {
  const written: string[] = []
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  let acted: Promise<unknown> | undefined
  const code = await run(['watch', ...args, '--chain', '1', '--rpc-url', devnet.url], {
    env: { ASSAY_MAX_HEAD_AGE: '0' },
    threads: threadsOfWorker(),
    write(text) {
      written.push(text)
      acted ??= act()
      if (isLast(text)) stop()
    },
    writeError: (text) => written.push(text),
    untilStopped: () => stopped,
  })
  await acted
  return { code, written }
}

const abi = parseAbi(['function owner() view returns (address)', 'function setClosed(bool next)'])
const addressOf = (name: string) => devnet.examples.find((each) => each.name === name)?.targetContractAddress ?? ''

/** The owner shuts the token. */
async function shut(token: string) {
  const owner = await devnet.node.call<string>(
    'eth_call',
    { to: token, data: encodeFunctionData({ abi, functionName: 'owner' }) },
    'latest',
  )
  const data = encodeFunctionData({ abi, functionName: 'setClosed', args: [true] })
  await devnet.node.call('eth_sendTransaction', { from: `0x${owner.slice(-40)}`, to: token, data })
}

test('a token that is shut while it is watched is told of, with the new verdict', async () => {
  const token = addressOf('owner-can-close')
  const { code, written } = await watching(
    [token, addressOf('clean')],
    () => shut(token),
    (text) => text.includes('Critical Risk'),
  )
  expect(code).toBe(0)
  expect(written[0]).toMatch(/^0x[0-9a-f]{40} {2}(No trap found|Do not buy) \(\w+( Risk)?, \d+ of 100, 0 is best\): /)
  const all = written.join('')
  expect(all).toMatch(new RegExp(`${token}  condition: .*\\n  block \\d+, transaction 0x[0-9a-f]{64}`, 'i'))
  expect(all).toMatch(/Do not buy \(High Risk, .*\) → Do not buy \(Critical Risk, \d+ of 100, 0 is best\): /)
})

test.each([
  ['a kind that is none', ['0x00000000000000000000000000000000000a11ce', '--tell', 'moon', '--chain', '1']],
  ['Solana', ['0x00000000000000000000000000000000000a11ce', '--chain', 'sol']],
  ['no address', ['--chain', '1']],
])('%s is a usage error', async (_, args) => {
  let err = ''
  const code = await run(['watch', ...args], {
    env: {},
    write: () => {},
    writeError: (text) => {
      err += text
    },
  })
  expect(code).toBe(2)
  expect(err).toMatch(/error: /)
})
