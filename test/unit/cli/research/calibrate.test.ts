import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TakerTags } from '../../../../src/base/money/side.ts'
import { calibrateTape } from '../../../../src/research/calibration/calibrate.ts'
import { renderCalibration } from '../../../../src/cli/research/calibrate.ts'
import { readCalibration } from '../../../../src/daemon/config/load/calibration.ts'
import { drawRows, GOLDEN_MARKET, tapeOf } from '../../research/calibration/drawn-tape.ts'

const calibrated = (ditherBps: number, taker?: TakerTags) => {
  const rows = drawRows({ ...GOLDEN_MARKET, days: 7, ditherBps })
  const named = rows.map((row) => (row.type === 'fill' && taker !== undefined ? { ...row, taker } : row))
  return calibrateTape(tapeOf(named), { toleranceBps: 5, seed: 1 })
}

test('of a tape at one spread the text marks k as the prior and shows the measured rate with its interval', async () => {
  const text = renderCalibration(await calibrated(0), 200)
  expect(text).toMatch(/^k {12}.* per bps {3}.* bps {3}as wide as the prior$/m)
  expect(text).toMatch(
    /^rate {9}[\d.]+ \(90 % CI [\d.]+ to [\d.]+\) fills a day and side at 60\.0 bps {3}measured, exact Poisson interval$/m,
  )
})

test('of a tape with many spreads the text has neither', async () => {
  const text = renderCalibration(await calibrated(35), 200)
  expect(text).not.toMatch(/^rate /m)
  expect(text).not.toMatch(/as the prior/)
})

test('segments of takers are a table, and are absent where no fill names its taker', async () => {
  const named = await calibrated(0, { wallet: null, source: 'app', partner: null })
  expect(renderCalibration(named, 200)).toMatch(
    /^source +app +\d+ +[\d,]+ +[\d.]+ \([\d.]+ to [\d.]+\) at 60 bps/m,
  )
  expect(renderCalibration(await calibrated(0), 200)).not.toContain('takers by')
})

test('a file with a measured rate is read back equal, and one from before there was any is read too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-calibration-'))
  try {
    const calibration = await calibrated(0)
    const { priorOnly, quotedRate, ...before } = calibration.both
    expect([priorOnly, quotedRate?.bps]).toEqual([expect.arrayContaining(['k']), 60])
    const named = await calibrated(0, { wallet: '0x70997970c51812dc3a01', source: 'app', partner: null })
    expect(named.segments?.map(({ name }) => name)).toEqual(['app', null, '0x7099...3a01'])
    for (const [i, file] of [calibration, { ...calibration, both: before }, named].entries()) {
      const path = join(folder, `${i}.json`)
      writeFileSync(path, JSON.stringify(file))
      const read = readCalibration(path)
      expect(read.ok && read.value.learned).toEqual(file)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
