import type { SolanaAccount } from '../../solana/account.js'
import { addressAt, addressBytes, parseSolanaAddress, type SolanaAddress } from '../../solana/address.js'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/programs.js'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from '../../solana/svm/runtime-errors.js'
import { parseMint } from '../../solana/token/mint.js'
import { parseTokenAccount } from '../../solana/token/token-account.js'
import type { SolanaChain } from './cluster.js'
import { configOf, type Params, RpcCallError } from './json-rpc-params.js'
import { getBlock, getBlocks, getTransaction } from './recorded-blocks.js'

type Method = (chain: SolanaChain, params: Params) => unknown

/** The methods that wallets and this service use. Throws {@link RpcCallError} for all others. */
export function answerCall(chain: SolanaChain, method: string, params: Params): unknown {
  const run = METHODS.get(method)
  if (run === undefined) throw new RpcCallError(-32601, 'Method not found')
  return run(chain, params)
}

const GENESIS_HASH = 'AssayDevnetGenesis11111111111111111111111111'
const MAX_SIGNATURES = 1_000
const LARGEST = 20

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['getHealth', () => 'ok'],
  ['getVersion', () => ({ 'solana-core': '4.0.0', 'feature-set': 0 })],
  ['getGenesisHash', () => GENESIS_HASH],
  ['getSlot', ({ clock }) => clock.slot],
  ['getBlockTime', ({ clock }) => clock.unixTime],
  ['getEpochSchedule', ({ svm }) => ({ ...EPOCHS, slotsPerEpoch: svm.getEpochSchedule().slotsPerEpoch })],
  ['getEpochInfo', ({ clock }) => ({ epoch: clock.epoch, absoluteSlot: clock.slot, blockHeight: clock.slot })],
  ['getAccountInfo', (chain, [address, config]) => at(chain, encode(chain.get(toAddress(address)), config))],
  ['getMultipleAccounts', getMultipleAccounts],
  ['getBalance', (chain, [address]) => at(chain, chain.get(toAddress(address))?.lamports ?? 0n)],
  ['getProgramAccounts', getProgramAccounts],
  ['getTokenSupply', getTokenSupply],
  ['getTokenLargestAccounts', getTokenLargestAccounts],
  ['getTokenAccountBalance', getTokenAccountBalance],
  ['getSignaturesForAddress', getSignaturesForAddress],
  ['getTransaction', getTransaction],
  ['getBlocks', getBlocks],
  ['getBlock', getBlock],
  [
    'getLatestBlockhash',
    (chain) =>
      at(chain, { blockhash: chain.blockHash(chain.clock.slot), lastValidBlockHeight: chain.clock.slot + 150n }),
  ],
  [
    'getMinimumBalanceForRentExemption',
    ({ svm }, [bytes]) => svm.minimumBalanceForRentExemption(BigInt(Number(bytes))),
  ],
  ['getFeeForMessage', (chain) => at(chain, 5_000n)],
  ['requestAirdrop', requestAirdrop],
  ['simulateTransaction', simulateTransaction],
  ['sendTransaction', sendTransaction],
])

const EPOCHS = { leaderScheduleSlotOffset: 432_000, warmup: false, firstNormalEpoch: 0, firstNormalSlot: 0 }

const at = ({ clock }: SolanaChain, value: unknown) => ({ context: { apiVersion: '4.0.0', slot: clock.slot }, value })

function toAddress(value: unknown): SolanaAddress {
  const address = parseSolanaAddress(value)
  if (address === undefined) throw new RpcCallError(-32602, 'Invalid param: WrongSize')
  return address
}

const NEVER = 18_446_744_073_709_551_615n

function encode(account: SolanaAccount | undefined, config: unknown) {
  if (account === undefined) return null
  const { dataSlice } = configOf(config)
  const data = dataSlice ? account.data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : account.data
  return {
    lamports: account.lamports,
    owner: account.owner,
    executable: account.executable,
    data: [Buffer.from(data).toString('base64'), 'base64'],
    rentEpoch: NEVER,
    space: account.data.length,
  }
}

function getMultipleAccounts(chain: SolanaChain, [addresses, config]: Params) {
  if (!Array.isArray(addresses) || addresses.length > 100)
    throw new RpcCallError(-32602, 'Too many inputs provided; max 100')
  refuseAhead(chain, configOf(config).minContextSlot ?? 0)
  return at(
    chain,
    addresses.map((address) => encode(chain.get(toAddress(address)), config)),
  )
}

function getProgramAccounts(chain: SolanaChain, [program, config]: Params) {
  const { filters = [] } = configOf(config)
  const found = chain.ownedBy(toAddress(program)).filter(({ account: { data } }) =>
    filters.every(({ memcmp, dataSize }) => {
      if (dataSize !== undefined && data.length !== dataSize) return false
      if (memcmp === undefined) return true
      const wanted = addressBytes(toAddress(memcmp.bytes))
      return Buffer.compare(data.subarray(memcmp.offset, memcmp.offset + wanted.length), wanted) === 0
    }),
  )
  return found.map(({ address, account }) => ({ pubkey: address, account: encode(account, config) }))
}

function mintOf(chain: SolanaChain, address: unknown) {
  const mint = parseMint(toAddress(address), chain.get(toAddress(address)))
  if (mint === undefined) throw new RpcCallError(-32602, 'Invalid param: not a Token mint')
  return mint
}

