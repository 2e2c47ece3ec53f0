import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeSection } from './page.js'

/**
 * Runs every `*.bench.ts` of `load/` and `speed/` whose path contains all the words given: `load`
 * for a folder, `load cached` or `evm` for one. With `--write`, what each prints goes to its
 * section of `docs/benchmarks.md`. Each has a process of its own, so that none inherits memory from
 * another.
 */
const ROOT = resolve(import.meta.dirname, '..')
const PAGE = join(ROOT, 'docs/benchmarks.md')
/** What is measured in time; accuracy has pages of its own. */
const FOLDERS = ['load/', 'speed/']
const RUN_ONE = '--one'

const [first = '', ...others] = process.argv.slice(2)
if (first === RUN_ONE) {
  const { run } = (await import(pathToFileURL(resolve(others[0] ?? '')).href)) as { run(): Promise<void> }
  await run()
  process.exit()
}

const words = [first, ...others].filter((word) => word !== '' && !word.startsWith('--'))
const isWriting = process.argv.includes('--write')
const scripts = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => FOLDERS.some((folder) => name.startsWith(folder)) && name.endsWith('.bench.ts'))
  .filter((name) => words.every((word) => name.includes(word)))
  .sort()

for (const script of scripts) {
  const name = script.replace('.bench.ts', '')
  process.stdout.write(`\n# ${name}\n\n`)
  const start = performance.now()
  const { text, code } = await runOne(join(import.meta.dirname, script))
  if (code !== 0) {
    process.stderr.write(`${name} failed; its section stays as it was\n`)
    process.exitCode = 1
  } else if (isWriting) {
    const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
    writeFileSync(PAGE, writeSection(page, name, describe(name, text, (performance.now() - start) / 1_000)))
  }
}

/** Runs a bench, with V8 as the service is started with it, shows what it prints, and keeps it. */
async function runOne(script: string): Promise<{ text: string; code: number | null }> {
  const loader = process.execArgv
  const args = ['--v8-pool-size=1', ...loader, import.meta.filename, RUN_ONE, relative(process.cwd(), script)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
    process.stdout.write(part)
  })
  const [code] = await once(child, 'close')
  return { text, code }
}

function describe(name: string, text: string, seconds: number): string {
  const [cpu] = cpus()
  const machine = `${cpu?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB`
  const load = loadavg().map((each) => each.toFixed(1))
  const head = `\`npm run bench ${name.replace('/', ' ')}\`, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, Node ${process.version}, ${machine}, load of the machine ${load.join(', ')}, ${seconds.toFixed(0)} s.`
  return `## ${name}\n\n${head}\n\n\`\`\`text\n${text.trim()}\n\`\`\``
}
