import type { KeyObject } from 'node:crypto'
import { SOLANA_CHAIN_ID, SOLANA_ID, toWireChainId } from '../chains/chain-id.js'
import { TRUST_STATUSES } from '../checks/levels.js'
import { BaseError } from '../errors.js'
import type { Hex } from '../hex.js'
import { isSignedBy, type ReportSignature, type SigningKey } from '../reports/signing-key.js'
import type { TokenAddress } from '../solana/token-address.js'
import { type FamilyMember, MAX_IMPORTED, MAX_OF_CODE, MAX_TRAIT_CHARS, MAX_TRAITS } from './family-member.js'
import { behaviourOf } from './to-member.js'

/** What one installation remembers, for others. */
export interface FamilyFile {
  keyId: string
  madeAt: number
  members: readonly FamilyMember[]
}

const KIND = 'assay-families'
const VERSION = 1

/** Some 400 bytes for each token, and room. */
export const MAX_FILE_BYTES = 32_000_000

/** The file, signed. */
export function writeFamilyFile(
  members: readonly FamilyMember[],
  { key, now }: { key: SigningKey; now: number },
): string {
  const file = { kind: KIND, version: VERSION, madeAt: new Date(now).toISOString(), members: members.map(toEntry) }
  return `${JSON.stringify({ ...file, signature: key.sign(file) })}\n`
}

/** Tokens are named by who judges them: what is told of one can be checked by judging it again. */
const toEntry = ({ chainId, address, code, traits, creator, ...rest }: FamilyMember) => ({
  ...{ chainId: toWireChainId(chainId), address, code, traits },
  ...(creator !== undefined && { creator }),
  ...{ firstAt: rest.firstAt, lastAt: rest.lastAt, firstLevel: rest.firstLevel, lastLevel: rest.lastLevel },
  ...{ hostile: rest.isHostile, turned: rest.isTurned },
})

/**
 * Reads a file that one of `trusted` signed. Throws {@link FamilyFileError} for any other, and for
 * one that holds what no installation writes: a key that is trusted may have been stolen.
 */
export function readFamilyFile(
  text: string,
  { trusted, now }: { trusted: readonly KeyObject[]; now: number },
): FamilyFile {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) refuse('it is too large')
  const file = parseJson(text)
  const { kind, version, members, signature } = file
  if (kind !== KIND || version !== VERSION) refuse('it is none of this version')
  if (!trusted.some((key) => isSignedBy(key, file, signature)))
    refuse('its signature is missing, wrong, or of a key that is not trusted')
  const madeAt = Date.parse(String(file.madeAt))
  if (!(madeAt > 0 && madeAt <= now + CLOCKS_MS)) refuse('it was made in the future')
  if (!Array.isArray(members) || members.length > MAX_IMPORTED) refuse('it has too many tokens')
  const known = (members as unknown[]).map((member) => parseEntry(member, madeAt + CLOCKS_MS))
  refuseExcess(known)
  return { keyId: (signature as ReportSignature).keyId, madeAt, members: known }
}

/** How far clocks of two installations may differ. */
const CLOCKS_MS = 24 * 3_600_000

function parseJson(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('it is no JSON')
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : refuse('it is no object')
}

const ADDRESS = /^0x[0-9a-f]{40}$/
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const CODE = /^0x[0-9a-f]{64}$/
/** Our names: no text of a contract, and nothing that a terminal would obey. */
const TRAIT = /^[a-z0-9 %-]+$/

function parseEntry(value: unknown, latest: number): FamilyMember {
  const entry: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {}
  const { address, code, traits, creator, firstAt, lastAt, hostile, turned } = entry
  const isSolana = entry.chainId === SOLANA_CHAIN_ID
  const chainId = isSolana ? SOLANA_ID : entry.chainId
  const form = isSolana ? SOLANA_ADDRESS : ADDRESS
  const isTime = (time: unknown) => Number.isSafeInteger(time) && Number(time) > 0 && Number(time) <= latest
  const isRight =
    Number.isSafeInteger(chainId) &&
    (isSolana || Number(chainId) > 0) &&
    isText(address, form) &&
    isText(code, CODE) &&
    (creator === undefined || isText(creator, form)) &&
    isTime(firstAt) &&
    isTime(lastAt) &&
    typeof hostile === 'boolean' &&
    typeof turned === 'boolean' &&
    (hostile || !turned)
  if (!isRight) refuse('a token in it is none')
  const names = parseTraits(traits)
  return {
    ...{ chainId: Number(chainId), address: address as TokenAddress, code: code as Hex },
    ...{ traits: names, behaviour: behaviourOf(names), creator: creator as TokenAddress | undefined },
    ...{ firstAt: Number(firstAt), lastAt: Number(lastAt) },
    ...{ firstLevel: parseLevel(entry.firstLevel), lastLevel: parseLevel(entry.lastLevel) },
    ...{ isHostile: hostile === true, isTurned: turned === true },
  }
}

const isText = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value)

function parseTraits(value: unknown): string[] {
  const isRight =
    Array.isArray(value) &&
    value.length <= MAX_TRAITS &&
    value.every((each) => isText(each, TRAIT) && String(each).length <= MAX_TRAIT_CHARS)
  return isRight ? value.map(String) : refuse('a token in it has a behaviour that is none')
}

const parseLevel = (value: unknown) =>
  TRUST_STATUSES.find((level) => level === value) ?? refuse('a level in it is none')

/** Each token once, and of one code no more than an installation remembers. */
function refuseExcess(members: readonly FamilyMember[]): void {
  const names = new Set(members.map(({ chainId, address }) => `${chainId} ${address}`))
  if (names.size < members.length) refuse('it names a token twice')
  const counts = new Map<string, number>()
  for (const { code, isHostile } of members) {
    const count = (counts.get(`${code} ${isHostile}`) ?? 0) + 1
    if (count > MAX_OF_CODE) refuse('it has too many tokens of one code')
    counts.set(`${code} ${isHostile}`, count)
  }
}

function refuse(why: string): never {
  throw new FamilyFileError(why)
}

/** The file is not taken. Never repeats what is in it. */
export class FamilyFileError extends BaseError {
  override readonly name = 'FamilyFileError'

  constructor(why: string) {
    super(`the file of families is refused: ${why}`, { docs: 'docs/families.md' })
  }
}
