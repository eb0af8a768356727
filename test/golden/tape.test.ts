import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openTape } from '../../src/tape/folder/open-tape.ts'
import { readRows } from '../../src/tape/folder/merge-tapes.ts'
import { kindAndValues, valuesOf } from './decision-lines.ts'
import { inTokenUnits } from './token-units.ts'

const FOLDER = fileURLToPath(new URL('0.1.0/tape/', import.meta.url))
const RECORDED = gunzipSync(readFileSync(`${FOLDER}rows.txt.gz`))
  .toString()
  .trimEnd()
  .split('\n')

test.each(['parquet', 'text.jsonl'])(
  'the tape that 0.1.0 wrote as %s is read row by row as 0.1.0 read it, without a problem',
  async (form) => {
    const opened = openTape(`${FOLDER}${form}`, { decisions: true })
    if (!opened.ok) throw new Error(opened.error)
    const rows: string[] = []
    for await (const row of readRows(opened.value)) rows.push(kindAndValues(inTokenUnits(row), valuesOf))
    expect(rows).toEqual(RECORDED)
    expect(opened.value.problems()).toEqual([])
  },
)
