import type { SavedReport } from '../../../saved-reports/saved-report.js'
import { COLOURS, writeDate } from './appearance.js'
import { escapeMarkup } from './escape-markup.js'

/**
 * A report as a small picture: the advice and the day it is of. Says nothing that the token says of
 * itself.
 */
export function writeBadge({ summary: { overall, block } }: Pick<SavedReport, 'summary'>): string {
  const text = escapeMarkup(`${overall.advice} · ${writeDate(block.timestamp)}`, MAX_CHARACTERS)
  const width = Math.round(text.length * CHARACTER_WIDTH) + PADDING
  const { fill, ink } = COLOURS[overall.advice]
  const all = LABEL_WIDTH + width
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="20" role="img" aria-label="Assay: ${text}">
<title>Assay: ${text}</title>
<rect width="${all}" height="20" rx="3" fill="#23211d"/>
<path d="M${LABEL_WIDTH} 0h${width - RADIUS}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${LABEL_WIDTH}z" fill="${fill}"/>
<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${LABEL_WIDTH / 2}" y="14" fill="#fff">Assay</text>
<text x="${LABEL_WIDTH + width / 2}" y="14" fill="${ink}">${text}</text>
</g>
</svg>
`
}

const MAX_CHARACTERS = 40
/** Of the widest of those fonts, at this size. */
const CHARACTER_WIDTH = 6.6
const PADDING = 14
const LABEL_WIDTH = 46
const RADIUS = 3
