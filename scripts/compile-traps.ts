import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { compiledFile, compileFolder, FOLDERS, fingerprintOf, generations } from './trap-compilers.js'

/**
 * Compiles `contracts/traps` and `contracts/phishing` with every generation into their folder
 * `compiled`: a fingerprint of the sources, then a contract in each line. Names of folders as
 * arguments leave the others alone.
 */
const wanted = process.argv.slice(2)
for (const folder of FOLDERS.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  for (const generation of generations) {
    const codes = compileFolder(generation, folder)
    const lines = [fingerprintOf(generation, folder), ...[...codes].map(([name, code]) => `${name} ${code}`)]
    const file = compiledFile(generation, folder)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${lines.join('\n')}\n`)
    process.stdout.write(`Compiled ${codes.size} contracts of ${folder} with ${generation.label}\n`)
  }
}
