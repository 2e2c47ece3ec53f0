import { expect, test } from 'vitest'
import { describeFamily, type Family } from './family.js'

const FAMILY: Family = {
  ...{ code: '0x', copies: 37, hostile: 31, turned: 12, isMore: false, creatorsOfHostile: 2 },
  ...{ alike: { copies: 0, hostile: 0, turned: 0 }, since: 0, imported: [] },
}

test.each<[Partial<Family>, string]>([
  [
    {},
    'It is the 38th token with this code that was judged here. Of the others 31 were hostile, 12 of them only later; 2 accounts made these.',
  ],
  [{ copies: 0 }, 'It is the first token with this code that was judged here.'],
  [
    { copies: 1, hostile: 0 },
    'It is the 2nd token with this code that was judged here. None of the others was hostile.',
  ],
  [
    { copies: 11, hostile: 1, turned: 0, creatorsOfHostile: 1 },
    'It is the 12th token with this code that was judged here. Of the others 1 was hostile.',
  ],
  [
    { copies: 22, hostile: 0 },
    'It is the 23rd token with this code that was judged here. None of the others was hostile.',
  ],
  [
    { copies: 1_200, isMore: true, hostile: 2, turned: 0, creatorsOfHostile: 0 },
    'More than 1200 other tokens with this code were judged here. Of the others 2 were hostile.',
  ],
])('%o', (change, text) => {
  expect(describeFamily({ ...FAMILY, ...change })).toBe(text)
})
