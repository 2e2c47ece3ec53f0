import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { BaseError } from '../errors.js'
import type { CommandLine } from './command-line.js'
import { readReport } from './replay.js'

/**
 * `assay verify <report.json> --key <file>`: whether the owner of a key signed exactly this report.
 * Asks no server.
 */
export function addVerifyCommand(program: Command, io: CommandLine): void {
  program
    .command('verify')
    .description('check the signature of a saved report')
    .argument('<report>', 'file with one answer of the API')
    .requiredOption('--key <file>', 'public key in PEM, or the answer of GET /api/signing-key')
    .action(async (path: string, { key }: { key: string }) => {
      const report = readReport(path)
      const { isSignedBy, readPublicKey } = await import('../reports/signing-key.js')
      if (!isSignedBy(readPublicKey(readPem(key)), report, report.signature)) throw new NotSignedError()
      io.write('the signature is right\n')
    })
}

/** The answer of the API names the key among other things; a PEM file is the key. */
export function readPem(path: string): string {
  const text = readFileText(path)
  if (!text.trimStart().startsWith('{')) return text
  const { signingKey } = readReport(path)
  const pem = typeof signingKey === 'object' && signingKey !== null && Reflect.get(signingKey, 'publicKey')
  if (typeof pem !== 'string') throw new KeyFileError(path)
  return pem
}

function readFileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new KeyFileError(path, cause)
  }
}

/** The file cannot be read, or holds no key. */
class KeyFileError extends BaseError {
  override readonly name = 'KeyFileError'

  constructor(path: string, cause?: unknown) {
    super(`${path} holds no public key`, { cause, docs: 'docs/replay.md' })
  }
}

/** Not signed at all, by another key, or changed since. */
class NotSignedError extends BaseError {
  override readonly name = 'NotSignedError'

  constructor() {
    super('the signature is missing, of another key, or not of this report')
  }
}
