import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawNormal, seededRandom } from '../../../../src/base/random.ts'
import { DAY_MS, HOUR_MS } from '../../../../src/base/time.ts'
import { calibrateTape } from '../../../../src/research/calibration/calibrate.ts'
import { renderCalibration } from '../../../../src/cli/research/calibrate.ts'
import { readCalibration } from '../../../../src/daemon/config/load/calibration.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import { MONDAY, tapeOf } from './drawn-tape.ts'

const mid = (bps: number) => BigInt(Math.round(2_500 * Math.exp(bps / 1e4) * 1e9)) * 10n ** 9n
const rate = (t: number, bps: number): TapeRow => ({
  type: 'rate',
  t,
  mid: mid(bps),
  rateUpdatedAt: t,
  quotable: true,
})
const reference = (t: number, bps: number, source = 'board'): TapeRow => ({
  type: 'reference',
  t,
  source,
  mid: mid(bps),
})

/** Updates on working days, and a board that is `errorBps` off, hour by hour. */
function rowsOf(days: number, errorBps: number): readonly TapeRow[] {
  const random = seededRandom(5, 'tape')
  const rows: TapeRow[] = [rate(MONDAY, 0)]
  let [x, sum, error] = [0, 0, errorBps * drawNormal(random)]
  for (let hour = 1; hour < days * 24; hour++) {
    const t = MONDAY + hour * HOUR_MS
    const isWorking = Math.floor((t - MONDAY) / DAY_MS) % 7 < 5
    if (isWorking) x += (21 / Math.sqrt(24)) * drawNormal(random)
    error = 0.89 * error + errorBps * Math.sqrt(1 - 0.89 ** 2) * drawNormal(random)
    sum += x
    rows.push(reference(t, x + error))
    if (hour % 24 === 0) sum = x
    if (hour % 24 === 7 && isWorking && hour > 24) rows.push(rate(t + 60_000, x - sum / 100))
  }
  return rows
}

const calibrated = (rows: readonly TapeRow[]) => calibrateTape(tapeOf(rows), { toleranceBps: 5, seed: 1 })

describe('what a calibration learns of the true rate', () => {
  it('is written, read again, and shown with the error and the lead of each feed', async () => {
    const found = await calibrated(rowsOf(25, 25))
    const [board] = found.fairValue?.feeds ?? []
    expect(board).toMatchObject({ name: 'board', errorBps: { isMeasured: true } })
    expect(board?.lead.map(({ updates }) => updates)).toEqual([1])
    expect(board?.errorBps.value).toBeGreaterThan(15)
    expect(board?.errorBps.value).toBeLessThan(40)
    const path = join(mkdtempSync(join(tmpdir(), 'mizani-calibration-')), 'calibration.json')
    writeFileSync(path, JSON.stringify(found))
    const read = readCalibration(path)
    expect(read.ok ? read.value.learned.fairValue : read.error).toEqual(found.fairValue)
    const text = renderCalibration(found)
    expect(text).toMatch(/true rate +\S+ \(90 % CI/)
    expect(text).toMatch(/feed board +error \S+ \(90 % CI/)
  })

  it('of a tape of three days without a feed is the default, marked, and a warning names it', async () => {
    const found = await calibrated(rowsOf(3, 25).filter(({ type }) => type === 'rate'))
    expect(found.fairValue?.followShare).toMatchObject({ isMeasured: false })
    expect(found.fairValue?.feeds).toEqual([])
    expect(found.warnings.join('\n')).toMatch(/does not show .*updates/)
    expect(renderCalibration(found)).toContain(', the default: ')
  })

  it('is absent where the mid was published once', async () => {
    expect((await calibrated([rate(MONDAY, 0), rate(MONDAY + DAY_MS, 0)])).fairValue).toBeUndefined()
  })

  it('leaves out a feed of fewer than 48 half hours, and all beyond ten', async () => {
    const rows = rowsOf(4, 25)
    const thin = rows.filter(({ type }, index) => type === 'rate' || index % 6 === 0)
    expect((await calibrated(thin)).fairValue?.feeds).toEqual([])
    const last = rows.at(-1)!.t
    const flood = Array.from({ length: 500 }, (_, index) => reference(last + index, 0, `source ${index}`))
    expect((await calibrated([...rows, ...flood])).fairValue?.feeds).toHaveLength(1)
  })
})
