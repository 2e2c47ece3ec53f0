// Made by `npm run generate:client` from the OpenAPI document. Do not edit.

export type CheckHoneypotRequest = AnalysisRequest | SolanaRequest
export type CheckHoneypotAnswer = HoneypotAnswer | SolanaHoneypotAnswer
export type StreamAnalysisRequest =
  | AnalysisRequest
  | {
      /**
       * Address of the token or contract to analyse.
       */
      targetContractAddress: string
      /**
       * Ethereum 1, BNB Smart Chain 56, Base 8453, Arbitrum One 42161, OP Mainnet 10.
       */
      chainId: number
      /**
       * Analyse the chain as it was after this block.
       */
      blockNumber?: number
      /**
       * Make this check alone, which is faster: `overall` is then null, and the answer says nothing about the rest.
       */
      only?: boolean
      /**
       * Whose wallet it is; an account made up for the purpose if absent.
       */
      from?: string
      /**
       * Where `calldata` and `value` go; the target if absent.
       */
      to?: string
      /**
       * Wei that the wallet is asked to send to the target.
       */
      value?: string
      /**
       * What the wallet is asked to send to the target.
       */
      calldata?: string
      typedData?: TypedData
      /**
       * Several calls as one question (EIP-5792), in place of `calldata` and `value`; played in order.
       *
       * @minItems 1
       * @maxItems 16
       */
      calls?: WalletCall[]
      /**
       * Code that the wallet is asked to take for its own (EIP-7702); signed ones have `yParity`, `r`, `s`.
       *
       * @minItems 1
       * @maxItems 8
       */
      authorizationList?: CodeAuthorization[]
    }
  | SolanaRequest
export type SaveReportRequest =
  | {
      /**
       * Address of the token or contract to analyse.
       */
      targetContractAddress: string
      /**
       * Ethereum 1, BNB Smart Chain 56, Base 8453, Arbitrum One 42161, OP Mainnet 10.
       */
      chainId: number
      /**
       * Analyse the chain as it was after this block.
       */
      blockNumber?: number
      /**
       * The pool to judge instead of the deepest one: its address, or its 32-byte id on Uniswap V4.
       */
      pair?: string
      /**
       * Where no pool is found, make one on the copy of the chain from the largest known holder’s tokens.
       */
      simulateLiquidity?: boolean
      /**
       * Wei of native coin to buy with, instead of an amount that suits the pool.
       */
      amount?: string
      /**
       * Make this check alone, which is faster: `overall` is then null, and the answer says nothing about the rest.
       */
      only?: boolean
      /**
       * How much of calls and logs the simulation shows: `short` cuts data at 4 KiB, `full` at 64 KiB.
       */
      trace?: 'short' | 'full'
      /**
       * `link`: everyone who has the link reads it. `private`: the one who made it.
       */
      visibility?: 'link' | 'private'
    }
  | {
      /**
       * Mint of the token to analyse.
       */
      targetContractAddress: string
      chainId: 'SOL'
      /**
       * `link`: everyone who has the link reads it. `private`: the one who made it.
       */
      visibility?: 'link' | 'private'
    }
export type ReportFalseResultRequest =
  | {
      /**
       * Address of the token or contract to analyse.
       */
      targetContractAddress: string
      /**
       * Ethereum 1, BNB Smart Chain 56, Base 8453, Arbitrum One 42161, OP Mainnet 10.
       */
      chainId: number
      /**
       * Analyse the chain as it was after this block.
       */
      blockNumber?: number
      /**
       * The pool to judge instead of the deepest one: its address, or its 32-byte id on Uniswap V4.
       */
      pair?: string
      /**
       * Where no pool is found, make one on the copy of the chain from the largest known holder’s tokens.
       */
      simulateLiquidity?: boolean
      /**
       * Wei of native coin to buy with, instead of an amount that suits the pool.
       */
      amount?: string
      /**
       * Make this check alone, which is faster: `overall` is then null, and the answer says nothing about the rest.
       */
      only?: boolean
      /**
       * How much of calls and logs the simulation shows: `short` cuts data at 4 KiB, `full` at 64 KiB.
       */
      trace?: 'short' | 'full'
      /**
       * What is wrong, in your own words.
       */
      message: string
      /**
       * What it is by your word; `other` where nothing is said.
       */
      expected?: 'harmless' | 'harmful' | 'other'
      /**
       * What the result said that you hold to be wrong.
       */
      seen?: {
        level?: string
        score?: number
        /**
         * `inputs.digest` of it.
         */
        digest?: string
      }
    }
  | {
      /**
       * Mint of the token to analyse.
       */
      targetContractAddress: string
      chainId: 'SOL'
      /**
       * What is wrong, in your own words.
       */
      message: string
      /**
       * What it is by your word; `other` where nothing is said.
       */
      expected?: 'harmless' | 'harmful' | 'other'
      /**
       * What the result said that you hold to be wrong.
       */
      seen?: {
        level?: string
        score?: number
        /**
         * `inputs.digest` of it.
         */
        digest?: string
      }
    }
  | {
      /**
       * A saved report that you may read.
       */
      report: string
      /**
       * What is wrong, in your own words.
       */
      message: string
      /**
       * What it is by your word; `other` where nothing is said.
       */
      expected?: 'harmless' | 'harmful' | 'other'
      /**
       * What the result said that you hold to be wrong.
       */
      seen?: {
        level?: string
        score?: number
        /**
         * `inputs.digest` of it.
         */
        digest?: string
      }
    }

