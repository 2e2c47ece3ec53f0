import { type Static, Type } from 'typebox'
import { Block } from '../fields/block.js'
import { Overall } from '../fields/overall.js'
import { sealFields } from '../fields/seal-fields.js'
import { TokenBody } from '../fields/token.js'
import { AnalysisRequestBody } from '../simulation/schema.js'

const ADDRESS = '^0x[0-9a-fA-F]{40}$'
const address = (description: string) => Type.String({ pattern: ADDRESS, description })
const addressOrNull = (description: string) =>
  Type.Union([Type.String({ pattern: ADDRESS }), Type.Null()], { description })
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const numberTextOrNull = (description: string) =>
  Type.Union([Type.String({ pattern: '^\\d+$' }), Type.Null()], { description })
const score = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })

const DRAINER = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/**
 * Request of the phishing endpoint: an analysis request, and what a wallet is asked to send or
 * sign.
 */
export const PhishingRequestBody = Type.Object(
  {
    targetContractAddress: AnalysisRequestBody.properties.targetContractAddress,
    chainId: AnalysisRequestBody.properties.chainId,
    blockNumber: AnalysisRequestBody.properties.blockNumber,
    only: AnalysisRequestBody.properties.only,
    from: Type.Optional(address('Whose wallet it is; an account made up for the purpose if absent.')),
    to: Type.Optional(address('Where `calldata` and `value` go; the target if absent.')),
    value: Type.Optional(
      Type.String({ pattern: '^\\d{1,30}$', description: 'Wei that the wallet is asked to send to the target.' }),
    ),
    calldata: Type.Optional(
      Type.String({ pattern: '^0x([0-9a-fA-F]{2})*$', description: 'What the wallet is asked to send to the target.' }),
    ),
    typedData: Type.Optional(
      Type.Object(
        {
          domain: Type.Object({}),
          types: Type.Object({}),
          primaryType: Type.String(),
          message: Type.Object({}),
        },
        {
          description:
            'What the wallet is asked to sign (EIP-712): a permit, a permission for Permit2, a signed transfer, an order, a transaction of a Safe, a user operation.',
        },
      ),
    ),
    calls: Type.Optional(
      Type.Array(
        Type.Object({
          to: address('Where the call goes.'),
          value: Type.Optional(Type.String({ description: 'Wei, in digits or as a hex quantity.' })),
          data: Type.Optional(Type.String({ pattern: '^0x([0-9a-fA-F]{2})*$' })),
        }),
        {
          minItems: 1,
          maxItems: 16,
          description: 'Several calls as one question (EIP-5792), in place of `calldata` and `value`; played in order.',
        },
      ),
    ),
    authorizationList: Type.Optional(
      Type.Array(
        Type.Object({
          address: address('Whose code the account is to run; zero takes it back.'),
          chainId: Type.Optional(
            Type.Union([Type.Integer({ minimum: 0 }), Type.String()], { description: '0: on every chain.' }),
          ),
          nonce: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.String()])),
        }),
        {
          minItems: 1,
          maxItems: 8,
          description:
            'Code that the wallet is asked to take for its own (EIP-7702); signed ones have `yParity`, `r`, `s`.',
        },
      ),
    ),
  },
  { examples: [{ targetContractAddress: DRAINER, chainId: 1 }] },
)

const severity = Type.Union(
  [Type.Literal('CRITICAL'), Type.Literal('HIGH'), Type.Literal('MEDIUM'), Type.Literal('LOW')],
  { description: 'How bad it is where it is true.' },
)
const verdict = (description: string) =>
  Type.Union(
    [
      Type.Literal('SAFE'),
      Type.Literal('LOW_RISK'),
      Type.Literal('HIGH_RISK'),
      Type.Literal('CRITICAL'),
      Type.Literal('EMPTY_CONTRACT'),
      Type.Literal('INCONCLUSIVE'),
    ],
    { description },
  )

const Check = Type.Object({
  name: Type.Union([
    Type.Literal('Allowance Drain Trap'),
    Type.Literal('Permit Signature Abuse'),
    Type.Literal('Native ETH Forwarder'),
  ]),
  triggered: Type.Boolean(),
  severity,
  detail: Type.String({ description: 'What was seen, in one sentence.' }),
})

const Frame = Type.Object({
  depth: Type.Integer({ minimum: 0, description: 'How deep below the first call.' }),
  type: Type.String(),
  from: Type.String(),
  to: Type.String({ description: '`0x` for a creation that failed.' }),
  value: Type.String({ description: 'Wei, as a hex quantity.' }),
  selector: Type.String({ description: 'First four bytes of the call data; `0x` where there are none.' }),
  error: Type.Optional(Type.String({ description: 'Why the frame failed; the words of a stranger.' })),
})

const Finding = Type.Object({
  id: Type.String({ description: 'Stable name, explained in docs/phishing.md.' }),
  check: textOrNull('The check that it proves; null for what only tells something.'),
  severity,
  detail: Type.String(),
  selector: textOrNull('The function that did it; null for plain receipt and the fallback.'),
  by: Type.String({ description: '`anyone`, `holder` (a privileged account), `listed`, `victim` or `wallet`.' }),
  caller: addressOrNull('Who called; null where no call was needed.'),
  token: addressOrNull('What was taken; null for the native coin, or where nothing was.'),
  amount: numberTextOrNull('Base units, or wei.'),
  to: addressOrNull('Where it went.'),
  grantedTo: addressOrNull('The account that the signature let take.'),
  trace: Type.Array(Frame, { description: 'The call that showed it, in order; at most 24 frames.' }),
})

