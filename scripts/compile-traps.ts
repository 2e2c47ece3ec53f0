import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { compiledFile, compileTraps, fingerprintOf, generations } from './trap-compilers.js'

/** Compiles `contracts/traps` with every generation into `contracts/traps/compiled`: a fingerprint of the sources, then a contract in each line. */
for (const generation of generations) {
  const codes = compileTraps(generation)
  const lines = [fingerprintOf(generation), ...[...codes].map(([name, code]) => `${name} ${code}`)]
  mkdirSync(dirname(compiledFile(generation)), { recursive: true })
  writeFileSync(compiledFile(generation), `${lines.join('\n')}\n`)
  process.stdout.write(`Compiled ${codes.size} traps with ${generation.label}\n`)
}
