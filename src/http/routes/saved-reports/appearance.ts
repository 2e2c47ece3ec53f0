import type { Advice } from '../../../reports/advice.js'

/** How an advice looks where no style sheet of the portal reaches: 4.5 to 1 and more. */
export const COLOURS: Readonly<Record<Advice, { fill: string; ink: string }>> = {
  'No trap found': { fill: '#1f6b3a', ink: '#ffffff' },
  'Be careful': { fill: '#f2b84b', ink: '#241a00' },
  'Do not buy': { fill: '#a3231f', ink: '#ffffff' },
  'Do not use': { fill: '#a3231f', ink: '#ffffff' },
  'Not known': { fill: '#595650', ink: '#ffffff' },
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** `22 Nov 2026`; empty for a time that is none. */
export function writeDate(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? '' : DAY.format(time)
}
