import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { checkEnvironment } from '../../../../../src/research/diagnosis/check/environment.ts'

test.each([
  [0, 'warn'],
  [1_000, 'ok'],
] as const)('as user %i the store in a folder of another user is %s', async (uid, status) => {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-check-'))
  if (process.getuid?.() === 0) chownSync(folder, 1_234, 1_234)
  vi.spyOn(process, 'getuid').mockReturnValue(uid)
  onTestFinished(() => void vi.restoreAllMocks())
  const path = join(folder, 'data')
  const config = { store: { path, place: path } } as LoadedConfig
  const { value } = await checkEnvironment(config, async () => false).next()
  expect(value).toMatchObject({ name: 'store', status })
  expect(value?.hint?.includes('sudo -u') ?? false).toBe(uid === 0)
})
