import { expect, test } from 'vitest'
import { conclude } from './three-seconds.js'

const say = (...lines: string[]) => conclude(lines.map((text, i) => ({ text, size: 40 - 10 * i })))

test.each([
  ['buy', 'Safe to buy'],
  ['buy', 'We did not find a scam'],
  ['buy', 'A low risk'],
  ['do not buy', 'Stay away: your money would be lost'],
  ['do not buy', 'You can’t trust it'],
  ['do not buy', 'Not at all safe'],
  ['do not buy', 'It can be bought and not sold'],
  ['not sure', 'Be careful'],
  ['not sure', 'Safe and sound, and a risk'],
  ['not sure', 'We do not know'],
  ['not sure', 'A medium risk'],
  ['says nothing', 'Some Token'],
  ['says nothing', 'We know it'],
] as const)('English is understood without this service: %s, by "%s"', (answer, text) => {
  expect(say(text)).toBe(answer)
})

test('what is written large counts, and of what is small only as much as there is time for', () => {
  expect(say('Do not buy', 'It is traded here')).toBe('do not buy')
  const long = 'They have made this one and they have shown it to all of us'
  expect(conclude([{ text: `${long}. It is a fraud.`, size: 16 }])).toBe('says nothing')
  expect(say('42', 'A scam')).toBe('do not buy')
  expect(say()).toBe('says nothing')
})

test('a headline that contradicts the verdict is heard', () => {
  expect(say('No trap found', 'Your money would be stolen')).toBe('says both')
  expect(say('Do not buy', 'It works well')).toBe('says both')
  expect(say('Be careful', 'It may be a fraud')).toBe('not sure')
})
