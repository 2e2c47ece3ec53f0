import type { CallFrame } from '../../evm/inspector.js'
import { plainText } from '../../untrusted-text.js'

/**
 * The frame that began a failure: the innermost one that failed last, on the way down from the top.
 */
export function blockingFrame(top: CallFrame): CallFrame | undefined {
  if (top.error === undefined) return undefined
  let frame = top
  for (let inner = lastFailed(frame); inner; inner = lastFailed(frame)) frame = inner
  return frame
}

function lastFailed(frame: CallFrame): CallFrame | undefined {
  return frame.calls?.findLast(({ error }) => error !== undefined)
}

const REVERTED = 'execution reverted'

/**
 * Why a transaction failed, in words fit for an answer: the reason of the frame that began it, and
 * whose code that was.
 */
export function failureReason(
  top: CallFrame,
  target: string,
  name: 'the token' | 'the contract' = 'the token',
): string {
  const frame = blockingFrame(top)
  if (!frame) return ''
  // Only a revert is put into words, by the frame itself or by one that it failed for.
  const words = frame.error === REVERTED ? (frame.revertReason ?? top.revertReason) : undefined
  const reason = plainText(words ?? frame.error ?? 'execution failed')
  const place = frame.to === target ? name : frame.to
  return `reverted in ${place}: ${reason}`
}
