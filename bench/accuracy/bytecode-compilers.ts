import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

/** One way to compile the examples. */
export interface CompilerSetting {
  label: string
  package: string
  /** major.minor.patch as a number: 0.8.30 is 830. */
  version: number
  viaIR: boolean
  /** Optimiser runs; `undefined` switches it off. */
  runs: number | undefined
  /** Changes of the source that must not change what is found. */
  mutate?: (source: string) => string
}

export interface CompiledFixture {
  name: string
  creationCode: `0x${string}`
}

const GENERATIONS = [
  ['solc-0426', 426, '0.4.26'],
  ['solc-0517', 517, '0.5.17'],
  ['solc-0612', 612, '0.6.12'],
  ['solc-076', 706, '0.7.6'],
  ['solc-0819', 819, '0.8.19'],
  ['solc', 830, '0.8.30'],
] as const

const RUNS = [undefined, 200, 10_000]

/**
 * Every generation with three settings of the optimiser, both code generators of the last one, and
 * each of these mutated.
 */
export function listSettings(): CompilerSetting[] {
  const name = (version: string, runs: number | undefined, viaIR: boolean) =>
    `${version}${viaIR ? ' via-IR' : ''}, ${runs === undefined ? 'not optimised' : `${runs} runs`}`
  const plain = GENERATIONS.flatMap(([pkg, version, text]) =>
    RUNS.map((runs) => ({ label: name(text, runs, false), package: pkg, version, viaIR: false, runs })),
  )
  const viaIR = RUNS.map((runs) => ({
    label: name('0.8.30', runs, true),
    package: 'solc',
    version: 830,
    viaIR: true,
    runs,
  }))
  const mutable = [...plain, ...viaIR].filter(({ runs }) => runs === 200)
  const mutated = mutable.flatMap((setting) =>
    Object.entries(MUTATIONS).map(([mutation, mutate]) => ({
      ...setting,
      label: `${setting.label}, ${mutation}`,
      mutate,
    })),
  )
  return [...plain, ...viaIR, ...mutated]
}

/**
 * What must not matter: further functions that shuffle the dispatcher, branches that never happen,
 * constants in pieces, other names.
 */
const MUTATIONS: Record<string, (source: string) => string> = {
  'shuffled dispatch': (source) =>
    source.replace(
      'function owner() public',
      `${Array.from({ length: 12 }, (_, n) => `function q${n * 7919}(uint256 a) public pure returns (uint256) { return a * ${n + 2} + ${n}; }`).join('\n')}
function owner() public`,
    ),
  'junk branches': (source) =>
    source.replaceAll(
      /(function (?!owner|balanceOf)\w+\([^)]*\) public (?!view)[^{]*\{)/g,
      '$1\n        if (address(this) == address(1)) { revert("never"); }\n        if (address(this).balance == 123456789123456789 ether) { assembly { log0(0, 0) } }\n',
    ),
  'split constants': (source) =>
    source
      .replaceAll(/\b1 ether\b/g, '(1000 * 1 finney)')
      .replaceAll(/\/ 100\b/g, '/ (25 * 4)')
      .replaceAll(/ <= 5\b/g, ' <= (2 + 3)')
      .replaceAll(/\b1 finney\b/g, '10**15'),
  'other names': (source) =>
    source
      .replaceAll(/\b(setFee|list|settle|prepare|note|clean|setPaused|setLimit|setPause|collect|execute)\b/g, 'z_$1_x')
      .replaceAll('_owner', '_k9'),
}

const SOURCES = resolve(import.meta.dirname, '../../contracts/detectors')
const require = createRequire(import.meta.url)

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

/** Compiles the examples the way `setting` says. What does not compile is an error of the bench. */
export function compileFixtures(setting: CompilerSetting): CompiledFixture[] {
  const solc = require(setting.package) as {
    compile(input: string): string
    compileStandardWrapper?(input: string): string
  }
  const run = solc.compileStandardWrapper ?? solc.compile
  const files = readdirSync(SOURCES)
    .filter((name) => name.endsWith('.sol'))
    .map((name) => ({ name, text: readFileSync(join(SOURCES, name), 'utf8') }))
    // What leaves checks of arithmetic out means nothing to compilers that make none.
    .filter(({ text }) => setting.version >= 800 || !text.includes('unchecked {'))
  const sources = Object.fromEntries(
    files.map(({ name, text }) => {
      const mutable = name !== 'PowersOverCode.sol' && text.includes('DetectorToken')
      return [name, { content: downgrade(mutable ? (setting.mutate?.(text) ?? text) : text, setting.version) }]
    }),
  )
  const settings = {
    optimizer: { enabled: setting.runs !== undefined, runs: setting.runs ?? 200 },
    ...(setting.viaIR && { viaIR: true }),
    ...(setting.version >= 830 && { evmVersion: 'cancun' }),
    outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
  }
  const { errors = [], contracts = {} } = JSON.parse(
    run(JSON.stringify({ language: 'Solidity', sources, settings })),
  ) as Output
  const grave = errors.filter(({ severity }) => severity === 'error')
  if (grave.length > 0)
    throw new Error(`${setting.label}: ${grave.map(({ formattedMessage }) => formattedMessage).join('\n')}`)
  return Object.values(contracts).flatMap((units) =>
    Object.entries(units).flatMap(([name, { evm }]) =>
      evm.bytecode.object === '' ? [] : [{ name, creationCode: `0x${evm.bytecode.object}` as const }],
    ),
  )
}

/** Rewrites the examples for older compilers: the same behaviour in the words of their time. */
function downgrade(source: string, version: number): string {
  let text = source.replaceAll(/^\s*\/\/\/.*$/gm, '')
  text = text.replace('pragma solidity ^0.8.0', 'pragma solidity >=0.4.0')
  if (version < 700) text = text.replaceAll(/\b(\w+)\.slot\b/g, '$1_slot')
  if (version < 706) text = text.replaceAll(/constructor\(\) \{/g, 'constructor() public {')
  // There a function is as pure as the one that it overrides.
  if (version < 700) text = text.replaceAll(/ pure (virtual|override)/g, ' view $1')
  if (version < 612)
    text = text
      .replaceAll('abstract contract', 'contract')
      .replaceAll(/ (virtual|override)\b/g, '')
      .replaceAll(/payable\(([^()]+)\)/g, '$1')
  if (version < 500) {
    text = text
      .replaceAll('address payable', 'address')
      .replaceAll('(bool done, ) = target.call(data)', 'bool done = target.call(data)')
      .replaceAll('gas(),', 'gas,')
      // CREATE2 came with Constantinople, which that compiler does not know in the final form.
      .replaceAll(/create2\((.*), 7\)/g, 'create($1)')
  }
  return text
}
