import { Type } from 'typebox'

const Inputs = Type.Object(
  {
    check: Type.Union([
      Type.Literal('simulation'),
      Type.Literal('honeypot'),
      Type.Literal('phishing'),
      Type.Literal('solana'),
      Type.Literal('solana-honeypot'),
    ]),
    request: Type.Object({}, { description: 'What was asked, in one spelling.' }),
    traderSeed: Type.Optional(
      Type.String({ pattern: '^0x[0-9a-f]{64}$', description: 'What the invented people of this block come from.' }),
    ),
    digest: Type.String({
      pattern: '^0x[0-9a-f]{64}$',
      description: 'SHA-256 of the canonical JSON of the other fields and the hash of the block.',
    }),
  },
  { description: 'What the report was made from: enough to make it again (docs/replay.md).' },
)

const Signature = Type.Object(
  {
    keyId: Type.String({ pattern: '^[0-9a-f]{16}$' }),
    algorithm: Type.Literal('Ed25519'),
    value: Type.String({ description: 'Base64, over the canonical JSON of the report without this field.' }),
  },
  { description: 'Given when the operator signs reports; the key is at `/api/signing-key`.' },
)

/** What the last step adds to every report. */
export const sealFields = { inputs: Type.Optional(Inputs), signature: Type.Optional(Signature) }
