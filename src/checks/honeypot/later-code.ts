import type { TradeContext } from '../../dex/legs.js'
import type { Decisions } from '../../evm/inspectors/decisions.js'
import { type Address, hexToBytes, toPaddedHex, WORD_MASK, wordToAddress } from '../../hex.js'
import { assemble } from '../../state/assemble.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { conditionsOf, leavesOf } from '../conditions/conditions.js'
import { FIXED_PLACES } from '../fixed-places.js'
import { onBranch } from '../on-branch.js'
import { worst } from './crowd.js'
import type { ProbeFacts } from './honeypot-facts.js'
import { playSell } from './play-window.js'

/** Addresses without code that one sale may ask. */
const MAX_ADDRESSES = 3
const MAX_PRECOMPILE = 0xffffn

/** What may be placed there: it says no, yes or much to whatever it is asked, or refuses. */
const CODES = [
  '0x0 0x0 MSTORE 0x20 0x0 RETURN',
  '0x1 0x0 MSTORE 0x20 0x0 RETURN',
  `${toPaddedHex(WORD_MASK, 32)} 0x0 MSTORE 0x20 0x0 RETURN`,
  '0x0 0x0 #fd',
].map((text) => hexToBytes(assemble(text)))

/**
 * Sells after addresses that the token asks, or asks for their code, and that have none yet, were
 * given some: who can deploy there (EIP-1014), or let an account run code (EIP-7702), is not known.
 */
export function sellAfterLaterCode(context: TradeContext, held: bigint, observed: Decisions): ProbeFacts[] {
  return findAsked(context, observed).map((address) => {
    const sales = CODES.map((code) =>
      onBranch(context, () => {
        context.fork.evm.setCode(address, code)
        return playSell(context, held)
      }),
    )
    return { name: 'later-code', sold: worst(sales) }
  })
}

function findAsked(context: TradeContext, observed: Decisions): Address[] {
  const { fork, trader } = context
  const isOurs = isCodeOfToken(context)
  const called = observed.calls
    .filter(({ codeAddress, inputSize }) => isOurs(codeAddress) && inputSize > 0)
    .map(({ runs }) => runs)
  const measured = conditionsOf(context, observed).flatMap(({ condition }) =>
    leavesOf(condition).flatMap((leaf) =>
      leaf.kind === 'environment' && OF_CODE.has(leaf.name) && leaf.about !== undefined
        ? [wordToAddress(leaf.about)]
        : [],
    ),
  )
  const isOpen = (address: Address) =>
    address !== trader.address &&
    !FIXED_PLACES.has(address) &&
    BigInt(address) > MAX_PRECOMPILE &&
    fork.evm.code(address).length === 0
  return [...new Set([...called, ...measured])].filter(isOpen).slice(0, MAX_ADDRESSES)
}

const OF_CODE: ReadonlySet<string> = new Set(['EXTCODESIZE', 'EXTCODEHASH'])
