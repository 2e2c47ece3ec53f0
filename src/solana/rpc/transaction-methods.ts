import { parseList, parseObject, RpcInvalidAnswerError } from '../../rpc/parse.js'
import type { RpcRequest } from '../../rpc/request.js'
import type { SolanaAddress } from '../address.js'
import { COMMITMENT, parseBase58Address, parseCount, parseSignature } from './solana-parse.js'

/** What a transaction made, as far as its balances tell. */
export interface MadeAccounts {
  signature: string
  slot: bigint
  /** Seconds since 1970; `undefined` when the node does not know. */
  time: bigint | undefined
  /** Who paid for it. */
  payer: SolanaAddress
  /** Every account that it names, programs among them. */
  named: readonly SolanaAddress[]
  /** Accounts that held nothing before and something after, without those that hold tokens. */
  made: readonly SolanaAddress[]
  /** Token accounts that were none before. */
  opened: readonly OpenedAccount[]
}

/** A token account, for which account it is, and of which token. */
export interface OpenedAccount {
  address: SolanaAddress
  owner: SolanaAddress
  mint: SolanaAddress
}

/** The runtime's bound on accounts of a transaction. */
const MAX_ACCOUNTS_OF_TRANSACTION = 256

/** What a transaction that went through made; `undefined` where it failed, or is not known yet. */
export const getMadeAccounts = (signature: string): RpcRequest<MadeAccounts | undefined> => ({
  method: 'getTransaction',
  params: [signature, { encoding: 'json', commitment: COMMITMENT, maxSupportedTransactionVersion: 0 }],
  parse: (answer) => (answer === null ? undefined : parseMade(answer)),
})

function parseMade(answer: unknown): MadeAccounts | undefined {
  const { slot, blockTime, meta, transaction } = parseObject(answer)
  if (hasFailed(meta)) return undefined
  const { signatures } = parseObject(transaction)
  return toMade({ slot, blockTime, meta, signatures, named: parseNamed(transaction, meta) })
}

const hasFailed = (meta: unknown) => (parseObject(meta).err ?? null) !== null

interface ToldTransaction {
  slot: unknown
  blockTime: unknown
  meta: unknown
  signatures: unknown
  named: readonly SolanaAddress[]
}

function toMade({ slot, blockTime, meta: told, signatures, named }: ToldTransaction): MadeAccounts {
  const meta = parseObject(told)
  const [before, after] = [meta.preBalances, meta.postBalances].map((all) =>
    parseList(all, parseBalance, MAX_ACCOUNTS_OF_TRANSACTION),
  )
  const holders = new Set(holdingsIn(meta.postTokenBalances).map(({ accountIndex }) => Number(accountIndex)))
  const [payer] = named
  if (payer === undefined || before?.length !== named.length || after?.length !== named.length)
    throw new RpcInvalidAnswerError('balances of each account', named.length)
  return {
    signature: parseSignature(parseList(signatures, (each) => each, MAX_ACCOUNTS_OF_TRANSACTION)[0]),
    slot: parseCount(slot),
    time: blockTime === null || blockTime === undefined ? undefined : parseCount(blockTime),
    ...{ payer, named },
    made: named.filter((_, i) => before[i] === 0 && after[i] !== 0 && !holders.has(i)),
    opened: openedIn(meta).flatMap(({ accountIndex, owner, mint }) => {
      const address = named[Number(accountIndex)]
      return address === undefined
        ? []
        : [{ address, owner: parseBase58Address(owner), mint: parseBase58Address(mint) }]
    }),
  }
}

const holdingsIn = (balances: unknown) => parseList(balances ?? [], parseObject, MAX_ACCOUNTS_OF_TRANSACTION)

/** Holdings of token accounts that were none before; old nodes do not tell for which account. */
function openedIn({ preTokenBalances, postTokenBalances }: Record<string, unknown>) {
  const known = new Set(holdingsIn(preTokenBalances).map(({ accountIndex }) => accountIndex))
  return holdingsIn(postTokenBalances).filter(
    ({ accountIndex, owner }) => owner !== undefined && !known.has(accountIndex),
  )
}

/** What is known of a transaction before it is read with care; texts as the node wrote them. */
export type MayMatter = (transaction: {
  named: readonly unknown[]
  signers: readonly unknown[]
  /** For which accounts it opened token accounts. */
  owners: readonly unknown[]
}) => boolean

/** A block, with those of its transactions that may matter. */
export interface BlockOfMade {
  hash: string
  /** The slot of the block before it. */
  parent: bigint
  made: readonly MadeAccounts[]
}

/** More transactions than a block has had. */
const MAX_TRANSACTIONS_OF_BLOCK = 20_000

/**
 * A whole block, with the accounts and balances of its transactions: some megabytes, of which all
 * but `mayMatter` is passed over.
 */
export const getBlockOfMade = (slot: bigint, mayMatter: MayMatter): RpcRequest<BlockOfMade> => ({
  method: 'getBlock',
  params: [
    Number(slot),
    { commitment: COMMITMENT, transactionDetails: 'accounts', rewards: false, maxSupportedTransactionVersion: 0 },
  ],
  parse(answer) {
    const { blockhash, parentSlot, blockTime, transactions } = parseObject(answer)
    const made = parseList(transactions, parseObject, MAX_TRANSACTIONS_OF_BLOCK).flatMap(({ meta, transaction }) => {
      if (hasFailed(meta)) return []
      const { accountKeys, signatures } = parseObject(transaction)
      const keys = parseList(accountKeys, parseObject, MAX_ACCOUNTS_OF_TRANSACTION)
      const named = keys.map(({ pubkey }) => pubkey)
      const signers = keys.filter(({ signer }) => signer === true).map(({ pubkey }) => pubkey)
      const owners = openedIn(parseObject(meta)).map(({ owner }) => owner)
      if (!mayMatter({ named, signers, owners })) return []
      return [toMade({ slot: Number(slot), blockTime, meta, signatures, named: named.map(parseBase58Address) })]
    })
    return { hash: parseBase58Address(blockhash), parent: parseCount(parentSlot), made }
  },
})

/** Every account that a transaction names, those of tables last. */
function parseNamed(transaction: unknown, meta: unknown): SolanaAddress[] {
  const addresses = (value: unknown) => parseList(value, parseBase58Address, MAX_ACCOUNTS_OF_TRANSACTION)
  const named = addresses(parseObject(parseObject(transaction).message).accountKeys)
  const tables = meta === null || meta === undefined ? undefined : parseObject(meta).loadedAddresses
  if (tables === null || tables === undefined) return named
  const { writable = [], readonly = [] } = parseObject(tables)
  return [...named, ...addresses(writable), ...addresses(readonly)]
}

/** Lamports, of which only zero matters here. */
function parseBalance(value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0)) throw new RpcInvalidAnswerError('a balance', value)
  return value
}

/**
 * The accounts that a transaction names, who paid for it first; `undefined` where the node does not
 * have it any more.
 */
export const getTransactionKeys = (signature: string): RpcRequest<SolanaAddress[] | undefined> => ({
  method: 'getTransaction',
  params: [signature, { encoding: 'json', commitment: COMMITMENT, maxSupportedTransactionVersion: 0 }],
  parse(answer) {
    if (answer === null) return undefined
    const { transaction, meta } = parseObject(answer)
    const { signatures } = parseObject(transaction)
    const isAsked = parseList(signatures, (each) => each, MAX_ACCOUNTS_OF_TRANSACTION).includes(signature)
    if (!isAsked) throw new RpcInvalidAnswerError('the transaction that was asked for', signatures)
    return parseNamed(transaction, meta)
  },
})
