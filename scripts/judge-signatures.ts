/** What `npm audit signatures --json` found out. `unanswered`: no registry that signs was asked. */
export type SignatureVerdict =
  | { kind: 'verified' }
  | { kind: 'unanswered'; reason: string }
  /**
   * Names of packages whose signature is another's, or that have none though their registry signs.
   */
  | { kind: 'refused'; packages: string[] }

interface AuditOutput {
  invalid?: { name: string; version: string }[]
  missing?: { name: string; version: string }[]
  error?: { summary?: string; code?: string }
}

/** Only what a registry said of a package counts against it: silence proves nothing, either way. */
export function judgeSignatures(output: string): SignatureVerdict {
  const { invalid, missing, error } = parse(output)
  if (invalid === undefined || missing === undefined)
    return { kind: 'unanswered', reason: error?.summary ?? error?.code ?? 'npm gave no answer' }
  const packages = [...invalid, ...missing].map(({ name, version }) => `${name}@${version}`)
  return packages.length > 0 ? { kind: 'refused', packages } : { kind: 'verified' }
}

function parse(output: string): AuditOutput {
  try {
    const parsed: unknown = JSON.parse(output)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}
