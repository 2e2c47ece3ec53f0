import type { CallEffect } from '../../../bytecode/effects.js'
import type { FunctionFacts, Located } from '../../../bytecode/facts.js'
import { findReachableFrom } from '../../../bytecode/graph.js'
import { isShapeCheck } from '../../../bytecode/shape-check.js'
import { callSource, fieldOfSource } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import type { Term } from '../../../bytecode/terms.js'
import { readTokenFacts } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'
import { controlFinding, type FieldControl, readControls } from '../field-control.js'
import { severityOfPower } from '../power-severity.js'
import type { Subject } from '../subject.js'
import { canBeOpened, isOpenNow } from '../ways.js'

/**
 * What a token calls to swap the fees it has collected: Uniswap V2's router, pair and factory,
 * WETH9, and EIP-20 itself. They are recognised by the call's shape, the address is whatever it is;
 * what they could do wrong, the trade on the fork shows.
 */
export const SWAPS: ReadonlySet<bigint> = new Set([
  0x791ac947n, // swapExactTokensForETHSupportingFeeOnTransferTokens
  0x5c11d795n, // swapExactTokensForTokensSupportingFeeOnTransferTokens
  0xb6f9de95n, // swapExactETHForTokensSupportingFeeOnTransferTokens
  0x38ed1739n, // swapExactTokensForTokens
  0x18cbafe5n, // swapExactTokensForETH
  0x7ff36ab5n, // swapExactETHForTokens
  0xf305d719n, // addLiquidityETH
  0xe8e33700n, // addLiquidity
  0xad5c4648n, // WETH
  0xc45a0155n, // factory
  0xe6a43905n, // getPair
  0x0902f1acn, // getReserves
  0xfff6cae9n, // sync
  0xbc25cf77n, // skim
  0xd06ca61fn, // getAmountsOut
  0x0dfe1681n, // token0
  0xd21220a7n, // token1
  0x70a08231n, // balanceOf
  0x18160dddn, // totalSupply
  0xa9059cbbn, // transfer
  0xd0e30db0n, // deposit
  0x2e1a7d4dn, // withdraw
])

/** Flags transfers that hand control to a contract that can be exchanged. */
export const externalTransferCall = defineDetector({
  id: 'external-transfer-call',
  title: 'Transfer Calls a Replaceable Contract',
  description:
    'Each transfer asks another contract, which can be exchanged. It can refuse the transfer, change its outcome, or act in between.',
  confidence: 'medium',
  detect: (subject) =>
    readTokenFacts(subject.facts).transfers.flatMap((fn) =>
      fn.effects.flatMap((effect) => (effect.kind === 'call' ? judge(subject, fn, effect) : [])),
    ),
})

function judge(subject: Subject, fn: FunctionFacts, effect: Located<CallEffect>): Finding[] {
  if (effect.op === 'DELEGATECALL' || effect.op === 'CALLCODE') return []
  // A contract that was never named, and never can be, is not called.
  if (!isOpenNow(subject, fn, effect.node) && !canBeOpened(subject, fn, effect.node)) return []
  if (effect.selector.op === 'const' && SWAPS.has(effect.selector.value)) return []
  // Plain payment of collected fees.
  if (effect.inputSize.op === 'const' && effect.inputSize.value === 0n) return []
  const stored = effect.target.taint.sources.filter((source) => fieldOfSource(source) !== undefined)
  const deciding = decides(subject, fn, effect)
  const note = deciding ? 'its answer decides about the transfer' : 'called during the transfer'
  const found = stored.flatMap((source) =>
    readControls(subject, source).map((control) => {
      const calm = movesAfter(subject, fn, effect) ? 'medium' : 'low'
      const severity = isOwnEntry(control) ? calm : severityOfPower(subject, control.power, 'high')
      return { ...controlFinding(subject, source, control, severity, note), pc: effect.pc }
    }),
  )
  if (found.length > 0 || !deciding || stored.length === 0) return found
  return [{ pc: effect.pc, ...(fn.selector && { selector: fn.selector }), severity: 'medium', note }]
}

/**
 * An account that names a contract to be told of its own transfers (EIP-777) decides about no one
 * else's.
 */
const isOwnEntry = ({ write: { effect } }: FieldControl) =>
  classifyKey(effect.key).keys.some(({ op }) => op === 'CALLER')

/** Whether balances are written after the call: what it does in between, they may overwrite. */
function movesAfter({ facts }: Subject, fn: FunctionFacts, call: Located<CallEffect>): boolean {
  const later = findReachableFrom(call.node)
  return readTokenFacts(facts).balanceChanges.some(
    ({ fn: of, effect }) => of === fn && later.has(effect.node) && effect.node !== call.node,
  )
}

/**
 * Whether what comes back reaches a branch that can fail, or a balance. That the call itself must
 * succeed is no answer.
 */
function decides({ facts }: Subject, fn: FunctionFacts, { pc }: CallEffect): boolean {
  const source = callSource(pc)
  const answered = ({ taint, op }: Term) => op !== 'call' && taint.sources.includes(source)
  return (
    fn.conditions.some(({ term, fails }) => fails !== undefined && answered(term) && !isShapeCheck(term)) ||
    readTokenFacts(facts).balanceChanges.some((change) => change.fn === fn && answered(change.effect.value))
  )
}
