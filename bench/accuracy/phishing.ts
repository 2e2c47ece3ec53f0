import { allSentences, compileSentences, type Sentence, somePairs } from '../../test/phishing/grammar.js'
import { startPhishingOnDevnet } from '../../test/phishing/phishing-on-devnet.js'

/**
 * Recall and calm over the grammar of phishing contracts: `npm run bench:phishing`, or with a
 * number of pairs and a seed.
 */
const [pairs = '', seed = '1'] = process.argv.slice(2)
const sentences = pairs === '' ? allSentences() : somePairs(Number(pairs), Number(seed))
/** Contracts compiled and deployed at once: the compiler's memory is the bound. */
const PORTION = 60
const LEAST_HARM = 40

interface Judged extends Sentence {
  isRight: boolean
  verdict: string
}

const judged: Judged[] = []
const distinct = [...new Map(sentences.map((each) => [each.name, each])).values()]
const stage = await startPhishingOnDevnet()
try {
  for (let at = 0; at < distinct.length; at += PORTION) {
    const portion = distinct.slice(at, at + PORTION)
    const addresses = await stage.deploy(compileSentences(portion))
    for (const each of portion) {
      const { verdict, riskScore } = await stage.check(addresses.get(each.name) ?? '0x')
      const isRight = each.reward === 'credit' ? verdict === 'SAFE' : riskScore >= LEAST_HARM
      judged.push({ ...each, isRight, verdict })
    }
    process.stderr.write(`${judged.length} of ${distinct.length}\n`)
  }
} finally {
  await stage.stop()
}

const share = (of: readonly Judged[]) => {
  const right = of.filter(({ isRight }) => isRight).length
  return `${right} of ${of.length} (${((100 * right) / of.length).toFixed(1)} %)`
}
const harmful = judged.filter(({ reward }) => reward !== 'credit')
const twins = judged.filter(({ reward }) => reward === 'credit')
process.stdout.write(`recall ${share(harmful)}\ncalm twins ${share(twins)}\n`)
for (const list of ['asset', 'entry', 'actor', 'time', 'reward'] as const) {
  for (const word of new Set(harmful.map((each) => each[list]))) {
    process.stdout.write(`  ${list} ${word}: recall ${share(harmful.filter((each) => each[list] === word))}\n`)
  }
}
for (const { name, verdict } of judged.filter(({ isRight }) => !isRight))
  process.stdout.write(`  ${name}: ${verdict}\n`)
process.exit()
