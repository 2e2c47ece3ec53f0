import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Runs every `*.bench.ts` beside this file, or those whose name contains the argument. */
const wanted = process.argv[2] ?? ''
const scripts = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.bench.ts') && name.includes(wanted))

for (const script of scripts.sort()) {
  process.stdout.write(`\n# ${script}\n\n`)
  const { run } = (await import(pathToFileURL(join(import.meta.dirname, script)).href)) as { run(): Promise<void> }
  await run()
}
process.exit(0)
