/**
 * Puts `text` where a page has the marks of a section, or at its end when it has none yet.
 * Everything else stays as it is.
 */
export function writeSection(page: string, name: string, text: string): string {
  const begin = `<!-- ${name} -->`
  const end = `<!-- end of ${name} -->`
  const section = `${begin}\n${text.trim()}\n${end}`
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${section}\n`
  return `${page.slice(0, from)}${section}${page.slice(to + end.length)}`
}
