import { spawnSync } from 'node:child_process'
import { judgeSignatures } from './judge-signatures.js'

/**
 * `npm run check:signatures`: has npm compare what is installed with the signatures of the
 * registry. Fails when one is wrong or missing; where no registry answers that signs, it says so
 * and passes, because nothing was found out. Further arguments go to npm.
 */
const args = [
  'audit',
  'signatures',
  '--json',
  '--fetch-retries',
  '1',
  '--fetch-timeout',
  '20000',
  ...process.argv.slice(2),
]
const { stdout } = spawnSync('npm', args, {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  maxBuffer: 64 * 2 ** 20,
})
const verdict = judgeSignatures(stdout ?? '')
if (verdict.kind === 'verified') process.stdout.write('every package bears the signature of its registry\n')
else if (verdict.kind === 'unanswered')
  process.stdout.write(`nothing was found out about signatures: ${verdict.reason}\n`)
else {
  process.stderr.write(`wrong or missing signatures: ${verdict.packages.join(', ')}\n`)
  process.exitCode = 1
}
