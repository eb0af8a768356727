import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partnerReference } from '../../../scripts/partner-reference.ts'
import { ENDPOINTS } from '../../../src/treasury/api/endpoints.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('docs/partner-api.md is what scripts/partner-docs.ts writes from the endpoints, their commands, files and tests', () => {
  expect(readFileSync(join(ROOT, 'docs/partner-api.md'), 'utf8')).toBe(partnerReference())
})

test('every row of docs/partner-api.md names an endpoint once, a file that is there, and a test of the contract suite', () => {
  const rows = partnerReference()
    .split('\n')
    .filter((line) => /^\| `(GET|POST|PATCH|DELETE) /.test(line))
    .map((line) => line.split(' | '))
  expect(rows.map(([route = '']) => route.slice(3, -1))).toEqual(
    Object.values(ENDPOINTS).map(({ route }) => route),
  )
  const files = rows.map((row) => row[3]?.replaceAll('`', '') ?? 'none')
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  expect(rows.filter((row) => row[4]?.includes('test/contract/partner/') !== true)).toEqual([])
})
