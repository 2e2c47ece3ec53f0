import type { Static } from 'typebox'
import type { SavedReportBody, WhatChangedAnswer } from '../../../src/http/routes/saved-reports/schema.js'
import { send } from './api-client.js'
import { NO_REPORTS, type Reports, type Target } from './reports.js'
import { follow, NOTHING_YET } from './stream.js'

export type SavedReport = Static<typeof SavedReportBody>
export type Changes = Static<typeof WhatChangedAnswer>['changes']
export type Visibility = SavedReport['visibility']

/** A report that was kept, with what it holds. */
export interface LoadedReport {
  report: SavedReport
  reports: Reports
}

/** Asks as the one who has this key, or else this session. */
export function savedReportsOf(apiKey: string | undefined) {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    }
    const response = await send(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return (await response.json()) as T
  }
  const path = (id: string) => `/api/reports/${encodeURIComponent(id)}`
  return {
    save: ({ address, chain, blockNumber }: Target) =>
      ask<SavedReport>('POST', '/api/reports', {
        targetContractAddress: address,
        chainId: chain === 'SOL' ? 'SOL' : Number(chain),
        ...(blockNumber !== undefined && chain !== 'SOL' && { blockNumber }),
      }),
    list: () => ask<{ reports: SavedReport[] }>('GET', '/api/reports'),
    setVisibility: (id: string, visibility: Visibility) => ask('PATCH', path(id), { visibility }),
    remove: (id: string) => ask('DELETE', path(id)),
    checkAgain: (id: string) => ask<{ changes: Changes }>('POST', `${path(id)}/check`),
    /** One behind a link; or else, where there may be a key or a session, one's own. */
    async load(id: string, mayBeOwner: boolean): Promise<LoadedReport> {
      const shown = `/r/${encodeURIComponent(id)}/report.json`
      const answer = await ask<Loaded>('GET', shown).catch((error: unknown) => {
        if (!mayBeOwner) throw error
        return ask<Loaded>('GET', path(id))
      })
      return { report: answer.report, reports: toReports(answer.answers) }
    },
  }
}

interface Loaded {
  report: SavedReport
  answers: Readonly<Record<string, object>>
}

/** Answers by name as the page shows them; a failure is what is missing. */
export function toReports(answers: Readonly<Record<string, object>>): Reports {
  const state = Object.entries(answers).reduce((known, [name, answer]) => {
    const isMade = 'success' in answer && answer.success === true
    const data = isMade ? { name, report: answer } : { ...answer, name }
    return follow(known, { name: isMade ? 'report' : 'failure', data })
  }, NOTHING_YET)
  return { ...NO_REPORTS, ...state.reports }
}
