import { type Hex, toPaddedHex } from '../../hex.js'
import { argumentsIn, selectorIn } from './call-data.js'
import type { Act } from './deposit-acts.js'
import { type Budget, passRefusals, wordName } from './pass-refusals.js'
import type { Attempt } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/**
 * The setting with the value that the refused call asks for in a word that the setting wrote as it
 * was named. `undefined` where the call asks for something else as well.
 */
export function asAskedFor(stage: Stage, setting: Act, refused: Attempt, budget: Budget): Attempt | undefined {
  const writes = [...setting.outcome.storage.writes].flatMap(([account, slots]) =>
    [...slots].map(([slot, { after }]) => ({ name: wordName(account, slot), after })),
  )
  const selector = selectorIn(refused.data)
  const template = { leaves: [], encode: () => argumentsIn(refused.data) }
  const entry = { selector, at: refused.to, template }
  const written = new Set(writes.map(({ name }) => name))
  const passed = passRefusals(stage, { entry, marks: [], caller: refused.from, written, isOfSettings: true, budget })
  if (passed === undefined || passed.asksForCaller) return undefined
  const { words, edits, value, waitSeconds, secrets } = passed.way
  if (words.length === 0 || edits.length > 0 || value > 0n || waitSeconds > 0 || secrets.length > 0) return undefined
  let { data } = setting.attempt
  for (const { address, slot, value: wanted } of words) {
    const after = writes.find(({ name }) => name === wordName(address, slot))?.after ?? 0n
    const word = toPaddedHex(after, 32).slice(2)
    if (!argumentsIn(data).includes(word)) return undefined
    data = data.replace(word, toPaddedHex(wanted, 32).slice(2)) as Hex
  }
  return { ...setting.attempt, data }
}
