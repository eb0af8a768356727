import { chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { leaveToken } from '../../../../../src/daemon/runtime/operator-token.ts'
import { restrictAccess } from '../../../../../src/daemon/runtime/host/restrict-access.ts'
import { load, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mizani-private-'))))

const modeOf = (path: string) => statSync(path).mode & 0o777

async function config(): Promise<LoadedConfig> {
  const yaml = VALID.replace('path: ./data', `path: ${join(folder, 'store')}`)
    .replace(/^log: .*$/m, `log: { file: ${join(folder, 'mizani.log')} }`)
    .concat(`record: { path: ${join(folder, 'tape')} }\n`)
  const loaded = await load(yaml)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value
}

test('stores, tapes and logs that others could read are closed at a start, each with a sentence', async () => {
  for (const name of ['store', 'tape', 'tape/2026']) {
    mkdirSync(join(folder, name))
    chmodSync(join(folder, name), 0o755)
  }
  const files = ['store/mizani.db', 'store/mizani.db-wal', 'tape/2026/a.parquet', 'mizani.log']
  for (const name of files) {
    writeFileSync(join(folder, name), 'x')
    chmodSync(join(folder, name), 0o644)
  }
  const told = restrictAccess([await config()])
  expect(told).toHaveLength(7)
  expect(told.join('\n')).toContain('(mode 0644)')
  expect(files.map((name) => modeOf(join(folder, name)))).toEqual([0o600, 0o600, 0o600, 0o600])
  expect(modeOf(join(folder, 'store'))).toBe(0o700)
  expect(restrictAccess([await config()])).toEqual([])
})

test('a store below a file is left to the opening of the store, and a path that is too long is named', async () => {
  writeFileSync(join(folder, 'store'), 'x', { mode: 0o600 })
  const loaded = await config()
  const at = (path: string) => restrictAccess([{ ...loaded, store: { ...loaded.store, path } }])
  expect(at(join(folder, 'store', 'below'))).toEqual([])
  expect(at(join(folder, 'x'.repeat(300)))).toEqual([expect.stringMatching(/inspected \(ENAMETOOLONG\)/)])
})

test('a link in a store leads nowhere, and what is not there is no failure', async () => {
  const outside = join(folder, 'outside')
  writeFileSync(outside, 'x')
  chmodSync(outside, 0o644)
  expect(restrictAccess([await config()])).toEqual([])
  mkdirSync(join(folder, 'store'), { mode: 0o700 })
  symlinkSync(outside, join(folder, 'store/link'))
  expect(restrictAccess([await config()])).toEqual([])
  expect(modeOf(outside)).toBe(0o644)
})

test('the operator’s token is 0600 also where an earlier file was open', async () => {
  mkdirSync(join(folder, 'store'))
  const file = join(folder, 'store/operator.token')
  writeFileSync(file, 'old')
  chmodSync(file, 0o644)
  leaveToken('a-token', [await config()])
  expect(modeOf(file)).toBe(0o600)
})
