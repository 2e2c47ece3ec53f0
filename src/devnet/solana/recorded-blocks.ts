import { parseTokenAccount } from '../../solana/token/token-account.js'
import type { RecordedTransaction, SolanaChain } from './cluster.js'
import { configOf, type Params, RpcCallError } from './json-rpc-params.js'

const MAX_SLOTS = 500_000
const MAX_SKIPPED = 1_000

export function getTransaction(chain: SolanaChain, [signature]: Params) {
  const found = chain.find(String(signature))
  if (found === undefined) return null
  const { slot, time, accounts } = found
  return {
    ...{ slot, blockTime: time, version: 'legacy' },
    transaction: { signatures: [signature], message: { accountKeys: accounts.map(({ address }) => address) } },
    meta: { ...metaOf(chain, found), loadedAddresses: { writable: [], readonly: [] } },
  }
}

function metaOf(chain: SolanaChain, { failed, accounts }: RecordedTransaction) {
  const holdings = accounts.flatMap(({ address, before }, accountIndex) => {
    const holding = parseTokenAccount(address, chain.get(address))
    return holding ? [{ before, told: { accountIndex, mint: holding.mint, owner: holding.owner } }] : []
  })
  return {
    err: failed ? { InstructionError: [0, 'GenericError'] } : null,
    preBalances: accounts.map(({ before }) => before),
    postBalances: accounts.map(({ after }) => after),
    preTokenBalances: holdings.filter(({ before }) => before > 0n).map(({ told }) => told),
    postTokenBalances: holdings.map(({ told }) => told),
  }
}

/** The slots of a range that have a block. */
export function getBlocks(chain: SolanaChain, [first, last]: Params) {
  const slots: bigint[] = []
  const end = BigInt(Math.min(Number(last ?? chain.clock.slot), Number(chain.clock.slot)))
  for (let slot = BigInt(Number(first)); slot <= end && slots.length < MAX_SLOTS; slot += 1n)
    if (chain.blockHash(slot) !== undefined) slots.push(slot)
  return slots
}

/** Without what is in it, or with the accounts of its transactions. */
export function getBlock(chain: SolanaChain, [number, config]: Params) {
  const slot = BigInt(Number(number))
  const blockhash = chain.blockHash(slot)
  if (blockhash === undefined) throw new RpcCallError(-32007, `Slot ${slot} was skipped`)
  const { transactionDetails } = configOf(config)
  const transactions = chain.inSlot(slot).map((each) => ({
    transaction: {
      signatures: [each.signature],
      accountKeys: each.accounts.map(({ address }, i) => ({ pubkey: address, signer: i === 0, writable: true })),
    },
    meta: metaOf(chain, each),
    version: 'legacy',
  }))
  let parentSlot = slot - 1n
  for (let i = 0; i < MAX_SKIPPED && chain.blockHash(parentSlot) === undefined; i += 1) parentSlot -= 1n
  return {
    ...{ blockhash, blockTime: chain.clock.unixTime, parentSlot, blockHeight: slot },
    ...(transactionDetails === 'accounts' && { transactions }),
  }
}
