import { expect, test } from 'vitest'
import { createTestApp, HONEYPOT, PHISHING, request, SIMULATE } from '../../test/http/test-app.js'
import type { SavedAnswers } from './saved-report.js'
import { whatChanged } from './what-changed.js'

/** Answers of the real application, to be changed by a test. */
async function answer() {
  const { post } = await createTestApp()
  const ask = async (url: string) => (await post(request(), { url })).json()
  return { simulation: await ask(SIMULATE), honeypot: await ask(HONEYPOT), phishing: await ask(PHISHING) }
}

const changesOf = (before: SavedAnswers, after: SavedAnswers) => whatChanged(before, after) ?? expect.unreachable()

test('two reports that say the same are the same, whatever their blocks', async () => {
  const [before, after] = [await answer(), await answer()]
  after.simulation.block.number += 5
  expect(changesOf(before, after)).toMatchObject({
    isSame: true,
    block: { before: { number: before.simulation.block.number }, after: { number: after.simulation.block.number } },
  })
})

test('level, score and taxes are told as they were and as they are', async () => {
  const [before, after] = [await answer(), await answer()]
  Object.assign(after.simulation.overall, { level: 'Safe', score: 0, advice: 'No trap found' })
  after.honeypot.honeypotResponse.sellTax = 12.5
  after.honeypot.honeypotResponse.transferTax = null
  before.honeypot.honeypotResponse.transferTax = 1
  const changes = changesOf(before, after)
  expect(changes.isSame).toBe(false)
  expect(changes.level).toEqual({ before: before.simulation.overall.level, after: 'Safe' })
  expect(changes.advice).toEqual({ before: before.simulation.overall.advice, after: 'No trap found' })
  expect(changes.taxes).toEqual([
    { name: 'Sell tax', before: before.honeypot.honeypotResponse.sellTax, after: 12.5 },
    { name: 'Transfer tax', before: 1, after: null },
  ])
})

test('a finding that came is new and one that went is gone; one whose figures moved is neither', async () => {
  const [before, after] = [await answer(), await answer()]
  const [trade, later] = [before.honeypot.honeypotResponse, after.honeypot.honeypotResponse]
  trade.findings = [
    { id: 'crowd', detail: 'fails after 51 sales' },
    { id: 'gone', detail: 'was here' },
  ]
  later.findings = [
    { id: 'crowd', detail: 'fails after 60 sales' },
    { id: 'new', detail: 'is here' },
  ]
  expect(changesOf(before, after).findings).toEqual({ added: ['is here'], removed: ['was here'], omitted: 0 })
})

test('of a condition its place is not compared, and harmless ones are not told', async () => {
  const [before, after] = [await answer(), await answer()]
  const condition = { selector: '0x', text: 't', leaves: ['time'], effect: 'loss', loss: 100, unexplained: null }
  before.honeypot.honeypotResponse.conditions = [{ ...condition, pc: 1 }]
  after.honeypot.honeypotResponse.conditions = [
    { ...condition, pc: 2 },
    { ...condition, pc: 3, leaves: ['gas'] },
    { ...condition, pc: 4, leaves: ['seller'], effect: 'none' },
  ]
  expect(changesOf(before, after).conditions).toEqual({
    added: ['A sale asks for gas: otherwise it loses'],
    removed: [],
    omitted: 0,
  })
})

test('more than a person reads are counted', async () => {
  const [before, after] = [await answer(), await answer()]
  after.honeypot.honeypotResponse.findings = Array.from({ length: 30 }, (_, i) => ({ id: `f${i}`, detail: `d${i}` }))
  before.honeypot.honeypotResponse.findings = []
  const { findings } = changesOf(before, after)
  expect([findings?.added.length, findings?.omitted]).toEqual([20, 10])
})

test('a report without a verdict is compared with nothing', async () => {
  const { simulation } = await answer()
  expect(whatChanged({ simulation }, { simulation: { success: false } })).toBeUndefined()
})
