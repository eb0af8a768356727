import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeRow } from '../../../../src/store/tape/model/decode-row.ts'
import { encodeRow } from '../../../../src/store/tape/model/encode-row.ts'
import { ROW_KINDS, ROW_SHAPE } from '../../../../src/store/tape/model/row.ts'
import { DOUBLES } from '../../../../src/store/tape/parquet/schema.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/tape-format.md'), 'utf8')

test('docs/tape-format.md has every field of every kind, in order, with what it holds and whether it may be missing', () => {
  const documented = [...PAGE.matchAll(/^\| `([a-z]+)` \| (\[?)`([A-Za-z]+)`\]? \| ([a-z]+) \|/gm)]
    .map(([, kind, bracket, name, holds]) => ({ kind, name, holds, optional: bracket === '[' }))
    .filter(({ holds }) => holds !== 'number')
  const shape = ROW_KINDS.flatMap((kind) => ROW_SHAPE[kind].map((field) => ({ kind, ...field })))
  expect(documented).toEqual(shape)
})

test('docs/tape-format.md has every column of numbers', () => {
  const documented = [...PAGE.matchAll(/^\| `([a-z]+)` \| (`.*`) \| number \|/gm)].flatMap(
    ([, kind, names = '']) => names.split(', ').map((name) => `${kind} ${name.replaceAll('`', '')}`),
  )
  expect(documented).toEqual(
    ROW_KINDS.flatMap((kind) => Object.keys(DOUBLES[kind]).map((name) => `${kind} ${name}`)),
  )
})

test('the lines of text that docs/tape-format.md shows are canonical rows', () => {
  const lines = PAGE.split('\n').filter((line) => line.startsWith('{"t"'))
  expect(lines.length).toBeGreaterThan(2)
  for (const line of lines) {
    const row = decodeRow(line)
    expect(row.ok && encodeRow(row.value)).toBe(line)
  }
})