export interface Schemas {
  ReadHealthRequest: ReadHealthRequest
  ReadHealthAnswer: ReadHealthAnswer
  ReadReadinessRequest: ReadReadinessRequest
  ReadReadinessAnswer: ReadReadinessAnswer
  ReadSigningKeyRequest: ReadSigningKeyRequest
  ReadSigningKeyAnswer: ReadSigningKeyAnswer
  ListChainsRequest: ListChainsRequest
  ListChainsAnswer: ListChainsAnswer
  LookUpRequest: LookUpRequest
  LookUpAnswer: LookUpAnswer
  SimulateRequest: SimulateRequest
  SimulateAnswer: SimulateAnswer
  CheckHoneypotRequest: CheckHoneypotRequest
  CheckHoneypotAnswer: CheckHoneypotAnswer
  CheckPhishingRequest: CheckPhishingRequest
  CheckPhishingAnswer: CheckPhishingAnswer
  CheckSolanaTokenRequest: CheckSolanaTokenRequest
  CheckSolanaTokenAnswer: CheckSolanaTokenAnswer
  StreamAnalysisRequest: StreamAnalysisRequest
  CreateBatchRequest: CreateBatchRequest
  CreateBatchAnswer: CreateBatchAnswer
  ListBatchesRequest: ListBatchesRequest
  ListBatchesAnswer: ListBatchesAnswer
  ReadBatchRequest: ReadBatchRequest
  ReadBatchAnswer: ReadBatchAnswer
  ListWebhooksRequest: ListWebhooksRequest
  ListWebhooksAnswer: ListWebhooksAnswer
  RedeliverWebhookRequest: RedeliverWebhookRequest
  RedeliverWebhookAnswer: RedeliverWebhookAnswer
  CreateWatchRequest: CreateWatchRequest
  CreateWatchAnswer: CreateWatchAnswer
  ListWatchesRequest: ListWatchesRequest
  ListWatchesAnswer: ListWatchesAnswer
  ListAlertsRequest: ListAlertsRequest
  ListAlertsAnswer: ListAlertsAnswer
  StreamAlertsRequest: StreamAlertsRequest
  ReadWatchRequest: ReadWatchRequest
  ReadWatchAnswer: ReadWatchAnswer
  EndWatchRequest: EndWatchRequest
  EndWatchAnswer: EndWatchAnswer
  ReadWatchDependenciesRequest: ReadWatchDependenciesRequest
  ReadWatchDependenciesAnswer: ReadWatchDependenciesAnswer
  ListFeedRequest: ListFeedRequest
  ListFeedAnswer: ListFeedAnswer
  StreamFeedRequest: StreamFeedRequest
  ListContactsRequest: ListContactsRequest
  ListContactsAnswer: ListContactsAnswer
  OrderContactRequest: OrderContactRequest
  OrderContactAnswer: OrderContactAnswer
  EndContactRequest: EndContactRequest
  EndContactAnswer: EndContactAnswer
  SaveReportRequest: SaveReportRequest
  SaveReportAnswer: SaveReportAnswer
  ListReportsRequest: ListReportsRequest
  ListReportsAnswer: ListReportsAnswer
  ReadReportRequest: ReadReportRequest
  ReadReportAnswer: ReadReportAnswer
  ShowReportRequest: ShowReportRequest
  ShowReportAnswer: ShowReportAnswer
  DeleteReportRequest: DeleteReportRequest
  DeleteReportAnswer: DeleteReportAnswer
  CheckReportAgainRequest: CheckReportAgainRequest
  CheckReportAgainAnswer: CheckReportAgainAnswer
  ReportFalseResultRequest: ReportFalseResultRequest
  ReportFalseResultAnswer: ReportFalseResultAnswer
  ReadStatsRequest: ReadStatsRequest
  ReadStatsAnswer: ReadStatsAnswer
  ReadSharedReportRequest: ReadSharedReportRequest
  ReadSharedReportAnswer: ReadSharedReportAnswer
  ReadUsageRequest: ReadUsageRequest
  ReadUsageAnswer: ReadUsageAnswer
}
export type ReadHealthRequest = Record<string, never>
export interface ReadHealthAnswer {
  success: true
  status: 'alive'
  engineVersion: string
}
export type ReadReadinessRequest = Record<string, never>
export interface ReadReadinessAnswer {
  success: true
  status: 'ready'
  dependencies: {
    [k: string]: 'ok' | 'failed'
  }
}
export type ReadSigningKeyRequest = Record<string, never>
export interface ReadSigningKeyAnswer {
  success: true
  /**
   * Null where reports are not signed.
   */
  signingKey: {
    keyId: string
    algorithm: 'Ed25519'
    /**
     * PEM (SPKI).
     */
    publicKey: string
  } | null
}
export type ListChainsRequest = Record<string, never>
export interface ListChainsAnswer {
  success: true
  chains: {
    /**
     * What `chainId` of a request is.
     */
    id: number | 'SOL'
    name: string
    /**
     * Symbol of the native coin.
     */
    coin: string
  }[]
  /**
   * What the operator offers to look at first.
   */
  examples: {
    name: string
    chainId: number | 'SOL'
    address: string
  }[]
}
export interface LookUpRequest {
  q: string
}
export interface LookUpAnswer {
  success: true
  address: string
  /**
   * Where it has code.
   */
  chains: {
    id: number
    name: string
  }[]
  /**
   * Whose nodes did not answer in time: it may be there too.
   */
  unanswered: {
    id: number
    name: string
  }[]
}
export interface SimulateRequest {
  /**
   * Address of the token or contract to analyse.
   */
  targetContractAddress: string
  /**
   * Ethereum 1, BNB Smart Chain 56, Base 8453, Arbitrum One 42161, OP Mainnet 10.
   */
  chainId: number
  /**
   * Analyse the chain as it was after this block.
   */
  blockNumber?: number
  /**
   * The pool to judge instead of the deepest one: its address, or its 32-byte id on Uniswap V4.
   */
  pair?: string
  /**
   * Where no pool is found, make one on the copy of the chain from the largest known holder’s tokens.
   */
  simulateLiquidity?: boolean
  /**
   * Wei of native coin to buy with, instead of an amount that suits the pool.
   */
  amount?: string
  /**
   * Make this check alone, which is faster: `overall` is then null, and the answer says nothing about the rest.
   */
  only?: boolean
  /**
   * How much of calls and logs the simulation shows: `short` cuts data at 4 KiB, `full` at 64 KiB.
   */
  trace?: 'short' | 'full'
}
export interface SimulateAnswer {
  success: true
  checks: {
    simulateResult: {
      /**
       * Whether the simulation executed.
       */
      success: boolean
      /**
       * Net change of native coin over the round trip, without gas, in wei.
       */
      ethDelta: string
      /**
       * Net change of the token, in base units.
       */
      tokenDelta: string
      /**
       * Whether the trader ends with more native coin.
       */
      isProfit: boolean
      /**
       * Whether an allowance changed that the trader did not ask for.
       */
      allowanceChanged: boolean
      /**
       * The largest such change, or `Unlimited`.
       */
      allowanceDelta: string
      /**
       * Why the simulation failed; empty on success.
       */
      errorReason: string
      /**
       * The same as `errorReason`, for clients that read this name. Only on failure.
       */
      humanReason?: string
      /**
       * Return data of the simulated call.
       */
      returnData: string
      /**
       * Length of the whole return data, where it was cut.
       */
      returnDataBytes?: number
      /**
       * When the simulation ran, ISO 8601.
       */
      simulatedAt: string
      /**
       * The larger of buy and sell tax in percent.
       */
      estimatedTax: string
      /**
       * Buy tax, decimal percent; null when it could not be measured.
       */
      buyTax: string | null
      /**
       * Sell tax, decimal percent; null when it could not be measured.
       */
      sellTax: string | null
      /**
       * Transfer tax, decimal percent; null when it could not be measured.
       */
      transferTax: string | null
      /**
       * Gas of all steps of the main branch.
       */
      gasUsed: string
      /**
       * What the chain takes for these steps beside gas, in wei: for their data on L1, and for its operator. An estimate within a few percent; chains of the OP Stack, and Arbitrum, whose nodes count it as gas.
       */
      l1Fee?: string
      /**
       * Addresses of major tokens, separated by commas.
       */
      watchedTokens: string
      /**
       * Their balance changes, in the same order.
       */
      watchedTokensDeltas: string
      /**
       * Whether a contract was entered again before its first call returned.
       */
      isReentrancy: boolean
      /**
       * Whether what was bought could not be sold, by any of our traders.
       */
      isHoneypot: boolean
      /**
       * Why the outcome says nothing about the token; null when it does.
       */
      inconclusive: string | null
      venue: {
        name: string
        /**
         * The pool traded in.
         */
        pool: string
        /**
         * What our calls to this exchange were tried on: its own code, or only code that this project wrote from its interface (docs/chains.md).
         */
        testedOn: 'real code' | 'stand-in'
      } | null
      steps: {
        /**
         * What the trader did.
         */
        name: string
        /**
         * `side`: tried on a copy and undone.
         */
        branch: 'main' | 'side'
        /**
         * Whether the transaction went through.
         */
        success: boolean
        /**
         * Gas paid for.
         */
        gasUsed: string
        /**
         * Why it failed; empty otherwise.
         */
        errorReason: string
        /**
         * How long a cooldown of the token kept the trader waiting.
         */
        waitedSeconds: number
      }[]
      /**
       * What decides a sale, but for what every token has; empty where the honeypot check was not made.
       */
      conditions: Condition[]
      /**
       * How much of what decides is known. Null where no sale was looked at, or it is no token.
       */
      coverage: Coverage | null
      /**
       * Who executed the trade: the engine of this service, or, for contracts that only the chain itself can run, its node by this method. Frames inside a transaction are known of the first only.
       */
      engine: 'interpreter' | 'eth_simulateV1' | 'eth_call'
      simulation: {
        calls: CallFrame[]
        logs: {
          /**
           * Emitter.
           */
          address: string
          /**
           * Data.
           */
          data: string
          topics: string[]
          /**
           * Its data was cut.
           */
          truncated?: true
          /**
           * Length of the whole data, where it was cut.
           */
          dataBytes?: number
        }[]
        /**
         * Whether `calls`, `logs` or `returnData` outgrew their bound and lack something. The outcome is whole all the same.
         */
        isTruncated: boolean
      }
    }
    byteCodeResult: ByteCodeResult
    transactionHistoryResult: TransactionHistoryResult
  }
  /**
   * The verdict of all checks on the target, the same in every answer (docs/verdict.md). Null with `only`.
   */
  overall: Overall | null
  /**
   * What the token says of itself; null where it is no token, could not be asked, or was not (`only`).
   */
  token: Token | null
  /**
   * What this installation knows of other tokens with the same code. It never moves the verdict (docs/families.md). Null where the code was not read, or nothing could be asked.
   */
  family?: Family | null
  block: Block
  /**
   * Version of the engine that made this report.
   */
  engineVersion: string
  inputs?: Inputs
  signature?: Signature
}
export interface Condition {
  /**
   * Whose code decides.
   */
  contract: string
  /**
   * The function of it that was called; of the code alone, the standard function that asks.
   */
  selector: string
  /**
   * Where in it the decision stands.
   */
  pc: number
  /**
   * How it answers now, in words.
   */
  text: string
  /**
   * What it asks for: time, block, gas, gas-price, seller, amount, coins, code, storage, balance, call, market, fixed, unknown.
   */
  leaves: string[]
  /**
   * What a sale loses where it answers otherwise; null where that was not tried.
   */
  effect: 'none' | 'loss' | null
  loss: number | null
  /**
   * What can make it answer otherwise: now (seller, chance of the block), time, trading, anyone, holder (of the storage that it asks for), unknown; null where nothing can.
   */
  reach: string | null
  /**
   * Sold in such circumstances; sold with the branch forced; or only read.
   */
  proven: 'played' | 'forced' | 'read'
  /**
   * Of the code alone, what stands on its hostile side: a revert, nothing moved, something else moved.
   */
  outcome: 'refuses' | 'silent' | 'differs' | null
  /**
   * Of the code alone, what can move what it asks for.
   */
  movers: {
    /**
     * anyone, holder, trading, time, chance, contract, unknown.
     */
    by: string
    /**
     * Functions that write what it asks for.
     */
    selectors: string[]
  }[]
  /**
   * Of the code alone, why it is explained: findings that tell of it, or what keeps it from harm.
   */
  explainedBy: string[]
  /**
   * Why it is not explained; null where it is.
   */
  unexplained: string | null
}
export interface Coverage {
  /**
   * Conditions, those that every token has included.
   */
  conditions: number
  /**
   * Those of them that are explained.
   */
  explained: number
  /**
   * Whether all are, and all were seen.
   */
  isComplete: boolean
  /**
   * The others in words: the function, and what it asks.
   */
  unexplained: string[]
}
export interface CallFrame {
  /**
   * Kind of call.
   */
  type: string
  /**
   * Caller.
   */
  from: string
  /**
   * Callee; `0x` for a creation that failed.
   */
  to: string
  /**
   * Native coin sent.
   */
  value: string
  /**
   * Gas provided.
   */
  gas: string
  /**
   * Gas consumed.
   */
  gasUsed: string
  /**
   * Call data.
   */
  input: string
  /**
   * Return data.
   */
  output: string
  /**
   * Its data was cut, or calls that it made are left out.
   */
  truncated?: true
  /**
   * Length of the whole call data, where it was cut.
   */
  inputBytes?: number
  /**
   * Length of the whole return data, where it was cut.
   */
  outputBytes?: number
  /**
   * Why the frame failed.
   */
  error?: string
  /**
   * The decoded reason of a revert.
   */
  revertReason?: string
  /**
   * Calls made by this frame, in order.
   */
  calls?: CallFrame[]
}
export interface ByteCodeResult {
  /**
   * True for a contract, false for an externally owned account.
   */
  isContract: boolean
  /**
   * The overall verdict, of all checks; with `only`, of those in this answer.
   */
  trustStatus: 'Safe' | 'Low Risk' | 'Medium Risk' | 'High Risk' | 'Critical Risk'
  /**
   * The reason for it, in a few sentences.
   */
  humanWarning: string
  riskFlags: {
    threatLevel: 'HIGH' | 'MEDIUM' | 'LOW'
    /**
     * Short name of the finding.
     */
    title: string
    /**
     * What it means for the user.
     */
    description: string
    /**
     * Stable name of the detector.
     */
    id: string
    /**
     * How sure the finding is; how bad it is stands elsewhere.
     */
    confidence: 'HIGH' | 'MEDIUM' | 'LOW'
    evidence: {
      /**
       * Contract whose code it is: the target, or what it delegates to.
       */
      address: string
      /**
       * Position in that code.
       */
      pc?: number
      /**
       * Function that leads there.
       */
      selector?: string
      /**
       * Storage slot concerned.
       */
      slot?: string
      /**
       * What the slot holds now.
       */
      value?: string
      /**
       * Who holds the power now.
       */
      holder?: string
      /**
       * What was seen.
       */
      note?: string
    }[]
  }[]
  /**
   * How sure the finding is; how bad it is stands elsewhere.
   */
  confidence: 'HIGH' | 'MEDIUM' | 'LOW'
  codeHash: string | null
  normalisedHash: string | null
  /**
   * Functions that the code dispatches to.
   */
  selectors: string[]
  proxy: {
    /**
     * How the target hands its calls on.
     */
    kind: string
    address: string | null
    slot: string | null
    /**
     * Who can exchange it, as far as known.
     */
    admin: string | null
    codeHash: string | null
  }[]
  /**
   * False when something was left unseen; the verdict is then at least `Medium Risk`.
   */
  complete: boolean
  /**
   * What was left unseen.
   */
  gaps: string[]
  /**
   * What decides its standard functions, as its code alone tells: those that are not explained first.
   */
  conditions: Condition[]
  /**
   * How much of what decides is known. Null where no sale was looked at, or it is no token.
   */
  coverage: Coverage | null
}
export interface TransactionHistoryResult {
  /**
   * Whether the look-up succeeded.
   */
  success: boolean
  /**
   * Null when the look-up failed: unknown is not dead.
   */
  activityPulse: 'Very Active' | 'Active' | 'Low Activity' | 'Dead / No Activity' | null
  /**
   * The activity in plain language.
   */
  message: string
  /**
   * Newest first.
   *
   * @maxItems 10
   */
  recentTransfers: {
    /**
     * Transaction.
     */
    hash: string
    /**
     * Sender.
     */
    from: string
    /**
     * Receiver.
     */
    to: string
    /**
     * Amount in whole tokens; in base units when the token does not say its decimals.
     */
    amount: string
    /**
     * Symbol as the token gives it.
     */
    symbol: string
    /**
     * Time of the block, ISO 8601.
     */
    date: string
    /**
     * Amount in base units.
     */
    value: string
    blockNumber: number
    logIndex: number
  }[]
  /**
   * Null when the look-up failed.
   */
  summary: {
    /**
     * In the last 7 days; see `last7Days.isEstimate`.
     */
    totalTransfers: number
    /**
     * Distinct accounts among the transfers that were read.
     */
    uniqueWallets: number
    /**
     * ISO 8601.
     */
    lastTransferDate: string | null
    /**
     * Sum of the transfers that were read, in whole tokens where the decimals are known.
     */
    totalERC20Volume: string
    /**
     * ISO 8601: the first mint, if the reading goes back beyond it and nothing came before.
     */
    firstMintDate: string | null
    last24Hours: Activity
    last7Days: Activity
    /**
     * Transfers in each of the last 24 hours, oldest first; null for an hour that was not read whole.
     *
     * @minItems 24
     * @maxItems 24
     */
    hours?: (number | null)[]
    /**
     * Signs that the token is made to look alive.
     *
     * @maxItems 5
     */
    makeBelieve: {
      id: 'zero-value-transfers' | 'look-alike-addresses' | 'one-sender' | 'few-accounts' | 'no-balance-change'
      /**
       * What was seen, in plain language.
       */
      description: string
    }[]
  } | null
}
export interface Activity {
  transfers: number
  /**
   * Distinct accounts; of an estimate those that were seen.
   */
  senders: number
  /**
   * Distinct accounts; of an estimate those that were seen.
   */
  receivers: number
  /**
   * Transfers out of the judged pool.
   */
  buys: number | null
  /**
   * Transfers into the judged pool.
   */
  sells: number | null
  /**
   * Worked out from a part of that time.
   */
  isEstimate: boolean
}
export interface Overall {
  /**
   * The judgement in one word.
   */
  level: 'Safe' | 'Low Risk' | 'Medium Risk' | 'High Risk' | 'Critical Risk'
  /**
   * The judgement as a number; higher is worse.
   */
  score: number
  /**
   * The judgement in the words of a buyer. `Not known`: too little was seen. `Do not use`: of what is no token, and of a request that a wallet should not sign.
   */
  advice: 'No trap found' | 'Be careful' | 'Do not buy' | 'Do not use' | 'Not known'
  /**
   * The worst that was found, in a few words.
   */
  headline: string
  /**
   * Why, in a few sentences.
   */
  reason: string
  /**
   * What the judgement lacks; null when it is whole. Neither guilt nor safety.
   */
  inconclusive: string | null
  /**
   * Our machine was too busy: asking again will help.
   */
  inconclusiveCode?: 'machine_busy'
}
export interface Token {
  /**
   * Its own word for itself; untrusted, made safe to show.
   */
  name: string
  /**
   * The same in short.
   */
  symbol: string
  decimals: number | null
  /**
   * Base units.
   */
  totalSupply: string | null
  /**
   * What is odd about name and symbol: `hidden` characters, `mixed-scripts` in one word, `cut` because too long.
   */
  marks: string[]
  /**
   * The well-known token whose name or symbol it carries without being it.
   */
  imitates: {
    symbol: string
    address: string
  } | null
}
export interface Family {
  /**
   * The same in a sentence.
   */
  text: string
  /**
   * Hash of the code without metadata and constants; proxies with what they delegate to. On Solana of the rules of the mint.
   */
  code: string
  /**
   * Other tokens with this code.
   */
  copies: number
  /**
   * Of these, how many were hostile at any time.
   */
  hostile: number
  /**
   * Of the hostile, how many were not when they were judged first.
   */
  turned: number
  /**
   * There are more than are counted.
   */
  isMore: boolean
  /**
   * Those of the same conditions, privileges and taxes.
   */
  alike: {
    /**
     * Other tokens with this code.
     */
    copies: number
    /**
     * Of these, how many were hostile at any time.
     */
    hostile: number
    /**
     * Of the hostile, how many were not when they were judged first.
     */
    turned: number
  }
  /**
   * Accounts that made the hostile ones, as far as they are known.
   */
  creatorsOfHostile: number
  /**
   * When the first was judged here, ISO 8601.
   */
  since: string | null
  /**
   * What other installations told, by the keys that signed it; not in the figures above.
   */
  imported: {
    keyId: string
    /**
     * Other tokens with this code.
     */
    copies: number
    /**
     * Of these, how many were hostile at any time.
     */
    hostile: number
    /**
     * Of the hostile, how many were not when they were judged first.
     */
    turned: number
  }[]
}
export interface Block {
  number: number
  hash: string
  /**
   * ISO 8601.
   */
  timestamp: string
}
/**
 * What the report was made from: enough to make it again (docs/replay.md).
 */
