import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const UNIT = readFileSync(resolve(import.meta.dirname, '../../deploy/systemd/assay.service'), 'utf8')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

const folder = mkdtempSync(join(tmpdir(), 'assay-unit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const analyse = (text: string, ...args: string[]) => {
  const path = join(folder, 'assay.service')
  // This machine's Node may stand elsewhere.
  writeFileSync(path, text.replace('/usr/bin/node', process.execPath))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, path], { encoding: 'utf8' })
  return { status, out: `${stdout}${stderr}` }
}

test.skipIf(!hasSystemd)('systemd knows every line of the unit (skipped without systemd-analyze)', () => {
  expect(analyse(UNIT, 'verify')).toEqual({ status: 0, out: '' })
  expect(analyse(UNIT.replace('RemoveIPC=', 'RemoveIcp='), 'verify').out).toContain('RemoveIcp')
})

test.skipIf(!hasSystemd)('its exposure is below 2 of 10 (skipped without systemd-analyze)', () => {
  const rate = (text: string) => analyse(text, 'security', '--offline=true', '--threshold=20').status
  expect(rate(UNIT)).toBe(0)
  expect(
    rate(UNIT.replace('CapabilityBoundingSet=', '#').replace('DynamicUser=yes', '').replace('PrivateUsers=yes', '')),
  ).not.toBe(0)
})
