import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calibrateTape } from '../../../../src/research/calibration/calibrate.ts'
import { renderCalibration } from '../../../../src/cli/research/calibrate.ts'
import { readCalibration } from '../../../../src/daemon/config/load/calibration.ts'
import { drawRows, GOLDEN_MARKET, tapeOf } from '../../research/calibration/drawn-tape.ts'

const calibrated = (ditherBps: number) =>
  calibrateTape(tapeOf(drawRows({ ...GOLDEN_MARKET, days: 7, ditherBps })), { toleranceBps: 5, seed: 1 })

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

test('a file with a measured rate is read back equal, and one from before there was any is read too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-calibration-'))
  try {
    const calibration = await calibrated(0)
    const { priorOnly, quotedRate, ...before } = calibration.both
    expect([priorOnly, quotedRate?.bps]).toEqual([expect.arrayContaining(['k']), 60])
    for (const [i, both] of [calibration.both, before].entries()) {
      const path = join(folder, `${i}.json`)
      writeFileSync(path, JSON.stringify({ ...calibration, both }))
      const read = readCalibration(path)
      expect(read.ok && read.value.learned).toEqual({ ...calibration, both })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