const uiAmount = (amount: bigint, decimals: number) => ({
  amount: String(amount),
  decimals,
  uiAmountString: String(Number(amount) / 10 ** decimals),
})

function getTokenSupply(chain: SolanaChain, [mint]: Params) {
  const { supply, decimals } = mintOf(chain, mint)
  return at(chain, uiAmount(supply, decimals))
}

function getTokenLargestAccounts(chain: SolanaChain, [mint]: Params) {
  const { address, decimals } = mintOf(chain, mint)
  const holders = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
    .flatMap((program) => chain.ownedBy(program))
    .map((entry) => parseTokenAccount(entry.address, entry.account))
    .filter((account) => account !== undefined)
    .filter((account) => account.mint === address)
    .sort((a, b) => (b.amount > a.amount ? 1 : -1))
  const value = holders
    .slice(0, LARGEST)
    .map((holder) => ({ address: holder.address, ...uiAmount(holder.amount, decimals) }))
  return at(chain, value)
}

function getTokenAccountBalance(chain: SolanaChain, [address]: Params) {
  const account = parseTokenAccount(toAddress(address), chain.get(toAddress(address)))
  if (account === undefined) throw new RpcCallError(-32602, 'Invalid param: not a Token account')
  return at(chain, uiAmount(account.amount, mintOf(chain, account.mint).decimals))
}

function getSignaturesForAddress(chain: SolanaChain, [address, config]: Params) {
  const { limit = MAX_SIGNATURES, until, before, minContextSlot = 0 } = configOf(config)
  refuseAhead(chain, minContextSlot)
  const history = chain.history(toAddress(address))
  const placeOf = (wanted: string | undefined) => history.findIndex(({ signature }) => signature === wanted)
  const end = placeOf(until)
  const asked = history.slice(placeOf(before) + 1, end < 0 ? undefined : end)
  return asked.slice(0, limit).map(({ signature, slot, time, failed }) => ({
    signature,
    slot,
    blockTime: time,
    err: failed ? { InstructionError: [0, 'GenericError'] } : null,
    memo: null,
    confirmationStatus: 'finalized',
  }))
}

function refuseAhead({ clock }: SolanaChain, minContextSlot: number): void {
  if (BigInt(minContextSlot) > clock.slot) throw new RpcCallError(-32016, 'Minimum context slot has not been reached')
}

function requestAirdrop(chain: SolanaChain, [address, lamports]: Params) {
  const to = toAddress(address)
  const { lamports: before = 0n, ...rest } = chain.get(to) ?? {
    owner: SYSTEM,
    executable: false,
    data: new Uint8Array(),
  }
  chain.set(to, { ...rest, lamports: before + BigInt(Number(lamports)) })
  return chain.record([to], false)
}

const SYSTEM = addressAt(new Uint8Array(32))

function bytesOf(transaction: unknown): { bytes: Uint8Array; isVersioned: boolean } {
  const bytes = new Uint8Array(Buffer.from(String(transaction), 'base64'))
  const signatures = bytes[0] ?? 0
  return { bytes, isVersioned: ((bytes[1 + signatures * 64] ?? 0) & 0x80) !== 0 }
}

function simulateTransaction(chain: SolanaChain, [transaction, config]: Params) {
  const { svm, native } = chain
  const { bytes, isVersioned } = bytesOf(transaction)
  const outcome = isVersioned ? svm.simulateVersionedTransaction(bytes) : svm.simulateLegacyTransaction(bytes)
  const failed = outcome instanceof native.FailedTransactionMetadata
  const meta = outcome.meta()
  const after = failed
    ? new Map<SolanaAddress, SolanaAccount>()
    : new Map(
        outcome.postAccounts().map((entry) => {
          const account = entry.account()
          const owner = addressAt(account.owner())
          const plain = { lamports: account.lamports(), owner, executable: account.executable(), data: account.data() }
          return [addressAt(entry.address), plain] as const
        }),
      )
  const wanted = configOf(config).accounts?.addresses ?? []
  return at(chain, {
    err: failed ? describeError(chain, outcome.err()) : null,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    accounts: wanted.map((address) => encode(after.get(toAddress(address)) ?? chain.get(toAddress(address)), {})),
  })
}

function sendTransaction(chain: SolanaChain, [transaction]: Params) {
  const { svm, native } = chain
  const { bytes, isVersioned } = bytesOf(transaction)
  const outcome = isVersioned ? svm.sendVersionedTransaction(bytes) : svm.sendLegacyTransaction(bytes)
  if (outcome instanceof native.FailedTransactionMetadata) {
    throw new RpcCallError(
      -32002,
      `Transaction simulation failed: ${JSON.stringify(describeError(chain, outcome.err()))}`,
    )
  }
  chain.nextSlot()
  svm.expireBlockhash()
  return chain.record([], false)
}

type NativeError = ReturnType<InstanceType<SolanaChain['native']['FailedTransactionMetadata']>['err']>

function describeError({ native }: SolanaChain, error: NativeError): unknown {
  if (!(error instanceof native.TransactionErrorInstructionError)) {
    return typeof error === 'number'
      ? TRANSACTION_ERRORS[error]
      : error.constructor.name.replace('TransactionError', '')
  }
  const inner = error.err()
  if (inner instanceof native.InstructionErrorCustom) return { InstructionError: [error.index, { Custom: inner.code }] }
  return { InstructionError: [error.index, typeof inner === 'number' ? INSTRUCTION_ERRORS[inner] : 'BorshIoError'] }
}
