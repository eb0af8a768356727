import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const PAGE = readFileSync(join(ROOT, 'docs/ha-guarantees.md'), 'utf8')

/** The rows of all tables whose last column is the test, each as its first and its last cell. */
function rowsWithTests(): readonly (readonly [what: string, tests: string])[] {
  const tables = PAGE.matchAll(/^\|[^\n]* Test \|\n\|[-|]+\|\n((?:\|[^\n]*\n?)+)/gm)
  const rows = [...tables].flatMap(([, body = '']) => body.trim().split('\n'))
  return rows.map((row) => {
    const cells = row.split(' | ')
    return [cells[0] ?? '', cells.at(-1) ?? '']
  })
}

test('every promise of docs/ha-guarantees.md names tests that there are, or that it is not tested', () => {
  const rows = rowsWithTests()
  expect(rows.length).toBeGreaterThan(30)
  const unproven = rows.filter(([, tests]) => !tests.includes('.ts`') && !tests.includes('not tested'))
  expect(unproven).toEqual([])
  const named = rows.flatMap(([, tests]) =>
    [...tests.matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) => file),
  )
  const missing = named.filter(
    (file) => !existsSync(join(ROOT, file.startsWith('test/') ? file : `test/${file}`)),
  )
  expect(missing).toEqual([])
})

test('every table of docs/ha-guarantees.md that lists what fails or is guaranteed has a column of tests', () => {
  const heads = [...PAGE.matchAll(/^(\|[^\n]*\|)\n\|[-|]+\|/gm)].map(([, head = '']) => head)
  const promising = heads.filter((head) => /fails|Guarantee|promises|fence/.test(head))
  expect(promising).toHaveLength(4)
  expect(promising.filter((head) => !head.endsWith(' Test |'))).toEqual([])
})
