import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { storeFiles } from '../../../src/store/store-files.ts'
import { MINUTE_MS, reading, sample, storeWith, T } from '../../unit/store/history/sample-store.ts'

describe('a year of minutes', () => {
  const MINUTES = 525_600
  const DAYS = 365

  test('is 525,600 rows of under 150 bytes, and a thousand points of it take less than 300 ms', async () => {
    const folder = await storeWith([sample(T)])
    const db = new DatabaseSync(storeFiles(folder).database)
    db.exec(`WITH RECURSIVE minute(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM minute WHERE i < ${MINUTES - 1})
      INSERT INTO samples SELECT t + i * ${MINUTE_MS} + i % 40, seq + i, mid + i / 7e3, fair_value, bid_bps,
      ask_bps, best_bid_bps, best_ask_bps, ntzs + i, usdc + i / 3e0, usdt, usdt_bnb, posted_spread + i / 7e0,
      stale_mid - i / 9e0, inventory + i / 11e0, costs, unexplained, total_usd + i / 13e0 FROM samples, minute`)
    const { pages } = db.prepare('SELECT count(*) AS pages FROM dbstat WHERE name = ?').get('samples') as {
      pages: number
    }
    db.close()
    expect(pages * 4_096).toBeLessThan(150 * MINUTES)
    const took = await reading(folder, ({ samplesAt }) => {
      const step = (DAYS * 24 * 60 * MINUTE_MS) / 1_000
      const moments = Array.from({ length: 1_000 }, (_, index) => T + (index + 1) * step)
      samplesAt(moments.slice(0, 10), step)
      const began = performance.now()
      const rows = samplesAt(moments, step)
      const ms = performance.now() - began
      expect(rows.every((row) => row !== null)).toBe(true)
      return ms
    })
    expect(took).toBeLessThan(300)
  }, 60_000)
})
