import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * The client as a package of its own, for those who want to ask a service and not to run one. No
 * dependency comes with it. `compiled` is the folder of the build.
 */
export function writeClientPackage(compiled: string, target: string): void {
  const { version, license, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const files = readdirSync(join(compiled, 'client')).filter((name) => /\.(js|d\.ts)$/.test(name))
  for (const name of files) cpSync(join(compiled, 'client', name), join(target, name))
  cpSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))
  writeFileSync(join(target, 'README.md'), readme())
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify(
      {
        name: 'assay-client',
        version,
        description: 'Asks an Assay service whether a token or contract is safe to touch, and guards a wallet with it.',
        license,
        type: 'module',
        sideEffects: false,
        engines,
        exports: { '.': { types: './client.d.ts', default: './client.js' } },
        files: ['*.js', '*.d.ts'],
      },
      null,
      2,
    )}\n`,
  )
}

/** The part of the documentation that is about it, under the name that it has there. */
function readme(): string {
  const page = readFileSync(join(ROOT, 'docs/interfaces.md'), 'utf8')
  const [, part = ''] = /^## TypeScript client\n([\s\S]*?)^Types and routes are made/m.exec(page) ?? []
  const plain = part.replaceAll('assay/client', 'assay-client').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
  return `# assay-client\n${plain.trimEnd()}\n`
}

if (process.argv[1] === import.meta.filename) {
  writeClientPackage(join(ROOT, 'dist'), join(ROOT, 'dist/npm/client'))
}
