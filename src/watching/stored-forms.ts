import { Check } from 'typebox/value'
import { WORD_ROLES } from '../checks/dependencies/trade-dependencies.js'
import { TRUST_STATUSES } from '../checks/levels.js'
import { type Hex, toQuantity } from '../hex.js'
import { ADVICE, adviceOf } from '../reports/advice.js'
import type { VerdictDependencies } from '../reports/dependencies.js'
import { TokenBody } from '../reports/fields/token.js'
import { parseList, parseObject, parseOptional, parseQuantity } from '../rpc/parse.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { Judgement, Origin } from './watch.js'

/** Forms in which a store keeps what has numbers that JSON lacks. */

export const writeJudgement = (judgement: Judgement): object => ({
  ...judgement,
  block: { number: toQuantity(judgement.block.number), hash: judgement.block.hash },
})

export function readJudgement(value: unknown): Judgement {
  const { level, score, headline, advice, buyTaxBps, sellTaxBps, isHoneypot, isWhole, block, token } =
    parseObject(value)
  const { number, hash } = parseObject(block)
  const known = TRUST_STATUSES.find((each) => each === level)
  if (known === undefined || typeof score !== 'number' || typeof headline !== 'string')
    throw new RangeError('no verdict')
  return {
    ...{ level: known, score, headline, isHoneypot: isHoneypot === true, isWhole: isWhole === true },
    // Verdicts of earlier versions were kept without these two.
    advice:
      ADVICE.find((each) => each === advice) ?? adviceBefore({ level: known, score, isUnfinished: isWhole !== true }),
    token: Check(TokenBody, token) ? token : null,
    buyTaxBps: typeof buyTaxBps === 'number' ? buyTaxBps : undefined,
    sellTaxBps: typeof sellTaxBps === 'number' ? sellTaxBps : undefined,
    block: { number: parseQuantity(number), hash: parseOptional(hash, parseName) },
  }
}

const adviceBefore = (verdict: Omit<Parameters<typeof adviceOf>[0], 'inconclusive'>) =>
  adviceOf({ ...verdict, inconclusive: undefined }, { isToken: true })

export const writeOrigin = ({ block, transaction }: Origin): object => ({
  block: { number: toQuantity(block.number), hash: block.hash },
  transaction,
})

export function readOrigin(value: unknown): Origin {
  const { block, transaction } = parseObject(value)
  const { number, hash } = parseObject(block)
  return {
    block: { number: parseQuantity(number), hash: parseName(hash) },
    transaction: parseOptional(transaction, parseName),
  }
}

export const writeDependencies = ({
  words,
  codes,
  isTruncated,
  nextChange,
  nextUnlock,
}: VerdictDependencies): object => ({
  words: words.map(({ address, slot, value, role }) => [address, toQuantity(slot), toQuantity(value), role]),
  codes: codes.map(({ address, hash }) => [address, hash]),
  isTruncated,
  nextChange,
  nextUnlock,
})

/** An address, a hash or a signature, of any chain. */
function parseName(value: unknown): string {
  if (typeof value !== 'string' || !NAME.test(value)) throw new RangeError('no name')
  return value
}

const NAME = /^(?:0x[0-9a-f]{40,64}|[1-9A-HJ-NP-Za-km-z]{32,88})$/

/** More than {@link writeDependencies} ever writes. */
const MAX_ROWS = 1_000

export function readDependencies(value: unknown): VerdictDependencies {
  const { words, codes, isTruncated, nextChange, nextUnlock } = parseObject(value)
  const readRow = (row: unknown) => parseList(row, (cell) => cell, WORD_CELLS)
  return {
    words: parseList(words, readRow, MAX_ROWS).map(([address, slot, word, role]) => ({
      address: parseName(address) as TokenAddress,
      slot: parseQuantity(slot),
      value: parseQuantity(word),
      role: WORD_ROLES.find((each) => each === role) ?? 'decides',
    })),
    codes: parseList(codes, readRow, MAX_ROWS).map(([address, hash]) => ({
      address: parseName(address) as Hex,
      hash: parseName(hash) as Hex,
    })),
    isTruncated: isTruncated === true,
    nextChange: typeof nextChange === 'number' ? nextChange : undefined,
    nextUnlock: typeof nextUnlock === 'number' ? nextUnlock : undefined,
  }
}

const WORD_CELLS = 4
