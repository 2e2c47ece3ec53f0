import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const PAGE = new URL('../../docs/attacks.md', import.meta.url)
const COLUMNS = ['attack', 'ended by', 'worst ms', 'CPU ms', 'repeats', 'MB after a tenth', 'MB after all']

const INTRODUCTION = `# Attacks on the engine

Code written to exhaust its analyst (\`test/conformance/attacks.ts\`), through the pool of workers with the gas of a whole block. Written by
\`npm run bench attacks\`; delete the page to measure everything again.

*Ended by*: the bound that ended it at the full bounds; \`success\` and \`halt\` mean that it was over, or out of gas, in time. *Worst* is the longest of three such runs, *CPU* the median of
the whole process's processor time. Then the attack was repeated in the same process, with the bounds on work cut to a hundredth unless a bound on size ends it; the last two columns are the resident memory of the process, both pools included,
after a tenth of the repeats and after all of them.
`

/** The rows of the page, without the name, by the attack's name. */
export function readAttackRows(): Map<string, string[]> {
  const lines = existsSync(PAGE) ? readFileSync(PAGE, 'utf8').split('\n') : []
  const rows = lines.filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '))
  return new Map(rows.slice(2).map(([name = '', ...cells]) => [name, cells]))
}

/** The head of the table. */
export function headOfTable(): string {
  return [COLUMNS, COLUMNS.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

/** Writes the page. `machine`: when and where the last rows were measured. */
export function writeAttackRows(rows: ReadonlyMap<string, readonly string[]>, machine: string): void {
  const lines = [...rows].map(([name, cells]) => `| ${[name, ...cells].join(' | ')} |\n`)
  writeFileSync(PAGE, `${INTRODUCTION}\n${machine}. ${rows.size} attacks.\n\n${headOfTable()}${lines.join('')}`)
}
