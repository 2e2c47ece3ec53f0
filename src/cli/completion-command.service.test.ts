import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { run } from './program.js'

async function scriptFor(shell: string): Promise<string> {
  let script = ''
  const write = (text: string) => {
    script += text
  }
  expect(await run(['completion', shell], { write, writeError: write })).toBe(0)
  return script
}

describe('assay completion bash', () => {
  /** What a shell that has read the script offers for the last of these words. */
  async function offered(...words: string[]): Promise<string[]> {
    const all = ['assay', ...words].map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(${all}); COMP_CWORD=${words.length}; _assay; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, status } = spawnSync('bash', ['-c', `${await scriptFor('bash')}\n${ask}`], { encoding: 'utf8' })
    expect(status).toBe(0)
    return stdout.split('\n').filter((word) => word !== '')
  }

  test('offers commands', async () => {
    expect(await offered('ch')).toEqual(['check', 'chains'])
    expect(await offered('chains', 'ver')).toEqual(['verify'])
  })

  test('offers the options and the choices of the command that was typed', async () => {
    expect(await offered('check', '0x12', '--fa')).toEqual(['--fail-on'])
    expect(await offered('check', '--fail-on', 'crit')).toEqual(['critical'])
    expect(await offered('chains', 'verify', '--ch')).toEqual(['--chain'])
    expect(await offered('serve', '--fa')).toEqual([])
  })
})

test.each(['bash', 'zsh', 'fish'])('%s gets a script that names every command', async (shell) => {
  const script = await scriptFor(shell)
  for (const name of ['check', 'watch', 'chains', 'verify', 'completion', '--fail-on']) expect(script).toContain(name)
})

test('another shell is a usage error', async () => {
  expect(await run(['completion', 'cmd'], { write: () => {}, writeError: () => {} })).toBe(2)
})
