import type { ReactNode } from 'react'

export interface FactRow {
  key: string | number
  /** By the names of the columns, the same in all rows. The first says what the row is about. */
  cells: Readonly<Record<string, ReactNode>>
  /** How grave it is. */
  threat?: string
}

interface FactTableProps {
  /** What it is, to those who do not see it. */
  label: string
  rows: readonly FactRow[]
  className?: string
}

/**
 * A table to be read across. Where the screen is too narrow for that, each row is a list, and each
 * cell says what it is: nothing is cut.
 */
export function FactTable({ label, rows, className = '' }: FactTableProps) {
  const head = Object.keys(rows[0]?.cells ?? {})
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a region that scrolls is no fieldset
    <div className="scroll" tabIndex={0} role="group" aria-label={label}>
      <table className={`fact-table ${className}`}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells, threat }) => (
            <tr key={key} data-threat={threat}>
              {head.map((name, i) =>
                i === 0 ? (
                  <th key={name} scope="row">
                    {cells[name]}
                  </th>
                ) : (
                  <td key={name} data-label={name}>
                    {cells[name]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What is too long to stand there whole, with all of it for those who point at it. */
export function Short({ all, children }: { all: string; children: ReactNode }) {
  return (
    <span className="mono whole" title={all}>
      {children}
    </span>
  )
}
