import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A place of a stack in a file of the build: its URL, line and column, from one. */
const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g
/** More than the build has files. */
const MAX_MAPS = 256

/** By file; `undefined` where none lies beside it. */
const maps = new Map<string, SourceMap | undefined>()

/**
 * The stack with the lines of the repository, where the build has its source maps beside it. They
 * are read when an error is logged: `--enable-source-maps` reads and keeps all at the start.
 */
export function toSourceLines(stack: string): string {
  return stack.replace(PLACE, (place, url: string, line: string, column: string) => {
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column))
    return origin && 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : place
  })
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url) && maps.size < MAX_MAPS) maps.set(url, readMap(url))
  return maps.get(url)
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
