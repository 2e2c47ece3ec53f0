import type { Token } from '../api/reports.js'
import '../styles/token-name.css'

/** What a token calls itself. It may lie: what it is taken for stands beside it. */
export function TokenName({ token }: { token: Token }) {
  if (token === null || (token.name === '' && token.symbol === '')) return null
  const { name, symbol, marks, imitates } = token
  return (
    <span className="token-name">
      <strong>
        <bdi>{name || symbol}</bdi>
      </strong>
      {name !== '' && symbol !== '' && (
        <>
          {' '}
          (<bdi>{symbol}</bdi>)
        </>
      )}
      {imitates && <span className="warning"> Not the well-known {imitates.symbol}.</span>}
      {marks.includes('hidden') && <span className="warning"> Its name has hidden characters.</span>}
      {marks.includes('mixed-scripts') && <span className="warning"> Its name mixes alphabets that look alike.</span>}
    </span>
  )
}
