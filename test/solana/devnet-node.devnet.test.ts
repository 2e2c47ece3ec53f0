import {
  appendTransactionMessageInstruction,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  fetchMint,
  getBurnCheckedInstructionDataEncoder,
  getFreezeAccountInstructionDataEncoder,
  getMintToInstructionDataEncoder,
  getTransferCheckedInstructionDataEncoder,
} from '@solana-program/token'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MARKETS } from '../../src/devnet/solana/examples/markets.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { addressFor } from '../../src/devnet/solana/scene.js'
import { type SolanaDevnet, startSolanaDevnet } from '../../src/devnet/solana/start-solana-devnet.js'
import { TOKEN_PROGRAM } from '../../src/solana/programs.js'
import { burnChecked, freezeAccount, mintTo, transferChecked } from '../../src/solana/token/token-instructions.js'

let devnet: SolanaDevnet
beforeAll(async () => {
  devnet = await startSolanaDevnet({ examples: [...RULES, ...MARKETS].filter(({ name }) => name === 'mintable') })
})
afterAll(() => devnet.stop())

/** The library's own client, which knows nothing of us. */
const rpcOf = ({ url }: SolanaDevnet) => createSolanaRpc(url)

describe('the node of the devnet serves the usual client', () => {
  test('a mint is read as the library reads it', async () => {
    const mint = devnet.examples[0]?.address ?? TOKEN_PROGRAM
    const { data } = await fetchMint(rpcOf(devnet), mint)
    expect(data).toMatchObject({ supply: 1_000_000_000_000_000n, decimals: 6, isInitialized: true })
    expect(data.mintAuthority).toEqual({ __option: 'Some', value: addressFor('owner') })
    const { value } = await rpcOf(devnet).getTokenLargestAccounts(mint).send()
    expect(value[0]?.amount).toBe('600000000000000')
  })

  test('a signed transfer goes through, and shows in the history', async () => {
    const rpc = rpcOf(devnet)
    const [from, to] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
    await rpc.requestAirdrop(from.address, lamports(2_000_000_000n)).send()
    const { value: blockhash } = await rpc.getLatestBlockhash().send()
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayerSigner(from, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
      (m) =>
        appendTransactionMessageInstruction(
          getTransferSolInstruction({ source: from, destination: to.address, amount: 1_000_000_000n }),
          m,
        ),
    )
    const transaction = await signTransactionMessageWithSigners(message)
    await rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64' }).send()
    expect((await rpc.getBalance(to.address).send()).value).toBe(1_000_000_000n)
    expect(await rpc.getSignaturesForAddress(from.address).send()).not.toEqual([])
  })

  test('what it does not know, it refuses', async () => {
    const response = await fetch(devnet.url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getNothing' }),
    })
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32601 } })
  })
})

describe('instructions have the bytes that the library writes', () => {
  const mint = { address: addressFor('a mint'), tokenProgram: TOKEN_PROGRAM, decimals: 6 }
  const [account, other, authority] = [addressFor('account'), addressFor('other'), addressFor('authority')]
  const amount = 12_345n

  test.each([
    [
      'transferChecked',
      transferChecked(mint, { from: account, to: other, authority, amount }).data,
      getTransferCheckedInstructionDataEncoder().encode({ amount, decimals: 6 }),
    ],
    ['freeze', freezeAccount(mint, account, { authority }).data, getFreezeAccountInstructionDataEncoder().encode({})],
    ['mintTo', mintTo(mint, account, amount, { authority }).data, getMintToInstructionDataEncoder().encode({ amount })],
    [
      'burnChecked',
      burnChecked(mint, account, amount, { authority }).data,
      getBurnCheckedInstructionDataEncoder().encode({ amount, decimals: 6 }),
    ],
  ])('%s', (_, ours, theirs) => {
    expect([...ours]).toEqual([...theirs])
  })

  test('a multisig is not asked to sign, its members are', () => {
    const { accounts } = freezeAccount(mint, account, { authority, signers: [other] })
    expect(accounts.filter(({ signer }) => signer).map(({ address }) => address)).toEqual([other])
    expect(accounts.map(({ address }) => address)).toContain(authority)
  })
})
