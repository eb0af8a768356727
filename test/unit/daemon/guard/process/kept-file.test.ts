import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { emptyRecord } from '../../../../../src/daemon/guard/position/record.ts'
import { openKeptFile } from '../../../../../src/daemon/guard/process/kept-file.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mizani-guard-'))))

const open = () => {
  const opened = openKeptFile(folder)
  if (!opened.ok) throw new Error(opened.error)
  return opened.value
}

describe('The file of a guard', () => {
  test('has what was saved, for this user alone, and begins empty', () => {
    const kept = open()
    expect(kept.of('desk')).toEqual({
      fence: 0,
      holder: null,
      firings: [],
      latched: null,
      guardingSince: null,
      worse: null,
      isOut: false,
      isReleased: false,
      written: [],
    })
    kept.of('desk').fence = 7
    expect(kept.save().ok).toBe(true)
    expect(open().of('desk').fence).toBe(7)
    expect(statSync(join(folder, 'guard.json')).mode & 0o777).toBe(0o600)
  })

  test('of an earlier version is read, without what that one did not keep', () => {
    const before = { fence: 3, holder: null, firings: [], latched: null, guardingSince: 5 }
    writeFileSync(join(folder, 'guard.json'), JSON.stringify({ version: 1, positions: { desk: before } }))
    expect(open().of('desk')).toEqual({ ...emptyRecord(), ...before })
  })

  const whole = '"holder":null,"firings":[],"latched":null,"guardingSince":null'
  test.each([
    '',
    '{',
    '[]',
    '{"version":2,"positions":{}}',
    '{"version":1,"positions":{"a":{"fence":-1}}}',
    '{"version":1,"positions":{"a":7}}',
    `{"version":1,"positions":{"a":{${whole}}}}`,
    `{"version":1,"positions":{"a":{"fence":1,${whole},"written":[7]}}}`,
    `{"version":1,"positions":{"a":{"fence":1,${whole},"written":[{"at":1,"what":"all"}]}}}`,
    `{"version":1,"positions":{"a":{"fence":1,${whole},"worse":"both"}}}`,
    `{"version":1,"positions":{"a":{"fence":1,${whole},"isOut":1}}}`,
  ])('that holds %j refuses the start: numbers must never go back', (text) => {
    writeFileSync(join(folder, 'guard.json'), text)
    const opened = openKeptFile(folder)
    expect(opened).toEqual({ ok: false, error: expect.stringContaining('guard.json') })
    expect(readFileSync(join(folder, 'guard.json'), 'utf8')).toBe(text)
  })

  test('that cannot be written is an error and no exception', () => {
    const kept = open()
    rmSync(folder, { recursive: true })
    expect(kept.save()).toEqual({ ok: false, error: expect.stringContaining('cannot be written') })
  })
})