export interface Inputs {
  check: 'simulation' | 'honeypot' | 'phishing' | 'solana' | 'solana-honeypot'
  /**
   * What was asked, in one spelling.
   */
  request: object
  /**
   * What the invented people of this block come from.
   */
  traderSeed?: string
  /**
   * SHA-256 of the canonical JSON of the other fields and the hash of the block.
   */
  digest: string
}
/**
 * Given when the operator signs reports; the key is at `/api/signing-key`.
 */
export interface Signature {
  keyId: string
  algorithm: 'Ed25519'
  /**
   * Base64, over the canonical JSON of the report without this field.
   */
  value: string
}
export interface AnalysisRequest {
  /**
   * Address of the token or contract to analyse.
   */
  targetContractAddress: string
  /**
   * Ethereum 1, BNB Smart Chain 56, Base 8453, Arbitrum One 42161, OP Mainnet 10.
   */
  chainId: number
  /**
   * Analyse the chain as it was after this block.
   */
  blockNumber?: number
  /**
   * The pool to judge instead of the deepest one: its address, or its 32-byte id on Uniswap V4.
   */
  pair?: string
  /**
   * Where no pool is found, make one on the copy of the chain from the largest known holder’s tokens.
   */
  simulateLiquidity?: boolean
  /**
   * Wei of native coin to buy with, instead of an amount that suits the pool.
   */
  amount?: string
  /**
   * Make this check alone, which is faster: `overall` is then null, and the answer says nothing about the rest.
   */
  only?: boolean
  /**
   * How much of calls and logs the simulation shows: `short` cuts data at 4 KiB, `full` at 64 KiB.
   */
  trace?: 'short' | 'full'
}
export interface SolanaRequest {
  /**
   * Mint of the token to analyse.
   */
  targetContractAddress: string
  chainId: 'SOL'
}
export interface HoneypotAnswer {
  success: true
  honeypotResponse: HoneypotResponse
  /**
   * The verdict of all checks on the target, the same in every answer (docs/verdict.md). Null with `only`.
   */
  overall: Overall | null
  /**
   * What the token says of itself; null where it is no token, could not be asked, or was not (`only`).
   */
  token: Token | null
  /**
   * What this installation knows of other tokens with the same code. It never moves the verdict (docs/families.md). Null where the code was not read, or nothing could be asked.
   */
  family?: Family | null
  block: Block
  engineVersion: string
  inputs?: Inputs
  signature?: Signature
}
export interface HoneypotResponse {
  /**
   * Risk of buying now, 0 to 100, higher is worse: the score of the overall verdict.
   */
  riskScore: number
  /**
   * Buy tax now, percent.
   */
  buyTax: number
  /**
   * Sell tax now, percent.
   */
  sellTax: number
  /**
   * Whether a later window is hostile and the first is not.
   */
  isTimeHoneypot: boolean
  /**
   * @minItems 3
   * @maxItems 3
   */
  timeTravelResults: {
    label: 'Immediate' | '24 Hours' | '7 Days'
    /**
     * Buy tax in that window, percent.
     */
    buyTax: number
    /**
     * Sell tax in that window, percent: the worse of what was held and what was bought then. 100 when the sell is blocked.
     */
    sellTax: number
    /**
     * 0 to 100, higher is worse.
     */
    riskScore: number
    /**
     * Whether a holder of power can refuse single accounts; null where the code was not analysed.
     */
    isBlackListDetected: boolean | null
    /**
     * Whether a holder of power can make tokens.
     */
    isMintable: boolean | null
    /**
     * How grave that is, 0 to 100; 0 where none can, or nothing is known.
     */
    mintScore: number
    /**
     * Who can, and how; empty where none can.
     */
    mintReason: string
    /**
     * Whether a holder of power can stop trading or decide who may trade.
     */
    isTradingControl: boolean | null
    /**
     * What failed in that window; empty when nothing did.
     */
    errorReason: string
  }[]
  /**
   * Whether what is bought now cannot be sold.
   */
  isHoneypot: boolean
  transferTax: number | null
  /**
   * What selling in other circumstances than the ordinary ones showed.
   */
  findings: {
    id: string
    detail: string
    /**
     * Whose code decided, where that is known.
     */
    contract: string | null
    /**
     * Where in it the deciding branch stands.
     */
    pc: number | null
  }[]
  /**
   * Why trades failed, by window.
   *
   * Items: Why a trade failed in a window: the branch that decided.
   */
  causes: {
    window: string
    /**
     * `sell`: of what was bought now; `sell-fresh`: of what was bought in that window.
     */
    trade: 'buy' | 'sell' | 'sell-fresh'
    /**
     * Whose code refused.
     */
    contract: string
    /**
     * The function of it that was called.
     */
    selector: string
    /**
     * Where its last branch stands.
     */
    pc: number
    /**
     * The storage slot that decided; null where none did.
     */
    slot: string | null
    /**
     * What that slot held.
     */
    value: string | null
    /**
     * Who can change that slot, by the code and its present state; null where not known.
     */
    setBy: string | null
    /**
     * What was compared, in words.
     */
    reason: string
  }[]
  /**
   * What decides a sale, but for what every token has: those that do harm otherwise come first.
   */
  conditions: Condition[]
  /**
   * How much of what decides is known. Null where no sale was looked at, or it is no token.
   */
  coverage: Coverage | null
  /**
   * The next moment at which trading becomes another thing, by what the code compares the time with or computes from it.
   */
  nextChange: {
    /**
     * Seconds since 1970.
     */
    timestamp: number
    /**
     * The height, where it decides and not the clock.
     */
    block: string | null
    /**
     * Buy tax from then on, percent.
     */
    buyTax: number
    /**
     * Sell tax from then on, percent; 100 when the sell is blocked.
     */
    sellTax: number
    /**
     * 0 to 100, higher is worse.
     */
    riskScore: number
    /**
     * What fails from then on; empty when nothing does.
     */
    errorReason: string
  } | null
  /**
   * The overall verdict; with `only`, of this check.
   */
  trustStatus: 'Safe' | 'Low Risk' | 'Medium Risk' | 'High Risk' | 'Critical Risk'
  /**
   * The reason for it, in a sentence or two.
   */
  humanWarning: string
  /**
   * The worst first. Empty where there are none, or none could be tried.
   *
   * Items: What a holder of power can do to those who have bought, found by acting as its holder on a copy of the chain.
   */
  powers: {
    /**
     * Whose function it is.
     */
    contract: string
    selector: string
    /**
     * The name that this selector usually has; null where it is not known.
     */
    signature: string | null
    /**
     * Types of the arguments, as the code tells them.
     */
    argumentTypes: string
    /**
     * Who has the power now.
     */
    holder: {
      /**
       * account, delegated (EIP-7702), multisig, timelock, contract, unknown (a check that names no address), renounced, unset or anyone.
       */
      kind: string
      /**
       * Who must send the call; null where no address could be named.
       */
      address: string | null
      /**
       * The contract through which the holder acts, such as the admin of a proxy.
       */
      through: string | null
      /**
       * Signatures that a multisig needs.
       */
      threshold: number | null
      /**
       * Owners of a multisig.
       */
      owners: number | null
      /**
       * Kept from sight: an obfuscated check, or a holder beside an owner who has gone.
       */
      isHidden: boolean
    }
    /**
     * What the worst case is; `none` where no call that was tried did harm.
     */
    effect: string
    /**
     * Share of what a buyer has that the worst case takes or locks, percent; of an issue of tokens, the share of the pool that it can take.
     */
    loss: number
    /**
     * The worst case in words.
     */
    worstCase: string
    /**
     * Whether the code keeps it below half of the value.
     */
    isBounded: boolean
    /**
     * Whether another call of the holder undid it; null where that was not tried.
     */
    isReversible: boolean | null
    /**
     * How long a timelock makes the holder wait.
     */
    delaySeconds: number
    /**
     * What it is worth, by its effect and its holder.
     */
    riskScore: number
    /**
     * Calls of this function that were tried.
     */
    tried: number
    /**
     * No call went through; what the function may write was set on the copy of the chain, and did this.
     */
    isShownBySetting: boolean
    /**
     * What leads to the worst case after the purchases of `powersTried.scene` in the state of this block.
     */
    proof: {
      /**
       * Storage that was set before the steps, where no call that could be made writes it.
       */
      settings: {
        /**
         * In which contract.
         */
        address: string
        /**
         * Which word.
         */
        slot: string
        /**
         * To what.
         */
        value: string
      }[]
      steps: ProofStep[]
      /**
       * What came of it.
       */
      outcome: string
    } | null
  }[]
  /**
   * How much the search for powers did. Null where there was no trade to try them on.
   */
  powersTried: {
    calls: number
    trades: number
    /**
     * Why something may be missing; the verdict is then at least `Medium Risk`.
     */
    unfinished: string | null
    /**
     * What comes before the steps of each proof, and the sale of the first buyer that then went through.
     */
    scene?: {
      code: {
        /**
         * Where it lay.
         */
        address: string
        /**
         * Code that refuses all.
         */
        code: string
      }[]
      /**
       * Two people buy, and let the exchange take what they bought.
       */
      steps: ProofStep[]
      sale: ProofStep
    }
    /**
     * What was left out, which leaves the verdict as it is.
     */
    omitted?: string
  } | null
  holderAnalysis: {
    /**
     * Distinct accounts among the transfers of the last 7 days that were read.
     */
    holders: number
    /**
     * Sells that were tried, acting as holders.
     */
    tested: number
    /**
     * Sells that went through.
     */
    successful: number
    /**
     * Sells that went through and took half or more.
     */
    ruined: number
    /**
     * Sells that were refused.
     */
    failed: number
    /**
     * Accounts that bought, sent nothing, and have nothing.
     */
    siphoned: number
    /**
     * Percent, of the sells that went through.
     */
    averageTax: number | null
    /**
     * Percent.
     */
    highestTax: number | null
    /**
     * Why sells were refused, the most frequent first.
     */
    reasons: {
      reason: string
      /**
       * How many.
       */
      count: number
    }[]
    /**
     * What all who were refused have in common, and none who sold.
     */
    distinction: string | null
    /**
     * Those that were looked at and have any, who has most first. Accounts that were quiet for 7 days are not among them.
     */
    known: {
      address: string
      /**
       * A person, another contract, the judged pool, the token itself, the burn address.
       */
      kind: 'account' | 'contract' | 'pool' | 'token' | 'burnt'
      /**
       * Base units, by the word of the token.
       */
      balance: string
      /**
       * Null where the token does not say how many.
       */
      share: number | null
      /**
       * What came of a sale as that account; null where none was tried.
       */
      sale: ('sold' | 'ruined' | 'refused') | null
    }[]
    /**
     * Why something may be missing.
     */
    unfinished: string | null
  } | null
  liquidity: {
    venue: string
    /**
     * Wei of native coin that the quote side of the pool is worth.
     */
    native: string
    /**
     * Percent that cannot be taken out.
     */
    burntShare: number
    /**
     * Percent in contracts out of which no account got it at once.
     */
    lockedShare: number
    /**
     * Percent whose holder, or what holds it, is not known.
     */
    unknownShare: number
    /**
     * When locked liquidity was seen to come free.
     */
    unlocks: {
      /**
       * Seconds since 1970.
       */
      timestamp: number
      /**
       * Percent.
       */
      share: number
    }[]
    /**
     * Percent that was taken out by those who may, on a copy of the chain.
     */
    withdrawableShare: {
      /**
       * At once.
       */
      now: number
      /**
       * In 24 hours.
       */
      in24h: number
      /**
       * In 7 days.
       */
      in7d: number
    }
    holders: {
      address: string
      kind: 'burnt' | 'locker' | 'contract' | 'account'
      /**
       * Percent.
       */
      share: number
      /**
       * Name of a locking service that publishes this address.
       */
      service: string | null
      /**
       * Seconds since 1970; null where it was got out at no time that was tried.
       */
      withdrawableAt: number | null
    }[]
    /**
     * When liquidity came into the pool first; null where the node does not search so far back.
     */
    since: {
      block: number
      /**
       * ISO 8601; null where the node does not have that block any more.
       */
      timestamp: string | null
    } | null
    /**
     * Why something may be missing.
     */
    unfinished: string | null
  } | null
  /**
   * Largest purchase in one transaction, in wei; null when no limit was met.
   */
  maxBuy: string | null
  /**
   * Largest sale in one transaction, in base units; null when no limit was met.
   */
  maxSell: string | null
  /**
   * The pool that was judged.
   */
  pair: string | null
  /**
   * The exchange of that pool.
   */
  venue: string | null
  venueTestedOn: ('real code' | 'stand-in') | null
  /**
   * The id of that pool on Uniswap V4, where all pools have one address.
   */
  poolId: string | null
  market: {
    /**
     * What one whole token costs in the judged pool, in the native coin.
     */
    priceInNative: string | null
    /**
     * Wei of native coin that the quote sides of all pools are worth together.
     */
    depth: string
    /**
     * Pools in which it can be traded for native coin, the deepest first.
     */
    pools: {
      /**
       * The exchange.
       */
      venue: string
      /**
       * The pool, or the contract that holds all pools of the exchange.
       */
      address: string
      /**
       * The id of the pool on Uniswap V4.
       */
      poolId: string | null
      /**
       * What the token is exchanged for there.
       */
      quote: {
        symbol: string
        /**
         * Null for the native coin itself.
         */
        address: string | null
        decimals: number
      }
      /**
       * Base units of the quote that stand behind the price.
       */
      quoteReserve: string
      /**
       * Base units of the token that are worth as much.
       */
      tokenReserve: string
      /**
       * Wei of native coin that the quote side is worth.
       */
      depth: string
      /**
       * Percent of the depth of all pools together.
       */
      share: number
      /**
       * What one whole token costs there, in the quote; null where the token says no decimals.
       */
      price: string | null
      /**
       * The same in the native coin.
       */
      priceInNative: string | null
      /**
       * Whether it is the pool that was traded in.
       */
      isJudged: boolean
    }[]
    /**
     * Pools that are not listed.
     */
    omitted: number
  } | null
  origin: {
    /**
     * Who sent the transaction that made it; null where that is not known.
     */
    creator: string | null
    /**
     * What made it for them, such as a factory; null where they did it themselves.
     */
    through: string | null
    /**
     * Whether its address follows from the creator; otherwise it is the word of the node.
     */
    isProven: boolean
    /**
     * The block in which it was made.
     */
    block: number | null
    /**
     * ISO 8601.
     */
    timestamp: string | null
    /**
     * Why the creator is not known; null where it is.
     */
    unknown: string | null
  } | null
  /**
   * What little and much of a large holding sells for now, each sold alone; the smallest first.
   */
  saleSizes: {
    /**
     * Base units that were sold.
     */
    amount: string
    /**
     * Percent of the tokens that stand behind the price.
     */
    poolShare: number
    success: boolean
    /**
     * What was kept back; null where it could not be measured, or the sale failed.
     */
    tax: number | null
    /**
     * Wei of native coin that came out.
     */
    received: string
  }[]
  /**
   * Given when the pool exists only on the copy of the chain, because `simulateLiquidity` asked for one.
   */
  simulatedLiquidity: {
    /**
     * Whose tokens were put into the pool.
     */
    provider: string
    /**
     * Base units.
     */
    tokenAmount: string
    /**
     * Wei.
     */
    nativeAmount: string
  } | null
  /**
   * Where it seems to be traded, when it is nowhere that is known here. Nothing is concluded from it.
   */
  unknownVenues: {
    address: string
    /**
     * A pool of this token and another; a contract that quotes a price; one that holds a large part.
     */
    kind: 'pool' | 'curve' | 'holder'
    /**
     * Who made it, where it says.
     */
    factory: string | null
  }[]
  /**
   * Why trading proves nothing about this token; null when it does. Neither guilt nor safety.
   */
  inconclusive: string | null
  /**
   * Who executed the trade: the engine of this service, or, for contracts that only the chain itself can run, its node by this method. Frames inside a transaction are known of the first only.
   */
  engine: 'interpreter' | 'eth_simulateV1' | 'eth_call'
  /**
   * The same as `inconclusive`, or what failed first; empty otherwise.
   */
  errorReason: string
}
export interface ProofStep {
  /**
   * Who sends it.
   */
  from: string
  /**
   * To which contract.
   */
  to: string
  /**
   * Call data.
   */
  input: string
  /**
   * Wei that are sent along.
   */
  value: string
  /**
   * What has to pass since the step before.
   */
  waitSeconds: number
}
export interface SolanaHoneypotAnswer {
  success: true
  honeypotResponse: SolanaHoneypotResponse
  /**
   * The verdict of all checks on the target, the same in every answer (docs/verdict.md). Null with `only`.
   */
  overall: Overall | null
  /**
   * What the token says of itself; null where it is no token, could not be asked, or was not (`only`).
   */
  token: Token | null
  /**
   * What this installation knows of other tokens with the same code. It never moves the verdict (docs/families.md). Null where the code was not read, or nothing could be asked.
   */
  family: Family | null
  slot: SolanaSlot
  engineVersion: string
  inputs?: Inputs
  signature?: Signature
}
export interface SolanaHoneypotResponse {
  /**
   * Risk, 0 to 100, higher is worse.
   */
  riskScore: number
  /**
   * Buy tax now, percent.
   */
  buyTax: number
  /**
   * Sell tax now, percent.
   */
  sellTax: number
  /**
   * Whether a later window is hostile and the first is not.
   */
  isTimeHoneypot: boolean
  /**
   * @minItems 3
   * @maxItems 3
   */
  timeTravelResults: {
    label: 'Immediate' | '24 Hours' | '7 Days'
    /**
     * Buy tax in that window, percent; 100 when buying fails.
     */
    buyTax: number
    /**
     * Sell tax in that window, percent; 100 when selling fails.
     */
    sellTax: number
    /**
     * 0 to 100, higher is worse.
     */
    riskScore: number
    /**
     * Whether a holder of power can refuse single accounts.
     */
    isBlackListDetected: boolean
    /**
     * Whether a holder of power can make tokens.
     */
    isMintable: boolean
    /**
     * How grave that is; 0 where none can.
     */
    mintScore: number
    /**
     * Who can, and what came of it on the fork; empty where none can.
     */
    mintReason: string
    /**
     * Whether a holder of power can stop trading or decide who may trade.
     */
    isTradingControl: boolean
    /**
     * What failed in that window; empty when nothing did.
     */
    errorReason: string
  }[]
  /**
   * Whether what is bought now cannot be sold.
   */
  isHoneypot: boolean
  transferTax: number | null
  /**
   * Worst first.
   */
  findings: {
    /**
     * Stable name of the finding; docs/solana.md lists them.
     */
    id: string
    /**
     * What was seen: addresses, numbers, what acting on the fork did.
     */
    detail: string
  }[]
  pair: string | null
  venue: string | null
  inconclusive: string | null
  /**
   * The same as `inconclusive`, or what failed first; empty otherwise.
   */
  errorReason: string
}
/**
 * Between which slots the accounts were read; equal when all is of one moment.
 */
