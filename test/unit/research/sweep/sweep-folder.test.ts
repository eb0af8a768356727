import { existsSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  collectResults,
  openSweepFolder,
  type SweepFolder,
} from '../../../../src/research/sweep/results/folder.ts'
import { readParquetFile, writeParquetFile } from '../../../../src/research/sweep/results/parquet.ts'
import { RESULT_COLUMNS, resultOfRow } from '../../../../src/research/sweep/results/columns.ts'
import { emptyFolder, fakeManifest } from './fake-sweep.ts'
import { triedVariant } from './tried-variant.ts'
import { anyCharacter } from '../../../support/any-character.ts'

let folder = emptyFolder()
beforeEach(() => {
  folder = emptyFolder()
})
afterEach(() => {
  vi.useRealTimers()
  folder.remove()
})

const manifest = fakeManifest()
const resultOf = (variant: number, pnl: readonly number[] = [1, -2.5]) => triedVariant(variant, pnl).result

async function opened(of = manifest, add = false): Promise<SweepFolder> {
  const result = await openSweepFolder(folder.path, of, add)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

const partsIn = (of = manifest) =>
  readdirSync(join(folder.path, of.id.slice(0, 12))).filter((name) => name.endsWith('.parquet'))

describe('a file of results', () => {
  test('gives back every result as it was, to the last bit, whatever the days hold', async () => {
    const daily = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 20 })
    const text = fc.string({ unit: anyCharacter, maxLength: 10 }).filter((one) => one.isWellFormed())
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(daily, text, fc.boolean()), { minLength: 1, maxLength: 5 }),
        async (rows) => {
          const tried = rows.map(([pnl, warning, isOld], index) => {
            const { variant, result } = triedVariant(
              index,
              pnl,
              0,
              {},
              isOld || pnl.length === 0 ? undefined : pnl.toReversed(),
            )
            return { variant, result: { ...result, warnings: warning === '' ? [] : [warning] } }
          })
          const file = join(folder.path, 'results.parquet')
          writeParquetFile(file, tried, RESULT_COLUMNS)
          expect((await readParquetFile(file)).map(resultOfRow)).toEqual(tried.map(({ result }) => result))
        },
      ),
      { numRuns: 30 },
    )
  })

  test('of an older version, without the column of the PnL less holding, opens', async () => {
    const { variant, result } = triedVariant(1, [1, 2], 0, {}, [3, 4])
    const file = join(folder.path, 'old.parquet')
    const columns = RESULT_COLUMNS.filter(({ name }) => name !== 'dayLessHoldingUsd')
    expect(columns).toHaveLength(RESULT_COLUMNS.length - 1)
    writeParquetFile(file, [{ variant, result }], columns)
    expect((await readParquetFile(file)).map(resultOfRow)).toEqual([triedVariant(1, [1, 2]).result])
  })
})

