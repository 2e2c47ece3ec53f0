import { createHash } from 'node:crypto'
import { describeRisk } from '../../../reports/describe-risk.js'
import type { SavedReport } from '../../../saved-reports/saved-report.js'
import { COLOURS, writeDate } from './appearance.js'
import { escapeMarkup } from './escape-markup.js'

const STYLE = `:root{color-scheme:light dark}
body{margin:0;font:15px/1.45 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{padding:14px 16px;border:1px solid GrayText;border-radius:8px;max-width:520px}
p{margin:0 0 8px}h1{font-size:17px;margin:0 0 4px}
.advice{display:inline-block;padding:2px 10px;border-radius:4px;font-weight:700}
.small{font-size:13px}
${Object.entries(COLOURS)
  .map(([advice, { fill, ink }]) => `[data-advice="${advice}"]{background:${fill};color:${ink}}`)
  .join('\n')}
@media print{.small a{display:none}}`

/** Style of the card, by its hash: no other style and no script runs in it. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  // It holds nothing of the reader's and does nothing when it is clicked but open the report.
  'frame-ancestors *',
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ')

/** Headers of what other pages show in a frame or as a picture. */
export const SHOWN_ELSEWHERE = {
  'content-security-policy': POLICY,
  'cross-origin-resource-policy': 'cross-origin',
  'x-frame-options': undefined,
} as const

const MAX_REASON = 400
const MAX_HEADLINE = 160
const MAX_NAME = 60

/** A report as a page without scripts, for the `<iframe>` of another. */
export function writeCard({ summary }: Pick<SavedReport, 'summary'>, url: string): string {
  const { overall, name, symbol, address, chainName, block } = summary
  const { advice, headline, reason } = overall
  const shown = [name || symbol, name !== '' && symbol !== '' ? `(${symbol})` : '']
    .filter((part) => part !== '')
    .join(' ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay: ${escapeMarkup(advice, MAX_NAME)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p><span class="advice" data-advice="${escapeMarkup(advice, MAX_NAME)}">${escapeMarkup(advice, MAX_NAME)}</span></p>
<h1>${escapeMarkup(headline, MAX_HEADLINE)}</h1>
<p>${escapeMarkup(reason, MAX_REASON)}</p>
<p class="small"><bdi>${escapeMarkup(shown || address, MAX_NAME)}</bdi> on ${escapeMarkup(chainName, MAX_NAME)} · ${escapeMarkup(describeRisk(overall), MAX_NAME)} · ${writeDate(block.timestamp)}</p>
<p class="small"><a href="${escapeMarkup(url, url.length)}" target="_blank" rel="noopener noreferrer">The whole report on Assay</a></p>
</main>
</body>
</html>
`
}
