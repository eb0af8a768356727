import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openTape } from '../../src/store/tape/folder/open-tape.ts'
import { readRows } from '../../src/store/tape/folder/merge-tapes.ts'
import { kindAndValues, valuesOf } from './decision-lines.ts'
import { inTokenUnits } from './token-units.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

test.each([
  ['0.1.0', 'parquet'],
  ['0.1.0', 'text.jsonl'],
  ['0.3.0-before', 'sandbox'],
])(
  'the tape that %s wrote as %s is read row by row as it was read then, without a problem',
  async (release, form) => {
    const opened = openTape(join(HERE, release, 'tape', form), { decisions: true })
    if (!opened.ok) throw new Error(opened.error)
    const rows: string[] = []
    for await (const row of readRows(opened.value)) rows.push(kindAndValues(inTokenUnits(row), valuesOf))
    const recorded = gunzipSync(readFileSync(join(HERE, release, 'tape/rows.txt.gz')))
    expect(rows).toEqual(recorded.toString().trimEnd().split('\n'))
    expect(opened.value.problems()).toEqual([])
  },
)
