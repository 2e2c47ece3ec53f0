import type { Reports } from '../api/reports.js'
import { formatCount } from '../format.js'
import { Link } from '../router.js'

/** What is known here of other tokens with the same code: beside the verdict, never part of it. */
export function FamilyLine({ reports }: { reports: Reports }) {
  const family = reports.simulation?.family ?? reports.honeypot?.family
  if (!family || (family.copies === 0 && family.imported.length === 0)) return null
  const told = family.imported.reduce((sum, { copies }) => sum + copies, 0)
  const bad = family.imported.reduce((sum, { hostile }) => sum + hostile, 0)
  return (
    <p className="note family">
      {family.copies > 0 && `${family.text} `}
      {told > 0 && `Other services told of ${formatCount(told)} more, ${formatCount(bad)} of them hostile. `}
      Copies are made by others, so this moves no verdict. <Link href="/record">The record</Link>
    </p>
  )
}
