import { type Static, Type } from 'typebox'

/** The block that all of one report was read at; a replay names its number. */
export const Block = Type.Object({
  number: Type.Integer({ minimum: 0 }),
  hash: Type.String({ pattern: '^0x[0-9a-f]{64}$' }),
  timestamp: Type.String({ description: 'ISO 8601.' }),
})

export function toBlock({
  number,
  hash,
  timestamp,
}: {
  number: bigint
  hash: string
  timestamp: bigint
}): Static<typeof Block> {
  return { number: Number(number), hash, timestamp: toIsoTime(Number(timestamp) * 1_000) }
}

/**
 * Milliseconds since 1970 as text; empty for a time that no calendar has, because a node may say
 * anything.
 */
export function toIsoTime(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** A block, with its time where that is known. */
export function toSince(since: { block: bigint; timestamp: bigint | undefined } | undefined) {
  if (since === undefined) return null
  const { block, timestamp } = since
  return {
    block: Number(block),
    timestamp: timestamp === undefined ? null : toIsoTime(Number(timestamp) * 1_000) || null,
  }
}