const symbol = Type.String({ description: 'Its own word for itself; untrusted.' })
const name = Type.String({ description: 'Its own name for itself; untrusted.' })
const decimals = Type.Union([Type.Integer({ minimum: 0, maximum: 255 }), Type.Null()], {
  description: 'Null for NFTs, and where the token does not say.',
})

const Movement = Type.Object({
  token: addressOrNull('Null for the native coin.'),
  symbol,
  name,
  decimals,
  amount: Type.String({ pattern: '^\\d+$', description: 'Base units; 1 for an NFT, whose number is in `id`.' }),
  id: numberTextOrNull('Number of an NFT.'),
  counterparty: addressOrNull('Who has it then, or had it.'),
})

const Approval = Type.Object({
  kind: Type.String({
    description:
      '`erc20`, `nft` (all of a collection, or the one in `id`), `permit2`, `permit`, `transfer` (a signed payment), `order`, or `delegation` (EIP-7702).',
  }),
  token: addressOrNull('Null where the request does not say.'),
  symbol,
  name,
  decimals,
  id: numberTextOrNull('Number of an NFT.'),
  spender: address('Who may take; the exchange of an order, the code of a delegation.'),
  amount: Type.String({ description: 'Base units, or `Unlimited`.' }),
  expires: textOrNull('ISO 8601; null where it does not end or the end is not known.'),
})

const PlayedCall = Type.Object({
  from: address('Who calls.'),
  to: address('Who is called.'),
  value: numberTextOrNull('Wei.'),
  selector: Type.String({ description: 'First four bytes of the call data; `0x` where there are none.' }),
  success: Type.Boolean(),
  errorReason: Type.String(),
})

const Wallet = Type.Object(
  {
    kind: Type.Union([Type.Literal('transaction'), Type.Literal('signature')]),
    account: addressOrNull('Whose wallet it was tried with.'),
    success: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the transaction went through; null for signatures.',
    }),
    errorReason: Type.String(),
    calls: Type.Array(PlayedCall, { description: 'What was played, in order; ends with the first that failed.' }),
    leaves: Type.Array(Movement, { description: 'What would leave the account.' }),
    arrives: Type.Array(Movement, { description: 'What would come in.' }),
    approvals: Type.Array(Approval, { description: 'Who would be allowed to take what.' }),
    warnings: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Stable name, explained in docs/wallet.md.' }),
        severity,
        text: Type.String({ description: 'In the words of a wallet; names of tokens in it are untrusted.' }),
      }),
      { description: 'What to say before asking for consent, worst first.' },
    ),
    spenders: Type.Array(
      Type.Object({
        address: address('Who would be allowed to take.'),
        verdict: verdict('What this service thinks of it.'),
        riskScore: score('0 to 100.'),
        reason: textOrNull('Why nothing can be said of it.'),
      }),
    ),
  },
  { description: 'What the wallet is asked to do, taken apart.' },
)

const fields = {
  contractAddress: address('The address as it was analysed.'),
  chain: Type.String(),
  verdict: verdict('`SAFE` below 15, `LOW_RISK` below 40, `HIGH_RISK` below 75, `CRITICAL` from there on.'),
  riskScore: score('0 to 100, higher is worse.'),
  flagCount: Type.Integer({ minimum: 0, description: 'Checks that were triggered.' }),
  isEmpty: Type.Boolean({ description: 'There is no code.' }),
  inconclusive: Type.Boolean({
    description: 'Something stayed unseen and nothing bad was seen: neither guilt nor safety.',
  }),
  reason: textOrNull('Why nothing can be said.'),
  checks: Type.Array(Check, { description: 'Empty when `isEmpty` or `inconclusive`.' }),
  raw: Type.Object({
    allowanceDrained: Type.Boolean(),
    drainedTo: addressOrNull('Who got what was taken.'),
    drainedAmount: numberTextOrNull('Base units.'),
    permitAbused: Type.Boolean(),
    permitGrantedTo: addressOrNull('The account that the signature let take.'),
    etherForwarded: Type.Boolean(),
    etherForwardedTo: addressOrNull('Who got the largest part of what was paid.'),
  }),
  detectedAt: Type.String({ description: 'ISO 8601.' }),
  findings: Type.Array(Finding, { description: 'What was seen to happen, worst first.' }),
  delegate: addressOrNull('The code that the account has delegated to (EIP-7702).'),
  wallet: Type.Union([Wallet, Type.Null()], {
    description: 'Null unless the request has calldata, coins, calls, typed data or an authorization.',
  }),
  overall: Overall,
  token: TokenBody,
  block: Block,
  engineVersion: Type.String(),
}

const PhishingReportFields = Type.Object(fields)
export type PhishingReportFields = Static<typeof PhishingReportFields>

/**
 * Answer of the phishing endpoint: flat, and once more under `data` for clients that look there.
 */
export const PhishingReportBody = Type.Object({
  success: Type.Literal(true),
  ...fields,
  data: PhishingReportFields,
  ...sealFields,
})
export type PhishingReportBody = Static<typeof PhishingReportBody>
