import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

/** A compiler whose code the traps are tried with: the shapes that real tokens have. */
export interface Generation {
  /** Also the name of the file under `compiled` in each folder. */
  label: string
  package: string
  settings: object
  /** Writes the sources in the words of the compiler's time. */
  translate: (source: string) => string
  /** Folders of sources that it is too old for. */
  without: readonly string[]
}

const OPTIMIZER = { enabled: true, runs: 200 }
const unchanged = (source: string) => source
const withPublicConstructors = (source: string) => source.replaceAll(/(constructor\([^)]*\))/g, '$1 public')

export const generations: readonly Generation[] = [
  {
    label: '0.6.12',
    package: 'solc-0612',
    settings: { optimizer: OPTIMIZER },
    translate: withPublicConstructors,
    without: ['recent/'],
  },
  {
    label: '0.8.30',
    package: 'solc',
    settings: { optimizer: OPTIMIZER, evmVersion: 'cancun' },
    translate: unchanged,
    without: ['old/'],
  },
  {
    label: '0.8.30-via-ir',
    package: 'solc',
    settings: { optimizer: OPTIMIZER, evmVersion: 'cancun', viaIR: true },
    translate: unchanged,
    without: ['old/'],
  },
]

/** Folders under `contracts/` that every generation compiles. */
export const FOLDERS = ['traps', 'phishing', 'powers'] as const
export type Folder = (typeof FOLDERS)[number]

const folderOf = (folder: Folder) => resolve(import.meta.dirname, '../contracts', folder)
const require = createRequire(import.meta.url)

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

/** The input for the compiler: what the code depends on, and nothing else. */
function inputOf({ settings, translate, without }: Generation, folder: Folder): string {
  const names = readdirSync(folderOf(folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  const files = names.filter((name) => name.endsWith('.sol') && !without.some((folder) => name.startsWith(folder)))
  const read = (name: string) => readFileSync(join(folderOf(folder), name), 'utf8').replaceAll('\r\n', '\n')
  return JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(files.toSorted().map((name) => [name, { content: translate(read(name)) }])),
    settings: {
      ...settings,
      metadata: { bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  })
}

/**
 * Tells whether compiled code is that of the present sources, without the minute that compiling
 * takes.
 */
export function fingerprintOf(generation: Generation, folder: Folder): string {
  return createHash('sha256')
    .update(`${generation.package} ${inputOf(generation, folder)}`)
    .digest('hex')
}

/** Creation code of every contract of a folder, by name. */
export function compileFolder(generation: Generation, folder: Folder): Map<string, string> {
  const solc = require(generation.package) as { compile(input: string): string }
  const { errors = [], contracts = {} } = JSON.parse(solc.compile(inputOf(generation, folder))) as Output
  const grave = errors.filter(({ severity }) => severity === 'error').map(({ formattedMessage }) => formattedMessage)
  if (grave.length > 0) throw new Error(`${generation.label}: ${grave.join('\n')}`)
  const units = Object.values(contracts).flatMap((each) => Object.entries(each))
  const codes = units.map(([name, { evm }]) => [name, evm.bytecode.object] as const)
  return new Map(codes.filter(([, code]) => code !== '').toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export const compiledFile = ({ label }: Generation, folder: Folder) =>
  join(folderOf(folder), 'compiled', `${label}.txt`)

/** The committed code of one generation; `undefined` when it is not that of the present sources. */
export function readCompiledTraps(
  generation: Generation,
  folder: Folder = 'traps',
): Map<string, `0x${string}`> | undefined {
  const [fingerprint, ...lines] = readFileSync(compiledFile(generation, folder), 'utf8').trim().split('\n')
  if (fingerprint !== fingerprintOf(generation, folder)) return undefined
  return new Map(lines.map((line) => line.split(' ')).map(([name = '', code = '']) => [name, `0x${code}`]))
}