describe('the folder of a sweep', () => {
  test('gives back what was stored, each variant once', async () => {
    const first = await opened()
    first.store([resultOf(3), resultOf(1)])
    first.store([resultOf(1), resultOf(2)])
    const again = await opened()
    expect([...again.done.keys()]).toEqual([1, 2, 3])
    expect(again.done.get(3)).toEqual(resultOf(3))
  })

  test('is refused to another grid, with what to do about it', async () => {
    await opened()
    const other = fakeManifest('{"halfSpreadBps":[55]}')
    expect(await openSweepFolder(folder.path, other, false)).toEqual({
      ok: false,
      error: expect.stringMatching(/holds another sweep: .*--out, or --add/) as string,
    })
    expect(readdirSync(folder.path)).toHaveLength(1)
  })

  test.each([
    ['another seed', { seed: 6 }],
    ['another tape', { tape: 'three' }],
    ['another configuration', { configs: [] }],
    ['another window', { window: { from: 0, to: 1 } }],
    ['another fill model', { fills: 'thinned' as const }],
    ['another version of mizani', { product: '0.0.1' }],
  ])('takes %s for another sweep', async (_what, parts) => {
    await opened()
    expect((await openSweepFolder(folder.path, fakeManifest(undefined, parts), false)).ok).toBe(false)
  })

  test('holds several sweeps that were added, and continues with each without being told again', async () => {
    const other = fakeManifest('{"halfSpreadBps":[55]}')
    ;(await opened()).store([resultOf(0), resultOf(4)])
    ;(await opened(other, true)).store([resultOf(0), resultOf(1)])
    const back = await opened()
    expect([...back.done.keys()]).toEqual([0, 4])
    expect(back.earlier.map(({ manifest: held, results }) => [held.id, results.length])).toEqual([
      [other.id, 2],
    ])
    expect((await opened(other)).earlier[0]?.manifest.id).toBe(manifest.id)
  })

  test('names a damaged part and what to do; without it the others are there', async () => {
    const first = await opened()
    first.store([resultOf(1)])
    const [whole = ''] = partsIn()
    first.store([resultOf(2)])
    const damaged = join(
      folder.path,
      manifest.id.slice(0, 12),
      partsIn().find((name) => name !== whole) ?? '',
    )
    truncateSync(damaged, 40)
    const refused = await openSweepFolder(folder.path, manifest, false)
    expect(refused).toMatchObject({ ok: false })
    expect(JSON.stringify(refused)).toContain('remove it, and')
    expect(JSON.stringify(refused)).toContain(damaged)
  })

  test.each(['{"a":', 'null', '{"id":"x"}'])('names a damaged manifest and what to do: %s', async (text) => {
    await opened()
    const file = join(folder.path, manifest.id.slice(0, 12), 'manifest.json')
    writeFileSync(file, text)
    const refused = await openSweepFolder(folder.path, manifest, false)
    expect(refused.ok ? '' : refused.error).toMatch(/manifest\.json is damaged \(.*; remove its folder/)
  })

  test('removes what a killed process left half written, and not what may be in someone else’s hands', async () => {
    await opened()
    const inside = (name: string) => join(folder.path, manifest.id.slice(0, 12), name)
    writeFileSync(inside('part-old.parquet.unfinished'), 'half')
    writeFileSync(inside('part-new.parquet.unfinished'), 'half')
    utimesSync(inside('part-old.parquet.unfinished'), 0, 0)
    const { done } = await opened()
    expect(done.size).toBe(0)
    expect(existsSync(inside('part-old.parquet.unfinished'))).toBe(false)
    expect(existsSync(inside('part-new.parquet.unfinished'))).toBe(true)
  })

  test('that cannot be made is an error with its path', async () => {
    const file = join(folder.path, 'a-file')
    writeFileSync(file, '')
    const refused = await openSweepFolder(join(file, 'out'), manifest, false)
    expect(refused).toEqual({ ok: false, error: expect.stringContaining(file) as string })
  })

  test('says which sweep it holds, for people', async () => {
    await opened()
    const said = JSON.parse(
      readFileSync(join(folder.path, manifest.id.slice(0, 12), 'manifest.json'), 'utf8'),
    ) as unknown
    expect(said).toEqual(JSON.parse(JSON.stringify(manifest)))
  })
})

describe('collecting results', () => {
  test('writes a part every 32 of them, and what is left at the end', async () => {
    const many = fakeManifest(JSON.stringify({ a: Array.from({ length: 80 }, (_, i) => i) }))
    const collector = collectResults(await opened(many))
    for (let i = 0; i < 70; i++) collector.take(resultOf(i))
    for (let i = 0; i < 70; i++) collector.take(resultOf(i))
    expect(partsIn(many)).toHaveLength(2)
    collector.end()
    expect(partsIn(many)).toHaveLength(3)
    expect((await opened(many)).done.size).toBe(70)
  })

  test('writes what waited for five seconds', async () => {
    const results = collectResults(await opened())
    vi.useFakeTimers()
    results.take(resultOf(1))
    vi.advanceTimersByTime(4_999)
    expect(partsIn()).toHaveLength(0)
    vi.advanceTimersByTime(2)
    expect(partsIn()).toHaveLength(1)
  })

  test('throws at anyone who comes next where the folder was lost in the meantime', async () => {
    const place = await opened()
    let lost = false
    const results = collectResults({
      ...place,
      store(given) {
        if (lost) throw new Error('ENOSPC: no space left')
        place.store(given)
      },
    })
    vi.useFakeTimers()
    results.take(resultOf(1))
    lost = true
    vi.advanceTimersByTime(6_000)
    expect(() => results.end()).toThrow('ENOSPC')
  })
})
