import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder of the package, which holds `package.json`: the same seen from the source, from what
 * the tests compile, and from the bundle.
 */
export const PACKAGE_ROOT = rootAbove(import.meta.dirname)

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('There is no package.json above this file.')
  return rootAbove(parent)
}
