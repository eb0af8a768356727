import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import { batchOfRows } from '../../../src/store/tape/model/batch.ts'
import { compareRows } from '../../../src/store/tape/model/encode-row.ts'
import {
  balancesRow,
  bringsShillings,
  bringsUsdc,
  MID,
  NTZS,
  quoteRow,
  rateRow,
  rivalRow,
  runTape,
  SILENT_TRAIL,
  START,
} from '../../support/backtest-tape.ts'
import { worldStrategy } from '../../support/world-strategies.ts'

const DAY = 86_400_000
const MINUTE = 60_000

/** A day of a tape: a print, a rate every five minutes, a rival every twenty, a fill every ten. */
function* dayOf(day: number): Generator<TapeRow> {
  const from = START + day * DAY
  const mid = MID + BigInt((day * 7) % 30) * NTZS
  for (let minute = 0; minute < 1_440; minute++) {
    const t = from + minute * MINUTE
    if (minute % 5 === 0) yield rateRow(t, mid, { rateUpdatedAt: from })
    if (minute % 20 === 3) yield rivalRow(t, 'ask', 40 + ((day + minute) % 50))
    if (minute % 30 === 4) yield balancesRow(t)
    if (minute % 60 === 7) yield quoteRow(t, 60, 200 + (minute % 11))
    if (minute % 20 === 6) yield bringsUsdc(t, `a${day}-${minute}`, 100)
    if (minute % 20 === 9) yield bringsShillings(t, `b${day}-${minute}`, 250_000)
  }
}

/** What is in use once everything that can go has gone. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

test('three hundred days take no more memory than thirty', async () => {
  const heap: number[] = []
  const source = {
    async *batches() {
      for (let day = 0; day < 300; day++) {
        yield batchOfRows([...dayOf(day)].sort(compareRows))
        if (day === 30 || day === 299) heap.push(heapUsed())
      }
    },
    problems: () => [],
  }
  const strategy = worldStrategy({ use: 'inventory-skew', params: {} })
  const { outcome } = await runTape(source, { strategy, trail: SILENT_TRAIL })
  expect(outcome.fills).toBeGreaterThan(20_000)
  const [after30 = 0, after300 = 0] = heap
  expect(after300 - after30).toBeLessThan(2_000_000)
})
