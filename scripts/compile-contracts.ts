import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import solc from 'solc'

/**
 * Compiles `contracts/**.sol` with the pinned compiler into `contracts/generated/<Contract>.json`.
 * `--check` writes nothing and fails when what is committed differs.
 */
const ROOT = resolve(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'contracts')
/** Compiled by several compilers, see `compile-traps.ts`. */
const BY_SEVERAL = ['traps', 'phishing', 'powers']
const GENERATED = join(SOURCES, 'generated')

/** Part of the output: a change of any of these changes the committed bytecode. */
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object', 'devdoc', 'userdoc'] } },
}

interface Output {
  errors?: { severity: 'error' | 'warning' | 'info'; errorCode: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, CompiledContract>>
}

interface CompiledContract {
  abi: unknown[]
  devdoc: object
  userdoc: { notice?: string }
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
}

function main(): void {
  const compiled = compile(readSources())
  if (!process.argv.includes('--check')) {
    write(compiled)
    return
  }
  const differing = differences(compiled)
  if (differing.length === 0) return
  process.stderr.write(`contracts/generated is not what contracts/ compiles to: ${differing.join(', ')}\n`)
  process.stderr.write('Run: npm run compile:contracts\n')
  process.exitCode = 1
}

function readSources(): Record<string, { content: string }> {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const files = names
    .filter((name) => name.endsWith('.sol') && !BY_SEVERAL.some((folder) => name.startsWith(folder)))
    .toSorted()
  // The compiler hashes source names into the metadata, so they must not depend on where the
  // project lies.
  const unitName = (file: string) => relative(ROOT, join(SOURCES, file)).replaceAll('\\', '/')
  return Object.fromEntries(
    files.map((file) => [
      unitName(file),
      { content: readFileSync(join(SOURCES, file), 'utf8').replaceAll('\r\n', '\n') },
    ]),
  )
}

/**
 * File name to file content. Interfaces and abstract contracts have no bytecode and are left out.
 */
function compile(sources: Record<string, { content: string }>): Map<string, string> {
  const input = JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS })
  const { errors = [], contracts = {} } = JSON.parse(solc.compile(input, { import: readLibrary })) as Output
  const grave = errors.filter(
    ({ severity, errorCode }) => severity === 'error' || !EXPECTED_WARNINGS.includes(errorCode),
  )
  if (grave.length > 0) throw new Error(grave.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const files = new Map<string, string>()
  for (const [source, units] of Object.entries(contracts)) {
    if (LIBRARIES.some((library) => source.startsWith(library))) continue
    for (const [contractName, { abi, devdoc, userdoc, evm }] of Object.entries(units)) {
      if (evm.bytecode.object === '') continue
      const file = `${contractName}.json`
      if (files.has(file)) throw new Error(`Two contracts are named ${contractName}; the second is in ${source}`)
      const artifact = {
        contractName,
        source,
        compiler: solc.version(),
        notice: userdoc.notice ?? '',
        devdoc,
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        runtimeBytecode: `0x${evm.deployedBytecode.object}`,
      }
      files.set(file, `${JSON.stringify(artifact, null, 2)}\n`)
    }
  }
  return files
}

/** Fixtures that are what a library makes of them import it. */
function readLibrary(name: string): { contents: string } | { error: string } {
  const [library] = LIBRARIES.filter((each) => name.startsWith(`${each}/`))
  if (library === undefined) return { error: 'no library of fixtures' }
  return { contents: readFileSync(join(ROOT, 'node_modules', name), 'utf8').replaceAll('\r\n', '\n') }
}

const LIBRARIES = ['@openzeppelin/contracts']

/**
 * `selfdestruct` is deprecated (5159), USDC's proxy has a payable fallback alone (3628), and
 * storage of the transaction is warned of wherever it is used (2394): examples exist to show them.
 */
const EXPECTED_WARNINGS = ['5159', '3628', '2394']

function write(compiled: Map<string, string>): void {
  rmSync(GENERATED, { recursive: true, force: true })
  mkdirSync(GENERATED, { recursive: true })
  for (const [file, content] of compiled) writeFileSync(join(GENERATED, file), content)
  process.stdout.write(`Compiled ${compiled.size} contracts with solc ${solc.version()}\n`)
}

function differences(compiled: Map<string, string>): string[] {
  const committed = readdirSync(GENERATED)
  const read = (file: string) => (committed.includes(file) ? readFileSync(join(GENERATED, file), 'utf8') : undefined)
  const changed = [...compiled].filter(([file, content]) => read(file) !== content).map(([file]) => file)
  return [...changed, ...committed.filter((file) => !compiled.has(file))]
}

main()
