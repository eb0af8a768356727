import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Soaks } from '../../scripts/soak-page.ts'

const SOAK = fileURLToPath(new URL('../../scripts/soak.ts', import.meta.url))

const soak = (...options: readonly string[]) =>
  spawnSync(process.execPath, [SOAK, ...options], { encoding: 'utf8', timeout: 170_000 })

test(
  'a soak runs a venue and a daemon of its own, shows when it ends, and keeps its readings and their page',
  { timeout: 180_000 },
  () => {
    const out = mkdtempSync(join(tmpdir(), 'mizani-soak-test-'))
    const run = soak(
      '--positions',
      '2',
      '--minutes',
      '0.5',
      '--every',
      '15',
      '--limit',
      '100000',
      '--out',
      out,
    )
    expect([run.status, run.stderr]).toEqual([0, expect.stringMatching(/of 0\.5: .* ends at \d\d:\d\d UTC/)])
    const { '2': kept } = JSON.parse(readFileSync(join(out, 'soak.json'), 'utf8')) as Soaks
    expect(kept?.samples).toHaveLength(3)
    for (const sample of kept?.samples ?? []) {
      expect(sample.memoryMiB).toBeGreaterThan(50)
      expect(sample.residentMiB).toBeGreaterThan(sample.memoryMiB)
      expect(sample.handles).toBeGreaterThan(10)
      expect(sample.threads).toBeGreaterThan(3)
    }
    expect(readFileSync(join(out, 'soak.md'), 'utf8')).toContain('## 2 positions')
  },
)

test('options of a soak that make no sense are refused before anything runs', () => {
  expect(soak('--positions', 'many')).toMatchObject({ status: 2, stderr: expect.stringContaining('above 0') })
  expect(soak('--hours', '4')).toMatchObject({ status: 2, stderr: expect.stringContaining('--hours') })
})
