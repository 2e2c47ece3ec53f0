import { expect, test } from 'vitest'
import { threadsOfWorker } from '../../test/threads-of-worker.js'
import { run } from './program.js'

interface Offered {
  name: string
  chainId: number | 'SOL'
  address: string
}

/** The world that is kept, and what it invites to, taken from its own words. */
test('what the demo prints can be run: the program, the command on a node, and the page', async () => {
  let told = ''
  const hear = (text: string) => {
    told += text
    if (text.includes('Ctrl-C ends the demo')) isInvited()
  }
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  let isInvited = () => {}
  const invited = new Promise<void>((resolve) => {
    isInvited = resolve
  })
  const demo = run(['demo', '--keep', '--port', '0'], {
    env: {},
    write: hear,
    writeError: hear,
    untilStopped: () => stopped,
  })
  try {
    await Promise.race([invited, demo])
    // Nothing is judged before one asks.
    expect(told).not.toContain('as expected')
    for (const chain of ['Ethereum (1)', 'Base (8453)', 'Solana (SOL)']) expect(told).toContain(chain)
    const [, url = '', key = ''] = /Open (\S+) in a browser, .* API key: (\S+)/.exec(told) ?? []
    expect((await fetch(`${url}/health`)).status).toBe(200)

    // What the first page offers is of these nodes.
    const { examples } = (await (await fetch(`${url}/api/chains`)).json()) as { examples: Offered[] }
    expect(examples.map(({ name }) => name)).toEqual(expect.arrayContaining(['An ordinary token', 'A trap']))
    for (const { address, chainId } of examples.filter((each) => each.chainId !== 'SOL')) {
      const found = await fetch(`${url}/api/lookup?${new URLSearchParams({ q: address })}`)
      const { chains } = (await found.json()) as { chains: { id: number }[] }
      expect(chains.map(({ id }) => id)).toContain(chainId)
    }

    const [, path = '', body = ''] = /^curl -s (\S+) [\s\S]*? -d '(.*)'$/m.exec(told) ?? []
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(path, { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ success: true, overall: { advice: expect.any(String) } })

    const [, command = ''] = /^ASSAY_MAX_HEAD_AGE=0 npx assay (.*)$/m.exec(told) ?? []
    const report: string[] = []
    const code = await run([...command.split(' '), '--fail-on', 'critical'], {
      env: { ASSAY_MAX_HEAD_AGE: '0' },
      threads: threadsOfWorker(),
      write: (text) => report.push(text),
      writeError: (text) => report.push(text),
    })
    expect([code, report.join('')]).toEqual([0, expect.stringMatching(/verdict\s+\w+/)])
  } finally {
    stop()
  }
  expect(await demo).toBe(0)
})

test('reports and a world that is only kept exclude each other', async () => {
  const told: string[] = []
  const io = { env: {}, write: () => {}, writeError: (text: string) => void told.push(text) }
  expect(await run(['demo', '--keep', '--once'], io)).toBe(2)
  expect(told.join('')).toContain('cannot be used with')
})