export interface SolanaSlot {
  first: number
  last: number
  /**
   * The cluster's time, ISO 8601.
   */
  timestamp: string
}
export interface CheckPhishingRequest {
  /**
   * Address of the token or contract to analyse.
   */
  targetContractAddress: string
  /**
   * Ethereum 1, BNB Smart Chain 56, Base 8453, Arbitrum One 42161, OP Mainnet 10.
   */
  chainId: number
  /**
   * Analyse the chain as it was after this block.
   */
  blockNumber?: number
  /**
   * Make this check alone, which is faster: `overall` is then null, and the answer says nothing about the rest.
   */
  only?: boolean
  /**
   * Whose wallet it is; an account made up for the purpose if absent.
   */
  from?: string
  /**
   * Where `calldata` and `value` go; the target if absent.
   */
  to?: string
  /**
   * Wei that the wallet is asked to send to the target.
   */
  value?: string
  /**
   * What the wallet is asked to send to the target.
   */
  calldata?: string
  typedData?: TypedData
  /**
   * Several calls as one question (EIP-5792), in place of `calldata` and `value`; played in order.
   *
   * @minItems 1
   * @maxItems 16
   */
  calls?: WalletCall[]
  /**
   * Code that the wallet is asked to take for its own (EIP-7702); signed ones have `yParity`, `r`, `s`.
   *
   * @minItems 1
   * @maxItems 8
   */
  authorizationList?: CodeAuthorization[]
}
/**
 * What the wallet is asked to sign (EIP-712): a permit, a permission for Permit2, a signed transfer, an order, a transaction of a Safe, a user operation.
 */
