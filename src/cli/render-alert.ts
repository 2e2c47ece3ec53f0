import type { toAlertBody } from '../watching/to-alert-body.js'
import { type Paint, wordOf } from './render-verdict.js'

/** As webhooks, events and lists have it. */
export type AlertBody = ReturnType<typeof toAlertBody>

/** An alert in two lines or three: what happened, where, and what became of the verdict. */
export function renderAlert(
  { address, kind, text, block, transaction, before, after }: AlertBody,
  paint: Paint,
): string {
  const where = [
    ...(block === null ? [] : [`block ${block.number}`]),
    ...(transaction === null ? [] : [`transaction ${transaction}`]),
  ]
  const word = (judgement: typeof after) => (judgement === null ? 'not judged' : wordOf(judgement, paint))
  const verdict = after === null ? [] : [`${word(before)} → ${word(after)}: ${after.headline}`]
  return [`${address}  ${paint('bold', kind)}: ${text}`, ...(where.length > 0 ? [where.join(', ')] : []), ...verdict]
    .map((line, index) => `${index === 0 ? '' : '  '}${line}\n`)
    .join('')
}
