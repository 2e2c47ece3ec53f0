import { parseList, parseObject, RpcInvalidAnswerError } from '../../rpc/parse.js'
import type { RpcRequest } from '../../rpc/request.js'
import type { SolanaAccount } from '../account.js'
import type { SolanaAddress } from '../address.js'
import {
  type AtSlot,
  COMMITMENT,
  parseAccount,
  parseAtSlot,
  parseBase58Address,
  parseCount,
  parseSignature,
} from './solana-parse.js'

const sliceOf = (prefixBytes: number | undefined) =>
  prefixBytes !== undefined && { dataSlice: { offset: 0, length: prefixBytes } }

/** Accounts that one `getMultipleAccounts` may name (the limit of the nodes). */
export const MAX_ACCOUNTS_PER_CALL = 100

export interface AccountsQuery {
  addresses: readonly SolanaAddress[]
  /** Only that many bytes from the start of each. */
  prefixBytes?: number
  /** Nodes that have not seen this slot refuse. */
  minSlot?: bigint | undefined
}

export const getMultipleAccounts = ({
  addresses,
  prefixBytes,
  minSlot,
}: AccountsQuery): RpcRequest<AtSlot<(SolanaAccount | undefined)[]>> => ({
  method: 'getMultipleAccounts',
  params: [
    addresses,
    {
      encoding: 'base64',
      commitment: COMMITMENT,
      ...sliceOf(prefixBytes),
      ...(minSlot !== undefined && { minContextSlot: Number(minSlot) }),
    },
  ],
  parse: (answer) =>
    parseAtSlot(answer, (value) => {
      const accounts = parseList(value, parseAccount, addresses.length)
      if (accounts.length !== addresses.length) throw new RpcInvalidAnswerError(`${addresses.length} accounts`, value)
      const isCut = accounts.some((account) => prefixBytes !== undefined && (account?.data.length ?? 0) > prefixBytes)
      if (isCut) throw new RpcInvalidAnswerError(`${prefixBytes} bytes`, 'more')
      return accounts
    }),
})

/** One account, by another way than {@link getMultipleAccounts}. */
export const getAccountInfo = (
  address: SolanaAddress,
  prefixBytes?: number,
): RpcRequest<AtSlot<SolanaAccount | undefined>> => ({
  method: 'getAccountInfo',
  params: [address, { encoding: 'base64', commitment: COMMITMENT, ...sliceOf(prefixBytes) }],
  parse: (answer) => parseAtSlot(answer, parseAccount),
})

/** A token account among the largest of its mint. */
export interface LargestAccount {
  address: SolanaAddress
  amount: bigint
}

/** The 20 largest accounts of a mint. Many public nodes refuse it, or ration it. */
export const getTokenLargestAccounts = (mint: SolanaAddress): RpcRequest<AtSlot<LargestAccount[]>> => ({
  method: 'getTokenLargestAccounts',
  params: [mint, { commitment: COMMITMENT }],
  parse: (answer) =>
    parseAtSlot(answer, (value) =>
      parseList(
        value,
        (item) => {
          const { address, amount } = parseObject(item)
          return { address: parseBase58Address(address), amount: parseAmount(amount) }
        },
        MAX_LARGEST,
      ),
    ),
})

/** Nodes name no more. */
export const MAX_LARGEST = 20

export interface SignatureRecord {
  signature: string
  slot: bigint
  /** Seconds since 1970; `undefined` when the node does not know. */
  time: bigint | undefined
  failed: boolean
}

/**
 * The newest transactions that name an address, newest first; those after `until` and before
 * `before` alone, and of nodes that have seen `minSlot`, where these are given.
 */
export const getSignaturesForAddress = (
  address: SolanaAddress,
  limit: number,
  { until, before, minSlot }: { until?: string | undefined; before?: string | undefined; minSlot?: bigint } = {},
): RpcRequest<SignatureRecord[]> => ({
  method: 'getSignaturesForAddress',
  params: [
    address,
    {
      limit,
      commitment: COMMITMENT,
      ...(until !== undefined && { until }),
      ...(before !== undefined && { before }),
      ...(minSlot !== undefined && { minContextSlot: Number(minSlot) }),
    },
  ],
  parse: (answer) =>
    parseList(
      answer,
      (item) => {
        const { signature, slot, blockTime, err } = parseObject(item)
        return {
          signature: parseSignature(signature),
          slot: parseCount(slot),
          time: blockTime === null || blockTime === undefined ? undefined : parseCount(blockTime),
          failed: err !== null && err !== undefined,
        }
      },
      limit,
    ),
})

/** The newest slot, and the hash of its block. */
export const getNewestSlot = (): RpcRequest<{ number: bigint; hash: string }> => ({
  method: 'getLatestBlockhash',
  params: [{ commitment: COMMITMENT }],
  parse(answer) {
    const { slot, value } = parseAtSlot(answer, (each) => parseBase58Address(parseObject(each).blockhash))
    return { number: slot, hash: value }
  },
})

/** More slots than anything here asks about. */
const MAX_SLOTS = 2_000

/** Slots from `first` to `last` that have a block. */
export const getConfirmedSlots = (first: bigint, last: bigint): RpcRequest<bigint[]> => ({
  method: 'getBlocks',
  params: [Number(first), Number(last), { commitment: COMMITMENT }],
  parse: (answer) => parseList(answer, parseCount, MAX_SLOTS),
})

/** The hash of a slot's block, without what is in it. Nodes that keep no blocks refuse. */
export const getBlockHash = (slot: bigint): RpcRequest<string> => ({
  method: 'getBlock',
  params: [
    Number(slot),
    { commitment: COMMITMENT, transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 },
  ],
  parse: (answer) => parseBase58Address(parseObject(answer).blockhash),
})

/** Tells clusters apart. */
export const getGenesisHash = (): RpcRequest<string> => ({
  method: 'getGenesisHash',
  params: [],
  parse: (answer) => parseBase58Address(answer),
})

/** A token amount, which JSON gives as text. */
function parseAmount(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) throw new RpcInvalidAnswerError('an amount', value)
  return BigInt(value)
}

export interface ProgramAccountsQuery {
  program: SolanaAddress
  /** What their data holds, and where. */
  names: readonly { offset: number; address: SolanaAddress }[]
  /** Only those of this length. */
  bytes?: number
  /** Only that many bytes from the start of each. */
  prefixBytes?: number
  /** An answer with more is refused. */
  limit?: number
}

/** Accounts of a program by what their data holds. Many nodes refuse it. */
export const getProgramAccounts = ({
  program,
  names,
  bytes,
  prefixBytes,
  limit = MAX_PROGRAM_ACCOUNTS,
}: ProgramAccountsQuery): RpcRequest<{ address: SolanaAddress; account: SolanaAccount }[]> => ({
  method: 'getProgramAccounts',
  params: [
    program,
    {
      encoding: 'base64',
      commitment: COMMITMENT,
      ...sliceOf(prefixBytes),
      filters: [
        ...(bytes === undefined ? [] : [{ dataSize: bytes }]),
        ...names.map(({ offset, address }) => ({ memcmp: { offset, bytes: address } })),
      ],
    },
  ],
  parse: (answer) =>
    parseList(
      answer,
      (item) => {
        const { pubkey, account } = parseObject(item)
        const parsed = parseAccount(account)
        if (parsed === undefined) throw new RpcInvalidAnswerError('an account', account)
        return { address: parseBase58Address(pubkey), account: parsed }
      },
      limit,
    ),
})

/** One vault belongs to one pool; accounts made to look alike must not fill our memory. */
const MAX_PROGRAM_ACCOUNTS = 16
