import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

test('every failure that docs/guard-failures.md lists names tests that there are', () => {
  const page = readFileSync(join(ROOT, 'docs/guard-failures.md'), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| What fails'))
  expect(rows.length).toBeGreaterThan(35)
  for (const row of rows) {
    const named = [...(row.split('|')[3] ?? '').matchAll(/`([^`]+\.test\.ts)`/g)].map(
      ([, path]) => path ?? '',
    )
    expect([row, named.length > 0, named.filter((path) => !existsSync(join(ROOT, 'test', path)))]).toEqual([
      row,
      true,
      [],
    ])
  }
})
