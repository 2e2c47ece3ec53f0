import { Errors } from 'typebox/value'
import { expect, test } from 'vitest'
import { createTestApp } from '../../../../test/http/test-app.js'
import { statsOf } from '../../../outcomes/outcome-stats.js'
import { StatsBody } from './schema.js'

const families = { codes: 2, copies: 5, hostile: 3, turned: 1 }

test('tells what became of verdicts, to anyone', async () => {
  const seen = { 7: 'shut', 30: undefined } as const
  const stats = statsOf([
    { level: 'High Risk', wasTrap: false, seen, count: 2 },
    { level: 'Safe', wasTrap: false, seen, count: 1 },
  ])
  const { app } = await createTestApp({ services: { stats: { read: async () => ({ ...stats, families }) } } })
  const response = await app.inject({ url: '/api/stats' })
  expect(response.statusCode).toBe(200)
  expect([...Errors(StatsBody, response.json())]).toEqual([])
  expect(response.json()).toMatchObject({
    ...{ success: true, followed: 3, families },
    stages: [
      { days: 7, precision: 1, recall: 0.6667 },
      { days: 30, precision: null, recall: null },
    ],
  })
})

test('a store that fails is a failure without its reason', async () => {
  const read = () => Promise.reject(new Error('secret'))
  const { app } = await createTestApp({ services: { stats: { read } } })
  const response = await app.inject({ url: '/api/stats' })
  expect(response.statusCode).toBe(500)
  expect(response.body).not.toContain('secret')
})
