import { type ReactNode, useId } from 'react'

/** A heading in the margin, and what it is about beside it. */
export function Section({
  title,
  note,
  id,
  children,
}: {
  title: string
  note?: string
  id?: string
  children: ReactNode
}) {
  const heading = useId()
  return (
    <section className="section" aria-labelledby={heading} id={id}>
      <div className="section-head">
        <h2 id={heading}>{title}</h2>
        {note && <p>{note}</p>}
      </div>
      <div className="section-body">{children}</div>
    </section>
  )
}
