/** Remembers which methods each path has, to tell 405 from 404. */
export interface MethodTable {
  add(path: string, methods: string | readonly string[]): void
  /** Methods of a requested path, sorted; empty when there is no such path. */
  methodsOf(path: string): string[]
}

export function createMethodTable(): MethodTable {
  const table = new Map<string, Set<string>>()
  return {
    add(path, methods) {
      const known = table.get(path) ?? new Set()
      for (const method of [methods].flat()) known.add(method)
      table.set(path, known)
    },
    methodsOf(path) {
      const matching = [...table].filter(([pattern]) => matches(pattern, path))
      return [...new Set(matching.flatMap(([, methods]) => [...methods]))].sort()
    },
  }
}

/** Segment by segment; `:name` stands for any one segment that is not empty. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return false
  return wanted.every((segment, i) => (segment.startsWith(':') ? given[i] !== '' : segment === given[i]))
}
