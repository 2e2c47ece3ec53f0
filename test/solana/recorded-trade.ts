import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { getBase58Encoder } from '@solana/kit'
import type { SolanaAccount } from '../../src/solana/account.js'
import type { SolanaAddress } from '../../src/solana/address.js'
import type { AccountMeta } from '../../src/solana/instruction.js'
import { readPool } from '../../src/solana/pools/read-pool.js'
import type { SwapLeg } from '../../src/solana/pools/swap-request.js'
import { SHARED_DATA } from '../conformance/shared-data.js'

/**
 * A purchase on PumpSwap as mainnet executed it on 2026-02-17, with the accounts that it named: the
 * format is that of a node's `getMultipleAccounts` and `getTransaction`.
 */
export function readRecordedTrade() {
  const folder = join(SHARED_DATA, 'solana-accounts/pumpswap-trade')
  const names = readFileSync(join(folder, 'account_keys.txt'), 'utf8').trim().split('\n') as SolanaAddress[]
  const answer = JSON.parse(gunzipSync(readFileSync(join(folder, 'accounts.json.gz'))).toString('utf8'))
  const values: readonly (NodeAccount | null)[] = answer.result.value
  const accounts = new Map(names.map((name, i) => [name, parse(values[i] ?? undefined)]))
  const read = (address: SolanaAddress) => accounts.get(address)

  const { transaction, meta } = JSON.parse(readFileSync(join(folder, 'tx_json.json'), 'utf8')).result as Recorded
  const { accountKeys, header } = transaction.message
  const { writable, readonly } = meta.loadedAddresses
  const keys = [...accountKeys, ...writable, ...readonly]
  const isWritable = (i: number) =>
    i < accountKeys.length - header.numReadonlyUnsignedAccounts ||
    (i >= accountKeys.length && i < accountKeys.length + writable.length)
  const at = (i: number): AccountMeta => ({
    address: keys[i] ?? ('' as SolanaAddress),
    signer: i < header.numRequiredSignatures,
    writable: isWritable(i),
  })
  const swap = meta.innerInstructions
    .flatMap(({ instructions }) => instructions)
    .find(({ programIdIndex, stackHeight }) => keys[programIdIndex] === PUMP_SWAP && stackHeight === 2)
  if (swap === undefined) throw new Error('the trade has no swap')
  const data = Uint8Array.from(getBase58Encoder().encode(swap.data))
  const metas = swap.accounts.map(at)
  const [poolAt, trader, , base, quote, baseAccount, quoteAccount, baseVault, quoteVault] = metas.map(
    ({ address }) => address,
  )
  const pool = poolAt && readPool(poolAt, read(poolAt), 0n)
  const leg = (mint?: SolanaAddress, account?: SolanaAddress, vault?: SolanaAddress): SwapLeg => {
    const tokenProgram = mint && read(mint)?.owner
    if (!mint || !account || !vault || !tokenProgram) throw new Error('the trade lacks a token')
    return { mint, tokenProgram, vault, account, extra: [] }
  }
  if (!pool || !trader) throw new Error('the trade has no pool')
  return {
    read,
    pool,
    trade: {
      trader,
      amountIn: new DataView(data.buffer).getBigUint64(8, true),
      base: leg(base, baseAccount, baseVault),
      quote: leg(quote, quoteAccount, quoteVault),
      accounts: metas,
      data,
    },
  }
}

const PUMP_SWAP = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA'

interface NodeAccount {
  data: [base64: string, encoding: string]
  executable: boolean
  lamports: number
  owner: SolanaAddress
}

interface Recorded {
  transaction: {
    message: {
      accountKeys: SolanaAddress[]
      header: { numRequiredSignatures: number; numReadonlyUnsignedAccounts: number }
    }
  }
  meta: {
    loadedAddresses: { writable: SolanaAddress[]; readonly: SolanaAddress[] }
    innerInstructions: {
      instructions: { programIdIndex: number; stackHeight: number; accounts: number[]; data: string }[]
    }[]
  }
}

function parse(account: NodeAccount | undefined): SolanaAccount | undefined {
  return (
    account && {
      lamports: BigInt(account.lamports),
      owner: account.owner,
      executable: account.executable,
      data: Uint8Array.from(Buffer.from(account.data[0], 'base64')),
    }
  )
}
