import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../../src/base/random.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/base/time.ts'
import { RATE_ONE } from '../../../src/base/money/rate.ts'
import { compareRows, encodeRow } from '../../../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import {
  balancesRow,
  bringsShillings,
  bringsUsdc,
  quoteRow,
  rateRow,
  START,
} from '../../support/backtest-tape.ts'

/** A month of a quiet market in text form, and a configuration for it. Returns their paths. */
export function smallTape(folder: string, days = 30): { readonly tape: string; readonly config: string } {
  const tape = join(folder, 'tape.jsonl')
  const config = join(folder, 'position.yaml')
  writeFileSync(tape, `${rowsOf(days).map(encodeRow).join('\n')}\n`)
  writeFileSync(config, CONFIG)
  return { tape, config }
}

function rowsOf(days: number): readonly TapeRow[] {
  const random = seededRandom(8, 'small tape')
  const rows: TapeRow[] = [balancesRow(START), quoteRow(START, 60, 60)]
  let mid = 2_568n * RATE_ONE
  let number = 0
  for (let day = 0; day < days; day++) {
    const start = START + day * DAY_MS
    mid += (RATE_ONE * BigInt(Math.round((random() - 0.5) * 12_000))) / 1_000n
    for (let minute = 0; minute < 24 * 60; minute += 10)
      rows.push(rateRow(start + minute * MINUTE_MS, mid, { rateUpdatedAt: start - HOUR_MS }))
    for (let i = 0; i < 12; i++) {
      const t = start + Math.floor(random() * DAY_MS)
      number += 1
      rows.push(
        random() < 0.5
          ? bringsUsdc(t, `f${number}`, 50 + Math.floor(random() * 900))
          : bringsShillings(t, `f${number}`, 100_000 + Math.floor(random() * 2_000_000)),
      )
    }
  }
  return rows.sort(compareRows)
}

const CONFIG = `name: small
venue:
  baseUrl: http://127.0.0.1:1
  apiKey: !env MIZANI_API_KEY
strategy: { use: inventory-skew, params: { halfSpreadBps: 60, maxSkewBps: 40 } }
inventory: { target: 0.5 }
risk: { maxMidAgeMs: 432000000 }
`
