import { mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCsv, openFile } from '../../../../src/daemon/feeds/open-file.ts'

const TZS = 10n ** 18n
const folder = mkdtempSync(join(tmpdir(), 'mizani-feeds-'))
const file = join(folder, 'rate')
const AT = 1_772_409_600_000

function holds(text: string | Buffer): void {
  writeFileSync(file, text)
  utimesSync(file, AT / 1_000, AT / 1_000)
}

const csv = (timeColumn: string | null = null) => openCsv({ kind: 'csv', file, column: 'mid', timeColumn })
const plain = (path: string | null = null) => openFile({ kind: 'file', file, path, timePath: null })

describe('a CSV feed', () => {
  it('takes the last whole line, by the names of the columns, with the time of the file as its date', async () => {
    holds('day,"the mid",mid\r\n2026-03-01,x,2500\r\n2026-03-02,"a, ""b""",2512.25\r\n')
    expect(await csv().read()).toEqual({ ok: true, value: { mid: (251_225n * TZS) / 100n, datedAt: AT } })
  })

  it('takes the date of a column where one is named', async () => {
    holds('at,mid\n2026-03-02T00:00:00Z,2512\n')
    expect(await csv('at').read()).toEqual({
      ok: true,
      value: { mid: 2_512n * TZS, datedAt: 1_772_409_600_000 },
    })
  })

  it('does not take a line that is half written: the line before it still holds', async () => {
    holds('mid\n2500\n251')
    expect(await csv().read()).toMatchObject({ value: { mid: 2_500n * TZS } })
  })

  it.each([
    ['a cell that is no rate', 'mid\n2500\nN/A\n', 'line 3 holds "N/A", which is not a rate'],
    ['another number of cells', 'day,mid\n2026,2500,1\n', 'line 2 has 3 cells where line 1 names 2 columns'],
    ['no such column', 'rate\n2500\n', 'line 1 names no column "mid"'],
    ['only names', 'mid\n', 'it has no whole line below the names of its columns'],
    ['nothing', '', 'it has no whole line below the names of its columns'],
    ['a quote that does not end', 'mid\n"2500\n', 'line 2 has a quote that does not end'],
  ])('with %s says which line, and has no figure', async (_name, text, error) => {
    holds(text)
    expect(await csv().read()).toEqual({ ok: false, error })
  })
})

// One read of a file in /proc returns at most a page.
it('a file is read to its end if one read returns a part', async ({ skip }) => {
  skip(process.platform !== 'linux', 'only Linux has /proc')
  const maps = '/proc/self/maps'
  const [column = ''] = readFileSync(maps, 'utf8').split('\n')
  const read = await openCsv({ kind: 'csv', file: maps, column, timeColumn: null }).read()
  expect(Number(/^line (\d+) holds "/.exec(read.ok ? '' : read.error)?.[1])).toBeGreaterThan(100)
})

describe('a file feed', () => {
  it('is one number, or JSON with a path', async () => {
    holds('2512.5\n')
    expect(await plain().read()).toEqual({ ok: true, value: { mid: (25_125n * TZS) / 10n, datedAt: AT } })
    holds('{"mid":"2512.5"}')
    expect(await plain('mid').read()).toEqual({
      ok: true,
      value: { mid: (25_125n * TZS) / 10n, datedAt: AT },
    })
  })

  it.each([
    ['half a number', '25', 'line 1 does not end with a line break: it is half written'],
    ['two numbers', '2500\n2501\n', 'line 1 holds "2500\\n2501", which is not a rate'],
    ['nothing', '', 'line 1 does not end with a line break: it is half written'],
    ['more than 1 MB', Buffer.alloc(1_024 * 1_024 + 1, 0x31), 'it is larger than 1 MB'],
  ])('with %s has no figure', async (_name, text, error) => {
    holds(text)
    expect(await plain().read()).toEqual({ ok: false, error })
  })

  it('that is missing, a folder or a device is no file', async () => {
    const at = (path: string) => openFile({ kind: 'file', file: path, path: null, timePath: null }).read()
    expect(await at(join(folder, 'none'))).toEqual({ ok: false, error: 'it cannot be read (ENOENT)' })
    expect(await at(folder)).toEqual({ ok: false, error: 'it is not a file' })
    expect(await at('/dev/null')).toEqual({ ok: false, error: 'it is not a file' })
  })
})
