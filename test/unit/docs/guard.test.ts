import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

test('every failure that docs/guard.md lists names tests that there are', () => {
  const page = readFileSync(join(ROOT, 'docs/guard.md'), 'utf8')
  const [, table = ''] = page.split('| What fails | What happens | Test |')
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
  expect(rows.length).toBeGreaterThan(15)
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