export interface TypedData {
  domain: object
  types: object
  primaryType: string
  message: object
}
export interface WalletCall {
  /**
   * Where the call goes.
   */
  to: string
  /**
   * Wei, in digits or as a hex quantity.
   */
  value?: string
  data?: string
}
export interface CodeAuthorization {
  /**
   * Whose code the account is to run; zero takes it back.
   */
  address: string
  /**
   * 0: on every chain.
   */
  chainId?: number | string
  nonce?: number | string
}
export interface CheckPhishingAnswer {
  success: true
  /**
   * The address as it was analysed.
   */
  contractAddress: string
  chain: string
  /**
   * `SAFE` below 15, `LOW_RISK` below 40, `HIGH_RISK` below 75, `CRITICAL` from there on.
   */
  verdict: 'SAFE' | 'LOW_RISK' | 'HIGH_RISK' | 'CRITICAL' | 'EMPTY_CONTRACT' | 'INCONCLUSIVE'
  /**
   * 0 to 100, higher is worse.
   */
  riskScore: number
  /**
   * Checks that were triggered.
   */
  flagCount: number
  /**
   * There is no code.
   */
  isEmpty: boolean
  /**
   * Something stayed unseen and nothing bad was seen: neither guilt nor safety.
   */
  inconclusive: boolean
  /**
   * Why nothing can be said.
   */
  reason: string | null
  /**
   * Empty when `isEmpty` or `inconclusive`.
   */
  checks: PhishingCheck[]
  raw: PhishingSigns
  /**
   * ISO 8601.
   */
  detectedAt: string
  /**
   * What was seen to happen, worst first.
   */
  findings: PhishingFinding[]
  /**
   * The code that the account has delegated to (EIP-7702).
   */
  delegate: string | null
  /**
   * Null unless the request has calldata, coins, calls, typed data or an authorization.
   */
  wallet: WalletEffects | null
  /**
   * The verdict of all checks on the target, the same in every answer (docs/verdict.md). Null with `only`.
   */
  overall: Overall | null
  /**
   * What the token says of itself; null where it is no token, could not be asked, or was not (`only`).
   */
  token: Token | null
  block: Block
  engineVersion: string
  data: PhishingFields
  inputs?: Inputs
  signature?: Signature
}
export interface PhishingCheck {
  name: 'Allowance Drain Trap' | 'Permit Signature Abuse' | 'Native ETH Forwarder'
  triggered: boolean
  /**
   * How bad it is where it is true.
   */
  severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW'
  /**
   * What was seen, in one sentence.
   */
  detail: string
}
export interface PhishingSigns {
  allowanceDrained: boolean
  /**
   * Who got what was taken.
   */
  drainedTo: string | null
  /**
   * Base units.
   */
  drainedAmount: string | null
  permitAbused: boolean
  /**
   * The account that the signature let take.
   */
  permitGrantedTo: string | null
  etherForwarded: boolean
  /**
   * Who got the largest part of what was paid.
   */
  etherForwardedTo: string | null
}
export interface PhishingFinding {
  /**
   * Stable name, explained in docs/phishing.md.
   */
  id: string
  /**
   * The check that it proves; null for what only tells something.
   */
  check: string | null
  /**
   * How bad it is where it is true.
   */
  severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW'
  detail: string
  /**
   * The function that did it; null for plain receipt and the fallback.
   */
  selector: string | null
  /**
   * `anyone`, `holder` (a privileged account), `listed`, `victim` or `wallet`.
   */
  by: string
  /**
   * Who called; null where no call was needed.
   */
  caller: string | null
  /**
   * What was taken; null for the native coin, or where nothing was.
   */
  token: string | null
  /**
   * Base units, or wei.
   */
  amount: string | null
  /**
   * Where it went.
   */
  to: string | null
  /**
   * The account that the signature let take.
   */
  grantedTo: string | null
  /**
   * The call that showed it, in order; at most 24 frames.
   */
  trace: {
    /**
     * How deep below the first call.
     */
    depth: number
    type: string
    from: string
    /**
     * `0x` for a creation that failed.
     */
    to: string
    /**
     * Wei, as a hex quantity.
     */
    value: string
    /**
     * First four bytes of the call data; `0x` where there are none.
     */
    selector: string
    /**
     * Why the frame failed; the words of a stranger.
     */
    error?: string
  }[]
}
/**
 * What the wallet is asked to do, taken apart.
 */
