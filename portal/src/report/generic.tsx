import { shorten, toWords } from '../format.js'

/** Deeper than any field of ours; what lies below is in the raw answer. */
const MAX_DEPTH = 4
const MAX_ROWS = 100
const MAX_COLUMNS = 6

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Shows a field that this page has no picture for: rows as a table, fields as a list, everything
 * else as text.
 */
export function Fields({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (depth > MAX_DEPTH) return <span className="quiet">see the raw answer</span>
  if (Array.isArray(value))
    return value.length > 0 && value.every(isRow) ? (
      <Rows rows={value} depth={depth} />
    ) : (
      <Items items={value} depth={depth} />
    )
  if (isRow(value)) {
    return (
      <dl className="fields">
        {Object.entries(value).map(([name, field]) => (
          <div key={name}>
            <dt>{toWords(name)}</dt>
            <dd>
              <Fields value={field} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
    )
  }
  return <Plain value={value} />
}

function Items({ items, depth }: { items: readonly unknown[]; depth: number }) {
  if (items.length === 0) return <span className="quiet">none</span>
  return (
    <ul className="items">
      {items.slice(0, MAX_ROWS).map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={i}>
          <Fields value={item} depth={depth + 1} />
        </li>
      ))}
    </ul>
  )
}

/** Columns are those fields that hold something simple; the rest of a row stands below it. */
function Rows({ rows, depth }: { rows: readonly Row[]; depth: number }) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = names.filter((name) => rows.every((row) => !isDeep(row[name]))).slice(0, MAX_COLUMNS)
  const deep = names.filter((name) => !columns.includes(name))
  return (
    <div className="scroll">
      <table className="fact-table">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {toWords(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <TableRow key={i} row={row} columns={columns} deep={deep} depth={depth} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface TableRowProps {
  row: Row
  columns: readonly string[]
  deep: readonly string[]
  depth: number
}

function TableRow({ row, columns, deep, depth }: TableRowProps) {
  return (
    <>
      <tr>
        {columns.map((name) => (
          <td key={name} data-label={toWords(name)}>
            <Plain value={row[name]} />
          </td>
        ))}
      </tr>
      {deep.length > 0 && (
        <tr className="more">
          <td colSpan={Math.max(1, columns.length)}>
            <details className="disclosure">
              <summary>{deep.map(toWords).join(', ')}</summary>
              <Fields value={Object.fromEntries(deep.map((name) => [name, row[name]]))} depth={depth + 1} />
            </details>
          </td>
        </tr>
      )}
    </>
  )
}

const isDeep = (value: unknown) => typeof value === 'object' && value !== null

/** Longer texts than this are sentences, and may wrap. */
const HEX = /^0x[0-9a-fA-F]{12,}$/

function Plain({ value }: { value: unknown }) {
  if (value === null || value === undefined || value === '') return <span className="quiet">–</span>
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = String(value)
  return HEX.test(text) ? (
    <span className="mono" title={text}>
      {shorten(text)}
    </span>
  ) : (
    text
  )
}
