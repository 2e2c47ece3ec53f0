import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Bytes of gzip that a browser needs before it can show the first page. */
export const FIRST_PAINT_BUDGET = 80_000

const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.json'])

/**
 * Puts a compressed copy beside each file, and ends the build when the first paint got too heavy.
 */
export function compressAndWeigh(): Plugin {
  let directory = ''
  return {
    name: 'compress-and-weigh',
    apply: 'build',
    configResolved: ({ root, build }) => {
      directory = resolve(root, build.outDir)
    },
    closeBundle() {
      for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSIBLE.has(extname(name))) continue
        const bytes = readFileSync(join(directory, name))
        writeFileSync(join(directory, `${name}.br`), brotliCompressSync(bytes))
        writeFileSync(join(directory, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
      const { files, total } = weighFirstPaint(directory)
      for (const [name, size] of files) process.stdout.write(`  ${(size / 1_000).toFixed(1).padStart(6)} kB  ${name}\n`)
      process.stdout.write(
        `  ${(total / 1_000).toFixed(1).padStart(6)} kB  first paint (gzip, budget ${FIRST_PAINT_BUDGET / 1_000} kB)\n`,
      )
      if (total > FIRST_PAINT_BUDGET) this.error('the first paint is over its budget')
    },
  }
}

/**
 * What the document names itself, and what those scripts import before they run: sizes in bytes of
 * gzip.
 */
export function weighFirstPaint(directory: string): { files: [string, number][]; total: number } {
  const names = new Set(['index.html'])
  for (const name of names) {
    const text = readFileSync(join(directory, name), 'utf8')
    for (const found of name.endsWith('.html') ? linksOf(text) : importsOf(name, text)) names.add(found)
  }
  const files = [...names].map((name): [string, number] => [
    name,
    gzipSync(readFileSync(join(directory, name)), { level: 9 }).length,
  ])
  return { files, total: files.reduce((sum, [, size]) => sum + size, 0) }
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name]) => name ?? '')
}

/** Static imports only; those of pages that are not the first come later. */
function importsOf(name: string, code: string): string[] {
  if (!name.endsWith('.js')) return []
  return [...code.matchAll(/(?:^|[;}\s])(?:import|export)[^'"();]*["']\.\/([^"']+\.js)["']/g)].map(
    ([, file]) => `assets/${file}`,
  )
}
