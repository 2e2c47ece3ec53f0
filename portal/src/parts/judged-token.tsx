import { describeRisk } from '../../../src/reports/describe-risk.js'
import type { Token as Said } from '../api/reports.js'
import type { Judgement } from '../api/watches.js'
import { useChain } from '../chains.js'
import { shorten } from '../format.js'
import { Link } from '../router.js'
import { TokenName } from './token-name.js'
import '../styles/watches.css'

/** A token by what it calls itself, once that is known, as a link to its report. */
export function Token({
  of,
  chainId,
  token = null,
}: {
  of: string
  chainId: number | 'SOL'
  token?: Said | undefined
}) {
  const { name } = useChain(String(chainId))
  return (
    <span>
      <TokenName token={token} />{' '}
      <Link href={`/report/${chainId}/${of}`} className="mono" title={of}>
        {shorten(of)}
      </Link>{' '}
      <span className="quiet">{name}</span>
    </span>
  )
}

/** A verdict in the words of a buyer, with its level and number. */
export const Level = ({ judgement }: { judgement: Judgement }) => (
  <span className="watch-level" data-level={judgement.level}>
    {judgement.advice} <span className="quiet">{describeRisk(judgement)}</span>
  </span>
)
