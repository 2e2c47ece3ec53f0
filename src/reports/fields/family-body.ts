import { type Static, Type } from 'typebox'
import { describeFamily, type Family, type FamilyCounts } from '../family.js'
import { toIsoTime } from './block.js'

const counts = {
  copies: Type.Integer({ minimum: 0, description: 'Other tokens with this code.' }),
  hostile: Type.Integer({ minimum: 0, description: 'Of these, how many were hostile at any time.' }),
  turned: Type.Integer({ minimum: 0, description: 'Of the hostile, how many were not when they were judged first.' }),
}

/** Other tokens with the same code, the same in every answer about the target. */
export const FamilyBody = Type.Union(
  [
    Type.Object({
      text: Type.String({ description: 'The same in a sentence.' }),
      code: Type.String({
        pattern: '^0x[0-9a-f]{64}$',
        description:
          'Hash of the code without metadata and constants; proxies with what they delegate to. On Solana of the rules of the mint.',
      }),
      ...counts,
      isMore: Type.Boolean({ description: 'There are more than are counted.' }),
      alike: Type.Object(counts, { description: 'Those of the same conditions, privileges and taxes.' }),
      creatorsOfHostile: Type.Integer({
        minimum: 0,
        description: 'Accounts that made the hostile ones, as far as they are known.',
      }),
      since: Type.Union([Type.String(), Type.Null()], { description: 'When the first was judged here, ISO 8601.' }),
      imported: Type.Array(Type.Object({ keyId: Type.String(), ...counts }), {
        description: 'What other installations told, by the keys that signed it; not in the figures above.',
      }),
    }),
    Type.Null(),
  ],
  {
    description:
      'What this installation knows of other tokens with the same code. It never moves the verdict (docs/families.md). Null where the code was not read, or nothing could be asked.',
  },
)
type FamilyBody = Static<typeof FamilyBody>

/** `what` the tokens have in common. */
export function toFamily({ family }: { family?: Family }, what?: string): FamilyBody {
  if (family === undefined) return null
  const { code, isMore, creatorsOfHostile, since, imported } = family
  return {
    text: describeFamily(family, what),
    ...{ code, ...toCounts(family), isMore, alike: toCounts(family.alike), creatorsOfHostile },
    since: since === undefined ? null : toIsoTime(since),
    imported: imported.map((each) => ({ keyId: each.keyId, ...toCounts(each) })),
  }
}

const toCounts = ({ copies, hostile, turned }: FamilyCounts) => ({ copies, hostile, turned })
