import { useExamples } from '../chains.js'
import { Link } from '../router.js'

/** What this service can answer at a click; its line is kept until the service has said what. */
export function Examples() {
  const examples = useExamples()
  if (examples?.length === 0) return null
  return (
    <p className="examples">
      {examples && 'For example: '}
      {examples?.map(({ name, chain, address }) => (
        <Link key={`${chain}${address}`} href={`/report/${encodeURIComponent(chain)}/${encodeURIComponent(address)}`}>
          {name}
        </Link>
      ))}
    </p>
  )
}
