import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getAddress } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config.js'
import { ChainFileError, readChainFiles } from './chain-file.js'
import { chains } from './index.js'
import { optimism } from './optimism.js'

const SHIPPED = resolve(import.meta.dirname, '../../deploy/chains')
const shipped = readdirSync(SHIPPED)
const folder = mkdtempSync(join(tmpdir(), 'chains-'))
afterAll(() => rmSync(folder, { recursive: true }))

const UNICHAIN = JSON.parse(readFileSync(join(SHIPPED, 'unichain.json'), 'utf8'))

function write(content: unknown): string {
  const path = join(folder, 'chains.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** The problems of a file, without its path. */
function problemsOf(content: unknown): readonly string[] {
  const path = write(content)
  try {
    readChainFiles([path])
    return []
  } catch (error) {
    if (!(error instanceof ChainFileError)) throw error
    return error.problems.map((problem) => problem.replace(`${path}: `, ''))
  }
}

describe('the files that come with the service', () => {
  test.each(shipped)('%s is a chain, with its addresses in lower case and its sources', (name) => {
    const [chain] = readChainFiles([join(SHIPPED, name)])
    expect(chain).toMatchObject({ slug: name.replace('.json', '') })
    expect(JSON.stringify(chain)).not.toMatch(/"0x[0-9a-f]*[A-F]/)
    expect(chain?.watchedTokens.map(({ address }) => address)).toContain(chain?.wrappedNative)
  })

  test('the one of OP Mainnet says what the built-in chain says', () => {
    const { devnet: _, ...builtIn } = optimism
    expect(readChainFiles([join(SHIPPED, 'optimism.json')])).toEqual([builtIn])
  })

  test('all of them together stand beside the built-in ones', () => {
    const env = { ASSAY_CHAINS: shipped.map((name) => join(SHIPPED, name)).join(', '), ASSAY_RPC_130: 'http://node' }
    const config = readConfig(env)
    const ids = config.chains.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([...chains.map(({ id }) => id), 130, 137, 146, 43114, 59144, 80094]))
    expect(new Set(ids).size).toBe(ids.length)
    expect(config.rpcUrls[130]).toEqual(['http://node'])
    expect(config.rpcUrls[137]?.length).toBeGreaterThan(0)
  })
})

describe('what is wrong with a file is said by its place', () => {
  const [v2, v3] = UNICHAIN.exchanges
  test.each([
    ['no JSON', '{ "id": 1, }', [expect.stringMatching(/^not JSON/)]],
    ['no object', '7', ['the file: expected an object']],
    ['a missing field', { ...UNICHAIN, name: undefined }, ['name: expected 1 to 40 printable characters']],
    ['a field too many', { ...UNICHAIN, nmae: 'x' }, ['nmae: there is no such field']],
    [
      'a short address',
      { ...UNICHAIN, wrappedNative: '0x42' },
      ['wrappedNative: expected an address, 0x and 40 hex digits'],
    ],
    [
      'an exchange of no family',
      { ...UNICHAIN, exchanges: [{ ...v2, family: 'v9' }] },
      [expect.stringMatching(/^exchanges\[0\]\.family: expected one of v2, v3/)],
    ],
    [
      'a router that is missing',
      { ...UNICHAIN, exchanges: [v2, { ...v3, router: undefined }] },
      ['exchanges[1].router: expected an address, 0x and 40 hex digits'],
    ],
    [
      'a rule set that is unknown',
      { ...UNICHAIN, hardforks: [{ name: 'tokyo', since: 0 }] },
      [expect.stringMatching(/^hardforks\[0\]\.name: expected one of frontier/)],
    ],
    [
      'rule sets in disorder',
      { ...UNICHAIN, hardforks: UNICHAIN.hardforks.toReversed() },
      ['hardforks: expected the oldest first'],
    ],
    [
      'dollars without the wrapped coin',
      { ...UNICHAIN, watchedTokens: UNICHAIN.watchedTokens.slice(0, 1) },
      ['watchedTokens: expected the wrapped native coin among them'],
    ],
    ['an endpoint of another kind', { ...UNICHAIN, rpcUrls: ['ws://x'] }, ['rpcUrls[0]: expected an http(s) URL']],
    ['two chains of one id', [UNICHAIN, UNICHAIN], ['chain 130 is named twice']],
    ['a list without end', new Array(33).fill(UNICHAIN), ['the file: expected a list of 0 to 32']],
    ['a file without end', ' '.repeat(300_000), ['larger than 262144 bytes']],
    [
      'the second of two',
      [UNICHAIN, { ...UNICHAIN, id: 0 }],
      ['[1].id: expected a whole number from 1 to 4503599627370496'],
    ],
  ])('%s', (_, content, problems) => expect(problemsOf(content)).toEqual(problems))

  test('twenty problems are enough, and none repeats a value', () => {
    const wrong = { ...UNICHAIN, exchanges: new Array(32).fill({ ...v2, factory: 'secret' }) }
    expect(problemsOf(wrong)).toHaveLength(20)
    expect(problemsOf(wrong).join()).not.toContain('secret')
  })

  test('a name that is no identifier is shown as it can be printed', () => {
    expect(problemsOf({ ...UNICHAIN, 'a\u001b[31m': 1 })).toEqual(['a?[31m: there is no such field'])
    expect(problemsOf(JSON.stringify(UNICHAIN).replace('{', '{"__proto__":{"id":1},'))).toEqual([
      '__proto__: there is no such field',
    ])
  })

  test('the start says all of it, beside what else is wrong', () => {
    const ASSAY_CHAINS = `${write({ ...UNICHAIN, id: 'x' })}, ${folder}/none.json`
    expect(() => readConfig({ ASSAY_CHAINS, PORT: 'x' })).toThrow(
      /ASSAY_CHAINS: .*chains\.json: id: expected a whole number.*\n.*none\.json: cannot be read\n.*PORT must be/s,
    )
  })
})

test('checksummed addresses are taken too', () => {
  const [chain] = readChainFiles([write({ ...UNICHAIN, wrappedNative: getAddress(UNICHAIN.wrappedNative) })])
  expect(chain?.wrappedNative).toBe(UNICHAIN.wrappedNative)
})
