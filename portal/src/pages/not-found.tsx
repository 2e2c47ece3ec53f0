import { Link } from '../router.js'

export function NotFoundPage() {
  return (
    <div className="page narrow">
      <h1>There is no such page.</h1>
      <p>
        <Link href="/">Analyse an address</Link> instead.
      </p>
    </div>
  )
}
