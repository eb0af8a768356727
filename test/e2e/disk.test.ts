import { rmSync, writeSync, openSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exported } from './daemon/compare-books.ts'
import { openMarket, quoteOf } from './daemon/open-market.ts'
import { MORNING } from './daemon/position-folder.ts'
import { endDaemons } from './daemon/running-daemon.ts'
import { runMizani } from './daemon/run-mizani.ts'
import { until } from './daemon/until.ts'
import { mountSmallDisk, skipUnlessMounts } from '../support/small-disk.ts'

test(
  'a full disk: the safe quote is sent, a clear line is reported, the exit code is 1; with room again no fill is missing',
  { timeout: 150_000 },
  async (context) => {
    skipUnlessMounts(context)
    const market = await openMarket({ speed: 240, startMs: MORNING })
    const { store } = market.folder
    const unmount = mountSmallDisk(store)
    try {
      const daemon = market.start()
      await market.quoted(60, 70)
      await until('a fill is booked', async () => (await daemon.state()).fills.total > 0)
      fill(join(store, 'filler'))
      expect(await daemon.exit).toEqual({ code: 1, signal: null })
      expect(daemon.errors()).toMatch(/no room to/)
      expect(await quoteOf(market.venue)).toEqual({ bidBps: 500, askBps: 500, isActive: true })

      const refused = market.start()
      expect(await refused.exit).toEqual({ code: 1, signal: null })
      expect(refused.errors()).toContain('free some space')
      const halt = await runMizani(['halt', '--config', market.config, '--why', 'the disk is full'])
      expect([halt.code, halt.err]).toEqual([
        1,
        expect.stringMatching(/Nothing was stopped.*`mizani deactivate`/),
      ])

      rmSync(join(store, 'filler'))
      await using again = market.start()
      await market.quoted(60, 70)
      const { ours } = market.venue.model.book()
      await until(
        'every fill of before is there',
        () => {
          const ids = new Set(exported(store).map((row) => row['id']))
          return ours.fills.every((one) => ids.has(one.id))
        },
        { otherwise: () => again.state() },
      )
    } finally {
      await endDaemons()
      unmount()
      await market.close()
    }
  },
)

/** Takes all the room that is left. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  const page = Buffer.alloc(4_096, 1)
  try {
    for (;;) writeSync(descriptor, page)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(descriptor)
  }
}
