import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkProgram } from './link-solana-program.js'

/**
 * Compiles the programs of the Solana devnet with Debian's clang-14 and links them into the shared
 * objects that the chain's loader takes. Needed only after a change of `contracts/solana`; the
 * results are committed. `--check` compares instead of writing.
 */
const SOURCES = join(import.meta.dirname, '../contracts/solana')
const TARGET = join(import.meta.dirname, '../contracts/solana/programs.json')

const HOOKS = [
  'allow',
  'deny',
  'deny-sell',
  'time-bomb',
  'sell-limit',
  'sell-minimum',
  'blacklist',
  'whitelist',
  'remember-buyer',
  'endless',
  'log-flood',
  'wild-pointer',
  'slot-bomb',
  'epoch-bomb',
  'time-lock',
  'sell-once',
  'sell-five-times',
  'count-sales',
  'some-sellers',
  'look-at-seller',
  'hashed-day',
  'switch',
  'late-and-large',
  'ask-another',
  'time-window',
  'calls-itself',
  'calls-itself-once',
  'calls-itself-often',
]

const PROGRAMS = [
  { name: 'amm', source: 'amm.c', defines: [] as string[] },
  { name: 'pump-curve', source: 'pump.c', defines: ['-DVENUE=CURVE'] },
  { name: 'pump-swap', source: 'pump.c', defines: ['-DVENUE=POOL'] },
  ...HOOKS.map((name) => ({
    name: `hook-${name}`,
    source: 'hook.c',
    defines: [`-DBEHAVIOUR=${name.toUpperCase().replaceAll('-', '_')}`],
  })),
]

const FLAGS = [
  ...['-target', 'bpfel', '-mcpu=v1', '-O2', '-ffreestanding', '-fno-builtin', '-fno-unwind-tables'],
  ...['-fno-asynchronous-unwind-tables', '-nostdinc', '-Wall', '-Wno-unused-variable', '-Wno-unused-but-set-variable'],
]

const folder = mkdtempSync(join(tmpdir(), 'assay-programs-'))
try {
  const compiled = Object.fromEntries(
    PROGRAMS.map(({ name, source, defines }) => [name, compile(name, source, defines)]),
  )
  const text = `${JSON.stringify(compiled, null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(TARGET, text)
  else if (readFileSync(TARGET, 'utf8') !== text) {
    process.stderr.write('The committed Solana programs are not what their source compiles to.\n')
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Base64 of the shared object. */
function compile(name: string, source: string, defines: readonly string[]): string {
  const object = join(folder, `${name}.o`)
  execFileSync('clang-14', [...FLAGS, ...defines, '-c', join(SOURCES, source), '-o', object], { stdio: 'inherit' })
  return Buffer.from(linkProgram(readFileSync(object))).toString('base64')
}