export interface WalletEffects {
  kind: 'transaction' | 'signature'
  /**
   * Whose wallet it was tried with.
   */
  account: string | null
  /**
   * Whether the transaction went through; null for signatures.
   */
  success: boolean | null
  errorReason: string
  /**
   * What was played, in order; ends with the first that failed.
   */
  calls: {
    /**
     * Who calls.
     */
    from: string
    /**
     * Who is called.
     */
    to: string
    /**
     * Wei.
     */
    value: string | null
    /**
     * First four bytes of the call data; `0x` where there are none.
     */
    selector: string
    success: boolean
    errorReason: string
  }[]
  /**
   * What would leave the account.
   */
  leaves: Movement[]
  /**
   * What would come in.
   */
  arrives: Movement[]
  /**
   * Who would be allowed to take what.
   */
  approvals: Approval[]
  /**
   * What to say before asking for consent, worst first.
   */
  warnings: {
    /**
     * Stable name, explained in docs/wallet.md.
     */
    id: string
    /**
     * How bad it is where it is true.
     */
    severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW'
    /**
     * In the words of a wallet; names of tokens in it are untrusted.
     */
    text: string
  }[]
  spenders: {
    /**
     * Who would be allowed to take.
     */
    address: string
    /**
     * What this service thinks of it.
     */
    verdict: 'SAFE' | 'LOW_RISK' | 'HIGH_RISK' | 'CRITICAL' | 'EMPTY_CONTRACT' | 'INCONCLUSIVE'
    /**
     * 0 to 100.
     */
    riskScore: number
    /**
     * Why nothing can be said of it.
     */
    reason: string | null
  }[]
}
export interface Movement {
  /**
   * Null for the native coin.
   */
  token: string | null
  /**
   * Its own word for itself; untrusted.
   */
  symbol: string
  /**
   * Its own name for itself; untrusted.
   */
  name: string
  /**
   * Null for NFTs, and where the token does not say.
   */
  decimals: number | null
  /**
   * Base units; 1 for an NFT, whose number is in `id`.
   */
  amount: string
  /**
   * Number of an NFT.
   */
  id: string | null
  /**
   * Who has it then, or had it.
   */
  counterparty: string | null
}
export interface Approval {
  /**
   * `erc20`, `nft` (all of a collection, or the one in `id`), `permit2`, `permit`, `transfer` (a signed payment), `order`, or `delegation` (EIP-7702).
   */
  kind: string
  /**
   * Null where the request does not say.
   */
  token: string | null
  /**
   * Its own word for itself; untrusted.
   */
  symbol: string
  /**
   * Its own name for itself; untrusted.
   */
  name: string
  /**
   * Null for NFTs, and where the token does not say.
   */
  decimals: number | null
  /**
   * Number of an NFT.
   */
  id: string | null
  /**
   * Who may take; the exchange of an order, the code of a delegation.
   */
  spender: string
  /**
   * Base units, or `Unlimited`.
   */
  amount: string
  /**
   * ISO 8601; null where it does not end or the end is not known.
   */
  expires: string | null
}
export interface PhishingFields {
  /**
   * The address as it was analysed.
   */
  contractAddress: string
  chain: string
  /**
   * `SAFE` below 15, `LOW_RISK` below 40, `HIGH_RISK` below 75, `CRITICAL` from there on.
   */
  verdict: 'SAFE' | 'LOW_RISK' | 'HIGH_RISK' | 'CRITICAL' | 'EMPTY_CONTRACT' | 'INCONCLUSIVE'
  /**
   * 0 to 100, higher is worse.
   */
  riskScore: number
  /**
   * Checks that were triggered.
   */
  flagCount: number
  /**
   * There is no code.
   */
  isEmpty: boolean
  /**
   * Something stayed unseen and nothing bad was seen: neither guilt nor safety.
   */
  inconclusive: boolean
  /**
   * Why nothing can be said.
   */
  reason: string | null
  /**
   * Empty when `isEmpty` or `inconclusive`.
   */
  checks: PhishingCheck[]
  raw: PhishingSigns
  /**
   * ISO 8601.
   */
  detectedAt: string
  /**
   * What was seen to happen, worst first.
   */
  findings: PhishingFinding[]
  /**
   * The code that the account has delegated to (EIP-7702).
   */
  delegate: string | null
  /**
   * Null unless the request has calldata, coins, calls, typed data or an authorization.
   */
  wallet: WalletEffects | null
  /**
   * The verdict of all checks on the target, the same in every answer (docs/verdict.md). Null with `only`.
   */
  overall: Overall | null
  /**
   * What the token says of itself; null where it is no token, could not be asked, or was not (`only`).
   */
  token: Token | null
  block: Block
  engineVersion: string
}
export interface CheckSolanaTokenRequest {
  /**
   * Mint of the token to analyse.
   */
  targetContractAddress: string
  chainId: 'SOL'
}
export interface CheckSolanaTokenAnswer {
  success: true
  checks: {
    simulateResult: {
      /**
       * Whether buying and selling worked.
       */
      success: boolean
      /**
       * Net change of native coin over the round trip on the exchange, without fees for the transaction, in lamports.
       */
      ethDelta: string
      /**
       * Net change of the token, in base units.
       */
      tokenDelta: string
      /**
       * Whether the trader ends with more native coin.
       */
      isProfit: boolean
      /**
       * Whether another account was given power over the trader's tokens.
       */
      allowanceChanged: boolean
      /**
       * How much, in base units, or `Unlimited`.
       */
      allowanceDelta: string
      /**
       * Why the simulation failed; empty on success.
       */
      errorReason: string
      /**
       * Nothing: instructions give nothing back.
       */
      returnData: string
      /**
       * When the simulation ran, ISO 8601.
       */
      simulatedAt: string
      /**
       * The larger of buy and sell tax in percent.
       */
      estimatedTax: string
      /**
       * Compute units of a purchase and a sale.
       */
      gasUsed: string
      /**
       * Mints of major tokens, separated by commas.
       */
      watchedTokens: string
      /**
       * Their balance changes, in the same order.
       */
      watchedTokensDeltas: string
      /**
       * Always false: the runtime forbids it.
       */
      isReentrancy: boolean
      /**
       * Whether what was bought could not be sold.
       */
      isHoneypot: boolean
      inconclusive: string | null
      simulation: {
        calls: {
          type: 'INVOKE' | 'CPI'
          /**
           * 1 for what the trader called, 2 for what that called, and so on.
           */
          depth: number
          /**
           * The caller: `trader`, which each answer makes up anew, or a program.
           */
          from: string
          /**
           * The program that was called.
           */
          to: string
          value: '0x0'
          /**
           * Compute units allowed.
           */
          gas: string
          /**
           * Compute units used; 0x0 for programs that are part of the runtime.
           */
          gasUsed: string
          /**
           * Instruction data.
           */
          input: string
          /**
           * Nothing: instructions give nothing back.
           */
          output: string
          /**
           * Its data was cut.
           */
          truncated?: true
          /**
           * Length of the whole data, where it was cut.
           */
          inputBytes?: number
        }[]
        logs: {
          /**
           * Program.
           */
          address: string
          /**
           * Data.
           */
          data: string
          topics: string[]
          /**
           * Its data was cut.
           */
          truncated?: true
          /**
           * Length of the whole data, where it was cut.
           */
          dataBytes?: number
        }[]
        /**
         * Calls, logs or their data were cut, here or by the runtime.
         */
        truncated?: true
      }
    }
    byteCodeResult: {
      /**
       * True for a mint or a program.
       */
      isContract: boolean
      trustStatus: 'Safe' | 'Low Risk' | 'Medium Risk' | 'High Risk' | 'Critical Risk'
      /**
       * One sentence on the most severe finding.
       */
      humanWarning: string
      riskFlags: {
        threatLevel: 'HIGH' | 'MEDIUM' | 'LOW'
        /**
         * Short name of the finding.
         */
        title: string
        /**
         * What it means for the user.
         */
        description: string
        /**
         * Stable name of the finding.
         */
        id: string
        /**
         * What it adds to the score.
         */
        weight: number
        /**
         * What was seen.
         */
        detail: string
        holder: string | null
        proven: boolean | null
      }[]
    }
    transactionHistoryResult: {
      /**
       * Whether the look-up succeeded.
       */
      success: boolean
      activityPulse: ('Very Active' | 'Active' | 'Low Activity' | 'Dead / No Activity') | null
      /**
       * The activity in plain language.
       */
      message: string
      /**
       * Newest transactions that name the mint or the vault of its main pool.
       *
       * @maxItems 10
       */
      recentTransfers: {
        /**
         * Signature of the transaction.
         */
        hash: string
        /**
         * ISO 8601; empty when unknown.
         */
        date: string
        slot: number
      }[]
    }
  }
  honeypotResponse: SolanaHoneypotResponse
  tokenInfo: {
    /**
     * Program that enforces the rules of the token.
     */
    tokenProgram: string
    decimals: number
    /**
     * Base units.
     */
    supply: string
    /**
     * As the token gives it; not to be trusted.
     */
    name: string
    /**
     * As the token gives it; not to be trusted.
     */
    symbol: string
    /**
     * As the token gives it; never fetched.
     */
    uri: string
    metadataSource: 'pointer' | 'mint' | 'metaplex' | 'none'
    /**
     * Whether an authority can change the name.
     */
    metadataMutable: boolean
    trustedAs: string | null
    extensions: string[]
    unknownExtensions: number[]
    /**
     * Whether the extensions are not well-formed.
     */
    malformed: boolean
    authorities: {
      power: 'freeze' | 'mint' | 'seize' | 'pause' | 'raise-fee' | 'replace-hook'
      /**
       * Who holds it.
       */
      address: string
      kind: 'revoked' | 'wallet' | 'multisig' | 'group' | 'program'
      threshold: string | null
      through: string | null
      /**
       * @maxItems 24
       *
       * Items: Who can vote in a group, the most votes first; the first 24.
       */
      members: string[]
      /**
       * How long a group has to wait after it has agreed.
       */
      delaySeconds: number
      proven: boolean | null
      /**
       * What happened.
       */
      detail: string
    }[]
    fee: {
      /**
       * Fee in force now.
       */
      percent: number
      /**
       * Most that one transfer pays, base units.
       */
      maximum: string
      scheduled: {
        /**
         * Fee from then on.
         */
        percent: number
        /**
         * From this epoch on.
         */
        epoch: string
      } | null
      /**
       * Whether an authority can change it.
       */
      mutable: boolean
    } | null
    hook: {
      /**
       * Asked about every transfer.
       */
      program: string
      /**
       * Whether there is such a program.
       */
      exists: boolean
      upgradeability: 'immutable' | 'upgradeable' | 'unknown'
      upgradeAuthority: string | null
      explained: boolean | null
      /**
       * Items: What it decides by that could not be read or tried.
       */
      unread: string[]
      /**
       * What was brought about and then harmed a sale.
       */
      conditions: {
        by: 'time' | 'amount' | 'seller' | 'coins' | 'repetition' | 'balance' | 'data'
        /**
         * From now on; 0 where time is no part of it.
         */
        afterSeconds: number
        /**
         * What was sold, base units.
         */
        amount: string
        account: string | null
        /**
         * Share of the sale that is lost; 100 when it fails.
         */
        lossPercent: number
        /**
         * Why the sale failed; empty when it did not.
         */
        reason: string
      }[]
    } | null
    holders:
      | {
          /**
           * Token account.
           */
          account: string
          /**
           * Whose it is.
           */
          owner: string
          /**
           * Base units.
           */
          amount: string
          /**
           * Share of the supply.
           */
          percent: number
          kind: 'pool' | 'burnt' | 'program' | 'wallet'
          /**
           * Whether it has been frozen.
           */
          frozen: boolean
        }[]
      | null
    pools: {
      /**
       * The exchange.
       */
      venue: string
      /**
       * The pool.
       */
      address: string
      status: 'open' | 'closed' | 'not-open-yet' | 'complete'
      /**
       * What the token is priced in.
       */
      quoteMint: string
      quote: {
        /**
         * Of a widely used token; empty for any other.
         */
        symbol: string
        /**
         * Its mint.
         */
        address: string
        decimals: number | null
      }
      price: string | null
      tokenReserve: string | null
      quoteReserve: string | null
      liquidity: 'lp-token' | 'shares' | 'positions' | 'curve'
      lockedPercent: number | null
      positions: {
        /**
         * A part of a concentrated pool.
         */
        address: string
        owner: string | null
        /**
         * Share of what sellers are paid from.
         */
        percent: number
        hold: 'free' | 'locked' | 'unknown'
      }[]
      /**
       * Whether real swaps were played in it.
       */
      played: boolean
    }[]
    market: {
      price: string | null
      quote: {
        /**
         * Of a widely used token; empty for any other.
         */
        symbol: string
        /**
         * Its mint.
         */
        address: string
        decimals: number | null
      }
      /**
       * What can be had for the token, by what its pools are priced in.
       */
      depth: {
        /**
         * Of a widely used token; empty for any other.
         */
        symbol: string
        /**
         * Its mint.
         */
        address: string
        decimals: number | null
        /**
         * Base units in all pools together.
         */
        amount: string
      }[]
      since: string | null
    } | null
    /**
     * Where the token comes from, as far as the node remembers.
     */
    origin: {
      creator: string | null
      through: string | null
      /**
       * It is the word of the node.
       */
      isProven: false
      block: number | null
      timestamp: string | null
      unknown: string | null
    }
    tradedWith: {
      /**
       * The counterparty of the trades.
       */
      account: string
      /**
       * It was invented, because no market was found.
       */
      synthetic: boolean
    } | null
    triedByNode: {
      /**
       * The purchase went through.
       */
      bought: boolean
      /**
       * The sale went through.
       */
      sold: boolean
      /**
       * Share that the purchase lost; the sale loses as much. 100 when one failed.
       */
      taxPercent: number
      /**
       * Why one failed; empty otherwise.
       */
      reason: string
    } | null
  } | null
  /**
   * The verdict of all checks on the target, the same in every answer (docs/verdict.md). Null with `only`.
   */
  overall: Overall | null
  /**
   * What the token says of itself; null where it is no token, could not be asked, or was not (`only`).
   */
  token: Token | null
  /**
   * What this installation knows of other tokens with the same code. It never moves the verdict (docs/families.md). Null where the code was not read, or nothing could be asked.
   */
  family: Family | null
  slot: SolanaSlot
  engineVersion: string
  inputs?: Inputs
  signature?: Signature
}
export interface CreateBatchRequest {
  /**
   * @minItems 1
   * @maxItems 100
   */
  targets: ((AnalysisRequest | SolanaRequest) & {
    check?: 'simulate' | 'honeypot' | 'phishing' | 'all'
  })[]
  webhook?: {
    /**
     * Told when the batch is finished. http(s), a public host, no redirects.
     */
    url: string
    /**
     * Key of the HMAC-SHA256 signature.
     */
    secret: string
  }
}
export interface CreateBatchAnswer {
  success: true
  id: string
  status: 'waiting' | 'finished'
  /**
   * Path of the results.
   */
  statusUrl: string
  total: number
}
export type ListBatchesRequest = Record<string, never>
export interface ListBatchesAnswer {
  success: true
  /**
   * Of the last three days, newest first, at most 50.
   */
  batches: BatchProgress[]
}
export interface BatchProgress {
  id: string
  status: 'waiting' | 'finished'
  /**
   * When it was ordered, ISO 8601.
   */
  createdAt: string
  finishedAt: string | null
  total: number
  waiting: number
  done: number
  failed: number
  webhook: 'none' | 'waiting' | 'delivered' | 'failed'
  /**
   * Path of the results.
   */
  statusUrl: string
}
export interface ReadBatchRequest {
  from?: number
  id: string
}
export interface ReadBatchAnswer {
  success: true
  id: string
  status: 'waiting' | 'finished'
  /**
   * When it was ordered, ISO 8601.
   */
  createdAt: string
  finishedAt: string | null
  total: number
  waiting: number
  done: number
  failed: number
  webhook: 'none' | 'waiting' | 'delivered' | 'failed'
  items: {
    /**
     * Place in the request, from 0.
     */
    position: number
    /**
     * The target as it was sent.
     */
    request: object
    check: 'simulate' | 'honeypot' | 'phishing' | 'all'
    /**
     * `failed`: none of the asked analyses could be made.
     */
    state: 'waiting' | 'done' | 'failed'
    /**
     * By name, the whole answer that the endpoint of the check would give, a failure included.
     */
    result: {
      simulation?: object
      honeypot?: object
      phishing?: object
      /**
       * On Solana, what `check: all` gives: everything.
       */
      solana?: object
    } | null
  }[]
  /**
   * Results from this position on did not fit; ask again with it as `from`.
   */
  next: number | null
}
export interface ListWebhooksRequest {
  state?: 'waiting' | 'failed' | 'delivered'
}
export interface ListWebhooksAnswer {
  success: true
  /**
   * Of finished batches, newest first, at most 100.
   */
  webhooks: {
    /**
     * Of the batch.
     */
    id: string
    /**
     * Of the address that is told, with its port.
     */
    host: string | null
    webhook: 'none' | 'waiting' | 'delivered' | 'failed'
    attempts: number
    /**
     * Why the last attempt failed.
     */
    failure: string | null
    finishedAt: string | null
    /**
     * Path of the results.
     */
    statusUrl: string
  }[]
}
export interface RedeliverWebhookRequest {
  id: string
}
export interface RedeliverWebhookAnswer {
  success: true
  id: string
  webhook: 'none' | 'waiting' | 'delivered' | 'failed'
  /**
   * Path of the batch, which says whether it was delivered.
   */
  statusUrl: string
}
export interface CreateWatchRequest {
  /**
   * The token.
   */
  targetContractAddress: string
  chainId: number | 'SOL'
  /**
   * What to tell; everything where absent.
   *
   * @minItems 1
   */
  tells?: ('level' | 'condition' | 'owner' | 'liquidity' | 'tax' | 'date' | 'pending')[]
  webhook?: {
    /**
     * Told of each alert. http(s), a public host, no redirects.
     */
    url: string
    /**
     * Key of the HMAC-SHA256 signature.
     */
    secret: string
  }
  /**
   * Ids of contacts that are told of each alert.
   */
  contacts?: string[]
}
export interface CreateWatchAnswer {
  success: true
  watch: Watch
}
export interface Watch {
  id: string
  targetContractAddress: string
  chainId: number | 'SOL'
  tells: ('level' | 'condition' | 'owner' | 'liquidity' | 'tax' | 'date' | 'pending')[]
  webhook: string | null
  /**
   * Ids of contacts that are told.
   */
  contacts: string[]
  /**
   * When it was ordered, ISO 8601.
   */
  createdAt: string
  /**
   * When it ends, unless it is ordered again, ISO 8601.
   */
  expiresAt: string
  /**
   * The last verdict; null before the first.
   */
  verdict: Judgement | null
  judgedAt: string | null
  /**
   * What is followed; null where nothing was traded, so that the token is only judged again each day.
   */
  dependencies: {
    /**
     * Words of storage that the verdict stands on; on Solana of accounts.
     */
    words: number
    /**
     * Contracts whose code it stands on.
     */
    codes: number
    /**
     * False where there are more than are followed.
     */
    isComplete: boolean
  } | null
  /**
   * How far the chain is followed; null before its newest block was reached once.
   */
  followed: {
    /**
     * The last block of its chain that was gone through; on Solana the slot.
     */
    block: number
    /**
     * When the newest block was last reached, ISO 8601.
     */
    reachedAt: string
    /**
     * False where that is over 30 seconds ago: changes are told once blocks are had again.
     */
    isCurrent: boolean
  } | null
}
/**
 * The verdict at a block.
 */
