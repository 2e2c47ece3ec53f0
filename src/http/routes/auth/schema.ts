import { Type } from 'typebox'
import { CHAIN_IDS } from '../../../chains/index.js'

const time = (description: string) => Type.String({ description: `${description}, ISO 8601.` })

export const NonceQuery = Type.Object({
  chainId: Type.Optional(
    Type.String({
      description: `The chain that the message is to name: ${CHAIN_IDS} or SOL. Any of them when left out.`,
    }),
  ),
  address: Type.Optional(Type.String({ description: 'The wallet. With it the answer has the whole message to sign.' })),
})

export const NonceAnswer = Type.Object({
  success: Type.Literal(true),
  nonce: Type.String({ description: 'Good for one sign-in within five minutes.' }),
  domain: Type.String({ description: 'Domain of the message.' }),
  uri: Type.String({ description: 'URI of the message.' }),
  version: Type.Literal('1'),
  statement: Type.String(),
  issuedAt: time('When it was made'),
  expirationTime: time('When it ends'),
  message: Type.Union([Type.String(), Type.Null()], { description: 'What to sign; null when no address was given.' }),
})

export const VerifyBody = Type.Object({
  message: Type.String({ description: 'The text that was signed (EIP-4361, or Sign-In With Solana).' }),
  signature: Type.String({ description: 'Hex; for Solana base 58 as well.' }),
})

export const WalletBody = Type.Object({
  id: Type.String({ description: 'The name under which the service knows the wallet.' }),
  address: Type.String({ description: 'Its address, with checksum where the chain has one.' }),
  kind: Type.Union([Type.Literal('ethereum'), Type.Literal('contract'), Type.Literal('solana')]),
})

export const SessionAnswer = Type.Object({
  success: Type.Literal(true),
  wallet: Type.Union([WalletBody, Type.Null()], { description: 'Null when no wallet is signed in.' }),
})

export const VerifyAnswer = Type.Object({
  success: Type.Literal(true),
  wallet: WalletBody,
  expiresAt: time('When the session ends'),
})

export const LogoutAnswer = Type.Object({ success: Type.Literal(true) })
