import type { Advice } from '../../../reports/advice.js'
import { describeRisk } from '../../../reports/describe-risk.js'
import type { SavedReport } from '../../../saved-reports/saved-report.js'
import { writeDate } from './appearance.js'
import { escapeMarkup } from './escape-markup.js'

/**
 * The tags by which a link shows itself in a chat (Open Graph). The picture is one of a few, made
 * before: it holds no text of a token's.
 */
export function writePreview({ summary }: Pick<SavedReport, 'summary'>, url: string): string {
  const { overall, name, symbol, address, chainName, block } = summary
  const title = `${overall.advice}: ${name || symbol || address} on ${chainName}`
  const description = `${overall.headline} On ${writeDate(block.timestamp)}: ${describeRisk(overall)}.`
  const picture = `${new URL(url).origin}${PICTURES[overall.advice]}`
  const tags: [string, string][] = [
    ['og:type', 'website'],
    ['og:site_name', 'Assay'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', picture],
    ['og:image:type', 'image/png'],
    ['og:image:width', '1200'],
    ['og:image:height', '630'],
    ['og:image:alt', overall.advice],
    ['twitter:card', 'summary_large_image'],
  ]
  const metas = tags.map(
    ([property, content]) => `<meta property="${property}" content="${escapeMarkup(content, MAX_TAG)}">`,
  )
  return [
    `<title>${escapeMarkup(title, MAX_TAG)}</title>`,
    `<meta name="robots" content="noindex">`,
    `<meta name="description" content="${escapeMarkup(description, MAX_TAG)}">`,
    ...metas,
  ].join('\n    ')
}

const MAX_TAG = 200

/** Made by `npm run draw:previews`, of 1200 by 630 pixels each. */
export const PICTURES: Readonly<Record<Advice, string>> = {
  'No trap found': '/preview/no-trap-found.png',
  'Be careful': '/preview/be-careful.png',
  'Do not buy': '/preview/do-not-buy.png',
  'Do not use': '/preview/do-not-use.png',
  'Not known': '/preview/not-known.png',
}