export interface Judgement {
  level: 'Safe' | 'Low Risk' | 'Medium Risk' | 'High Risk' | 'Critical Risk'
  score: number
  /**
   * The same in the words of a buyer.
   */
  advice: 'No trap found' | 'Be careful' | 'Do not buy' | 'Do not use' | 'Not known'
  headline: string
  /**
   * What the token says of itself; null where it is no token, could not be asked, or was not (`only`).
   */
  token: Token | null
  isHoneypot: boolean
  /**
   * Percent.
   */
  buyTax: number | null
  /**
   * Percent.
   */
  sellTax: number | null
  block: {
    number: number
    /**
     * Null of a verdict on Solana.
     */
    hash: string | null
  }
}
export type ListWatchesRequest = Record<string, never>
export interface ListWatchesAnswer {
  success: true
  /**
   * Newest first, at most 200.
   */
  watches: Watch[]
}
export interface ListAlertsRequest {
  after?: number
  watch?: string
}
export interface ListAlertsAnswer {
  success: true
  /**
   * Oldest first.
   */
  alerts: Alert[]
  /**
   * Ask again with it as `after`.
   */
  next: number
}
export interface Alert {
  /**
   * The same for the same alert, however often it is sent.
   */
  id: string
  watch: string
  chainId: number | 'SOL'
  address: string
  /**
   * When it was found, ISO 8601.
   */
  at: string
  kind: 'level' | 'condition' | 'owner' | 'liquidity' | 'tax' | 'date' | 'pending'
  text: string
  /**
   * The block that changed it.
   */
  block: {
    number: number
    /**
     * Null of a verdict on Solana.
     */
    hash: string | null
  } | null
  /**
   * The transaction, where the node tells.
   */
  transaction: string | null
  before: Judgement | null
  /**
   * The new verdict; null where it is still to come.
   */
  after: Judgement | null
}
export type StreamAlertsRequest = Record<string, never>
export interface ReadWatchRequest {
  id: string
}
export interface ReadWatchAnswer {
  success: true
  watch: Watch
}
export interface EndWatchRequest {
  id: string
}
export interface EndWatchAnswer {
  success: true
  id: string
}
export interface ReadWatchDependenciesRequest {
  id: string
}
export interface ReadWatchDependenciesAnswer {
  success: true
  /**
   * Those that decide first, at most 300; empty where nothing was traded.
   */
  words: {
    /**
     * The contract; on Solana the account.
     */
    address: string
    /**
     * Hex. On Solana 0: its state, 1: who may change that, 2: how much it holds.
     */
    slot: string
    /**
     * Hex, at the block of the verdict; on Solana a digest of what is no number.
     */
    value: string
    /**
     * `decides`: an ordinary trade reads it and none changes it. `moves`: each changes it. `guards`: who may call what is privileged. `liquidity`: what the pool holds of the coin.
     */
    role: 'decides' | 'guards' | 'liquidity' | 'moves'
  }[]
  /**
   * Contracts whose code its trades run.
   */
  codes: {
    address: string
    /**
     * Keccak-256.
     */
    hash: string
  }[]
  /**
   * False where there is more, or nothing was traded.
   */
  isComplete: boolean
  dates: {
    /**
     * When it announces a change, ISO 8601.
     */
    change: string | null
    /**
     * When a tenth or more of its pool comes out of a lock, ISO 8601.
     */
    unlock: string | null
  }
}
export interface ListFeedRequest {
  chainId?: number | 'SOL'
  level?: string
  minLiquidity?: string
  limit?: number
}
export interface ListFeedAnswer {
  success: true
  /**
   * Chains whose new markets are followed.
   */
  chains: (number | 'SOL')[]
  /**
   * How far these chains are followed; without those whose newest block was not reached yet.
   */
  followed: {
    chainId: number | 'SOL'
    /**
     * The last block of its chain that was gone through; on Solana the slot.
     */
    block: number
    /**
     * When the newest block was last reached, ISO 8601.
     */
    reachedAt: string
    /**
     * False where that is over 30 seconds ago: changes are told once blocks are had again.
     */
    isCurrent: boolean
  }[]
  /**
   * The newest first.
   */
  listings: Listing[]
  /**
   * The newest first, at most 20.
   */
  omissions: Omission[]
  /**
   * `Last-Event-ID` of a stream that goes on from here.
   */
  next: number
}
/**
 * A token that came to a market.
 */
export interface Listing {
  /**
   * The same for the same token in the same pool.
   */
  id: string
  /**
   * `undone`: its block is the chain’s no more.
   */
  state: 'waiting' | 'judged' | 'unjudged' | 'undone'
  chainId: number | 'SOL'
  /**
   * The token.
   */
  address: string
  /**
   * What it is traded for; the zero address is the native coin.
   */
  quote: string
  exchange: string
  /**
   * Its address; its id where one contract holds all pools.
   */
  pool: string
  block: {
    number: number
    hash: string
  }
  /**
   * When the pool was made, ISO 8601.
   */
  blockTime: string
  transaction: string
  /**
   * A token of its family had been judged here before.
   */
  isKnownCode: boolean
  /**
   * Native coin behind its pools at the verdict, in parts of 10^-18; null where none was found.
   */
  liquidity: string | null
  /**
   * Null before it is judged.
   */
  verdict: Judgement | null
  /**
   * When that was, ISO 8601.
   */
  judgedAt: string | null
}
/**
 * What the feed left out: there were too many at once, or blocks that could not be read.
 */
export interface Omission {
  chainId: number | 'SOL'
  fromBlock: number
  toBlock: number
  /**
   * How many; null where the blocks were not looked at. On Solana transactions that were not looked into.
   */
  listings: number | null
  /**
   * When it was left out, ISO 8601.
   */
  at: string
}
export interface StreamFeedRequest {
  chainId?: number | 'SOL'
  level?: string
  minLiquidity?: string
}
export type ListContactsRequest = Record<string, never>
export interface ListContactsAnswer {
  success: true
  /**
   * What this service can tell by.
   */
  ways: ('email' | 'telegram')[]
  /**
   * Newest first, at most ten.
   */
  contacts: Contact[]
}
export interface Contact {
  /**
   * For `contacts` of `POST /api/watches`.
   */
  id: string
  kind: 'email' | 'telegram'
  /**
   * A mailbox, without most of its name.
   */
  address: string | null
  /**
   * Nothing is told before the receiver has said yes.
   */
  isConfirmed: boolean
  /**
   * Alerts of the last fourteen days that were told.
   */
  delivered: number
  /**
   * Alerts that are still to be told.
   */
  waiting: number
  /**
   * Why the newest alert that was given up could not be told.
   */
  failure: string | null
  /**
   * ISO 8601.
   */
  createdAt: string
}
export interface OrderContactRequest {
  kind: 'email' | 'telegram'
  /**
   * Of `email`: one plain address.
   */
  address?: string
}
export interface OrderContactAnswer {
  success: true
  contact: Contact
  /**
   * Of Telegram: the receiver opens it and presses Start. Of e-mail the link is in the mail.
   */
  link: string | null
}
export interface EndContactRequest {
  id: string
}
export interface EndContactAnswer {
  success: true
  id: string
}
export interface SaveReportAnswer {
  success: true
  /**
   * Cannot be guessed.
   */
  id: string
  /**
   * Opens without a key, unless it is private.
   */
  url: string
  /**
   * `link`: everyone who has the link reads it. `private`: the one who made it.
   */
  visibility: 'link' | 'private'
  /**
   * When it was made, ISO 8601.
   */
  createdAt: string
  /**
   * When it goes by itself, ISO 8601.
   */
  expiresAt: string
  /**
   * A chain id in digits, or `SOL`.
   */
  chain: string
  /**
   * What was analysed.
   */
  address: string
  /**
   * What the token calls itself, made safe to show; untrusted.
   */
  name: string
  /**
   * The same in short.
   */
  symbol: string
  /**
   * The verdict of all checks on the target, the same in every answer (docs/verdict.md). Null with `only`.
   */
  overall: Overall | null
  block: {
    number: number
    /**
     * ISO 8601.
     */
    timestamp: string
  }
  /**
   * Older reports of yours that this one took the place of.
   */
  forgotten: string[]
}
export type ListReportsRequest = Record<string, never>
export interface ListReportsAnswer {
  success: true
  /**
   * Newest first.
   */
  reports: SavedReport[]
}
export interface SavedReport {
  /**
   * Cannot be guessed.
   */
  id: string
  /**
   * Opens without a key, unless it is private.
   */
  url: string
  /**
   * `link`: everyone who has the link reads it. `private`: the one who made it.
   */
  visibility: 'link' | 'private'
  /**
   * When it was made, ISO 8601.
   */
  createdAt: string
  /**
   * When it goes by itself, ISO 8601.
   */
  expiresAt: string
  /**
   * A chain id in digits, or `SOL`.
   */
  chain: string
  /**
   * What was analysed.
   */
  address: string
  /**
   * What the token calls itself, made safe to show; untrusted.
   */
  name: string
  /**
   * The same in short.
   */
  symbol: string
  /**
   * The verdict of all checks on the target, the same in every answer (docs/verdict.md). Null with `only`.
   */
  overall: Overall | null
  block: {
    number: number
    /**
     * ISO 8601.
     */
    timestamp: string
  }
}
export interface ReadReportRequest {
  id: string
}
export interface ReadReportAnswer {
  success: true
  report: SavedReport
  /**
   * By name, as the endpoints gave and signed them; or a failure.
   */
  answers: {
    [k: string]: unknown
  }
}
export interface ShowReportRequest {
  /**
   * `link`: everyone who has the link reads it. `private`: the one who made it.
   */
  visibility: 'link' | 'private'
  id: string
}
export interface ShowReportAnswer {
  success: true
  id: string
  /**
   * `link`: everyone who has the link reads it. `private`: the one who made it.
   */
  visibility: 'link' | 'private'
}
export interface DeleteReportRequest {
  id: string
}
export interface DeleteReportAnswer {
  success: true
  id: string
}
export interface CheckReportAgainRequest {
  id: string
}
export interface CheckReportAgainAnswer {
  success: true
  /**
   * What is another thing now; null where it is the same.
   */
  changes: {
    /**
     * Nothing below is another thing now.
     */
    isSame: boolean
    block: {
      before: {
        number: number
        /**
         * ISO 8601.
         */
        timestamp: string
      }
      after: {
        number: number
        /**
         * ISO 8601.
         */
        timestamp: string
      }
    }
    level: {
      before: 'Safe' | 'Low Risk' | 'Medium Risk' | 'High Risk' | 'Critical Risk'
      after: 'Safe' | 'Low Risk' | 'Medium Risk' | 'High Risk' | 'Critical Risk'
    } | null
    advice: {
      before: 'No trap found' | 'Be careful' | 'Do not buy' | 'Do not use' | 'Not known'
      after: 'No trap found' | 'Be careful' | 'Do not buy' | 'Do not use' | 'Not known'
    } | null
    score: {
      before: number
      after: number
    } | null
    headline: {
      before: string
      after: string
    } | null
    /**
     * Those that differ, in percent; null where one was not measured.
     */
    taxes: {
      name: string
      before: number | null
      after: number | null
    }[]
    findings: {
      /**
       * @maxItems 20
       */
      added: string[]
      /**
       * @maxItems 20
       */
      removed: string[]
      /**
       * How many more there are than are listed.
       */
      omitted: number
    } | null
    conditions: {
      /**
       * @maxItems 20
       */
      added: string[]
      /**
       * @maxItems 20
       */
      removed: string[]
      /**
       * How many more there are than are listed.
       */
      omitted: number
    } | null
  }
  /**
   * The new answers, which are not kept.
   */
  answers: {
    [k: string]: unknown
  }
}
export interface ReportFalseResultAnswer {
  success: true
  /**
   * What the operator finds it by.
   */
  id: string
  /**
   * ISO 8601.
   */
  createdAt: string
  /**
   * When it goes by itself, ISO 8601.
   */
  expiresAt: string
  /**
   * The verdict of all checks on the target, the same in every answer (docs/verdict.md). Null with `only`.
   */
  overall: Overall | null
  block: {
    number: number
    /**
     * ISO 8601.
     */
    timestamp: string
  }
  /**
   * Whether the answers that were kept say what you saw; null where you did not say.
   */
  isAsSeen: boolean | null
}
export type ReadStatsRequest = Record<string, never>
export interface ReadStatsAnswer {
  success: true
  /**
   * Verdicts whose outcome is, or was, followed.
   */
  followed: number
  /**
   * Items: What verdicts had come to after so many days.
   */
  stages: {
    days: 7 | 30
    /**
     * Tokens that could be sold when they were judged, by verdict.
     */
    levels: {
      level: 'Safe' | 'Low Risk' | 'Medium Risk' | 'High Risk' | 'Critical Risk'
      /**
       * None of the others.
       */
      fine: number
      /**
       * Selling came to cost half or more.
       */
      taxed: number
      /**
       * It could not be sold.
       */
      shut: number
      /**
       * The coin left its pools.
       */
      drained: number
      /**
       * The coin was bought from its pool with tokens that were sold.
       */
      'sold-out': number
    }[]
    /**
     * Of these, judged High Risk or worse.
     */
    warned: number
    /**
     * Of the warned, how many came to harm.
     */
    warnedRightly: number
    /**
     * How many came to harm in all.
     */
    harmed: number
    /**
     * `warnedRightly` of `warned`. Null without any.
     */
    precision: number | null
    /**
     * `warnedRightly` of `harmed`. Null without any.
     */
    recall: number | null
    /**
     * Tokens that could not be sold already when they were judged; in no other figure.
     */
    traps: {
      /**
       * How many.
       */
      followed: number
      /**
       * Of these, still harmful then.
       */
      stillHarmful: number
    }
    /**
     * Not seen in time; in no other figure.
     */
    unknown: number
  }[]
  families: {
    /**
     * Different codes that were judged here.
     */
    codes: number
    /**
     * Tokens that were judged here.
     */
    copies: number
    /**
     * Of these, hostile at any time.
     */
    hostile: number
    /**
     * Of the hostile, not when they were judged first.
     */
    turned: number
  }
}
export interface ReadSharedReportRequest {
  id: string
}
export interface ReadSharedReportAnswer {
  success: true
  report: SavedReport
  /**
   * By name, as the endpoints gave and signed them; or a failure.
   */
  answers: {
    [k: string]: unknown
  }
}
export type ReadUsageRequest = Record<string, never>
export interface ReadUsageAnswer {
  success: true
  /**
   * How many days are told, today with them.
   */
  days: number
  /**
   * The key that asks, or those of the wallet.
   */
  keys: KeyUsage[]
}
export interface KeyUsage {
  /**
   * Public name of the key.
   */
  id: string
  label: string
  /**
   * Oldest first, without days that had none.
   *
   * @maxItems 30
   */
  days: {
    /**
     * In UTC.
     */
    day: string
    analyses: number
    /**
     * All other requests.
     */
    others: number
  }[]
}

/** Every `code` of a failure; docs/errors.md explains each. */
export type FailureCode =
  | 'invalid_request'
  | 'invalid_json'
  | 'address_required'
  | 'invalid_address'
  | 'chain_required'
  | 'unsupported_chain'
  | 'invalid_block_number'
  | 'block_not_found'
  | 'invalid_pair'
  | 'invalid_simulate_liquidity'
  | 'invalid_amount'
  | 'invalid_only'
  | 'invalid_trace'
  | 'invalid_from'
  | 'invalid_value'
  | 'invalid_calldata'
  | 'invalid_typed_data'
  | 'invalid_to'
  | 'invalid_calls'
  | 'invalid_authorization_list'
  | 'invalid_targets'
  | 'invalid_check'
  | 'invalid_webhook'
  | 'invalid_tells'
  | 'invalid_filter'
  | 'invalid_contacts'
  | 'invalid_contact'
  | 'contact_way_unknown'
  | 'invalid_wallet'
  | 'invalid_lookup'
  | 'invalid_visibility'
  | 'invalid_message'
  | 'invalid_expected'
  | 'invalid_seen'
  | 'invalid_label'
  | 'invalid_origins'
  | 'invalid_sign_in'
  | 'invalid_sign_in_message'
  | 'authorization_required'
  | 'invalid_authorization'
  | 'session_required'
  | 'foreign_sign_in'
  | 'sign_in_expired'
  | 'invalid_nonce'
  | 'invalid_signature'
  | 'invalid_key'
  | 'foreign_origin'
  | 'not_found'
  | 'batch_not_found'
  | 'watch_not_found'
  | 'contact_not_found'
  | 'webhook_not_found'
  | 'key_not_found'
  | 'name_not_found'
  | 'report_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'key_limit'
  | 'body_too_large'
  | 'report_too_large'
  | 'url_too_long'
  | 'unsupported_content_type'
  | 'unsupported_content_encoding'
  | 'analysis_limit'
  | 'general_limit'
  | 'guest_limit'
  | 'batch_limit'
  | 'storage_limit'
  | 'webhook_limit'
  | 'watch_limit'
  | 'chain_watch_limit'
  | 'contact_limit'
  | 'contact_ask_limit'
  | 'receiver_limit'
  | 'key_order_limit'
  | 'headers_too_large'
  | 'simulation_failed'
  | 'honeypot_failed'
  | 'phishing_failed'
  | 'server_error'
  | 'busy'
  | 'machine_busy'
  | 'wallet_unavailable'
  | 'contact_unavailable'
  | 'not_ready'

/** What each method of the client sends and gives. */
export interface Operations {
  readHealth: { request: ReadHealthRequest; answer: ReadHealthAnswer }
  readReadiness: { request: ReadReadinessRequest; answer: ReadReadinessAnswer }
  readSigningKey: { request: ReadSigningKeyRequest; answer: ReadSigningKeyAnswer }
  listChains: { request: ListChainsRequest; answer: ListChainsAnswer }
  lookUp: { request: LookUpRequest; answer: LookUpAnswer }
  simulate: { request: SimulateRequest; answer: SimulateAnswer }
  checkHoneypot: { request: CheckHoneypotRequest; answer: CheckHoneypotAnswer }
  checkPhishing: { request: CheckPhishingRequest; answer: CheckPhishingAnswer }
  checkSolanaToken: { request: CheckSolanaTokenRequest; answer: CheckSolanaTokenAnswer }
  createBatch: { request: CreateBatchRequest; answer: CreateBatchAnswer }
  listBatches: { request: ListBatchesRequest; answer: ListBatchesAnswer }
  readBatch: { request: ReadBatchRequest; answer: ReadBatchAnswer }
  listWebhooks: { request: ListWebhooksRequest; answer: ListWebhooksAnswer }
  redeliverWebhook: { request: RedeliverWebhookRequest; answer: RedeliverWebhookAnswer }
  createWatch: { request: CreateWatchRequest; answer: CreateWatchAnswer }
  listWatches: { request: ListWatchesRequest; answer: ListWatchesAnswer }
  listAlerts: { request: ListAlertsRequest; answer: ListAlertsAnswer }
  readWatch: { request: ReadWatchRequest; answer: ReadWatchAnswer }
  endWatch: { request: EndWatchRequest; answer: EndWatchAnswer }
  readWatchDependencies: { request: ReadWatchDependenciesRequest; answer: ReadWatchDependenciesAnswer }
  listFeed: { request: ListFeedRequest; answer: ListFeedAnswer }
  listContacts: { request: ListContactsRequest; answer: ListContactsAnswer }
  orderContact: { request: OrderContactRequest; answer: OrderContactAnswer }
  endContact: { request: EndContactRequest; answer: EndContactAnswer }
  saveReport: { request: SaveReportRequest; answer: SaveReportAnswer }
  listReports: { request: ListReportsRequest; answer: ListReportsAnswer }
  readReport: { request: ReadReportRequest; answer: ReadReportAnswer }
  showReport: { request: ShowReportRequest; answer: ShowReportAnswer }
  deleteReport: { request: DeleteReportRequest; answer: DeleteReportAnswer }
  checkReportAgain: { request: CheckReportAgainRequest; answer: CheckReportAgainAnswer }
  reportFalseResult: { request: ReportFalseResultRequest; answer: ReportFalseResultAnswer }
  readStats: { request: ReadStatsRequest; answer: ReadStatsAnswer }
  readSharedReport: { request: ReadSharedReportRequest; answer: ReadSharedReportAnswer }
  readUsage: { request: ReadUsageRequest; answer: ReadUsageAnswer }
}

/** What each method sends that gives events. */
export interface Streams {
  streamAnalysis: { request: StreamAnalysisRequest }
  streamAlerts: { request: StreamAlertsRequest }
  streamFeed: { request: StreamFeedRequest }
}

/** Where each method goes, and whether it gives events. */
export const operations = {
  readHealth: { method: 'GET', path: '/health', params: [], query: [], isEvents: false },
  readReadiness: { method: 'GET', path: '/ready', params: [], query: [], isEvents: false },
  readSigningKey: { method: 'GET', path: '/api/signing-key', params: [], query: [], isEvents: false },
  listChains: { method: 'GET', path: '/api/chains', params: [], query: [], isEvents: false },
  lookUp: { method: 'GET', path: '/api/lookup', params: [], query: ['q'], isEvents: false },
  simulate: { method: 'POST', path: '/api/simulate/execute-simulation', params: [], query: [], isEvents: false },
  checkHoneypot: { method: 'POST', path: '/api/honeypot/honeypot-checks', params: [], query: [], isEvents: false },
  checkPhishing: { method: 'POST', path: '/api/phishing/phishing-checks', params: [], query: [], isEvents: false },
  checkSolanaToken: { method: 'POST', path: '/api/solana/token-checks', params: [], query: [], isEvents: false },
  streamAnalysis: { method: 'POST', path: '/api/analysis/stream', params: [], query: [], isEvents: true },
  createBatch: { method: 'POST', path: '/api/batch', params: [], query: [], isEvents: false },
  listBatches: { method: 'GET', path: '/api/batch', params: [], query: [], isEvents: false },
  readBatch: { method: 'GET', path: '/api/batch/{id}', params: ['id'], query: ['from'], isEvents: false },
  listWebhooks: { method: 'GET', path: '/api/batch/webhooks', params: [], query: ['state'], isEvents: false },
  redeliverWebhook: { method: 'POST', path: '/api/batch/{id}/webhook', params: ['id'], query: [], isEvents: false },
  createWatch: { method: 'POST', path: '/api/watches', params: [], query: [], isEvents: false },
  listWatches: { method: 'GET', path: '/api/watches', params: [], query: [], isEvents: false },
  listAlerts: { method: 'GET', path: '/api/watches/alerts', params: [], query: ['after', 'watch'], isEvents: false },
  streamAlerts: { method: 'GET', path: '/api/watches/events', params: [], query: [], isEvents: true },
  readWatch: { method: 'GET', path: '/api/watches/{id}', params: ['id'], query: [], isEvents: false },
  endWatch: { method: 'DELETE', path: '/api/watches/{id}', params: ['id'], query: [], isEvents: false },
  readWatchDependencies: {
    method: 'GET',
    path: '/api/watches/{id}/dependencies',
    params: ['id'],
    query: [],
    isEvents: false,
  },
  listFeed: {
    method: 'GET',
    path: '/api/feed',
    params: [],
    query: ['chainId', 'level', 'minLiquidity', 'limit'],
    isEvents: false,
  },
  streamFeed: {
    method: 'GET',
    path: '/api/feed/events',
    params: [],
    query: ['chainId', 'level', 'minLiquidity'],
    isEvents: true,
  },
  listContacts: { method: 'GET', path: '/api/contacts', params: [], query: [], isEvents: false },
  orderContact: { method: 'POST', path: '/api/contacts', params: [], query: [], isEvents: false },
  endContact: { method: 'DELETE', path: '/api/contacts/{id}', params: ['id'], query: [], isEvents: false },
  saveReport: { method: 'POST', path: '/api/reports', params: [], query: [], isEvents: false },
  listReports: { method: 'GET', path: '/api/reports', params: [], query: [], isEvents: false },
  readReport: { method: 'GET', path: '/api/reports/{id}', params: ['id'], query: [], isEvents: false },
  showReport: { method: 'PATCH', path: '/api/reports/{id}', params: ['id'], query: [], isEvents: false },
  deleteReport: { method: 'DELETE', path: '/api/reports/{id}', params: ['id'], query: [], isEvents: false },
  checkReportAgain: { method: 'POST', path: '/api/reports/{id}/check', params: ['id'], query: [], isEvents: false },
  reportFalseResult: { method: 'POST', path: '/api/false-results', params: [], query: [], isEvents: false },
  readStats: { method: 'GET', path: '/api/stats', params: [], query: [], isEvents: false },
  readSharedReport: { method: 'GET', path: '/r/{id}/report.json', params: ['id'], query: [], isEvents: false },
  readUsage: { method: 'GET', path: '/api/usage', params: [], query: [], isEvents: false },
} as const
