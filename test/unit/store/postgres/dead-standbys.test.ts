import { expect, test } from 'vitest'
import { holdPosition } from '../../../../src/store/postgres/holding.ts'
import type { Connections } from '../../../../src/store/postgres/pool.ts'
import { HOLD_TERMS } from '../../../../src/store/postgres/terms.ts'
import { SYSTEM_TIMING } from '../../../../src/base/threads/timing.ts'

test('The holder removes the row of a standby that has died, and no row of one that lives', async () => {
  let now = 1_000_000
  const rows = new Map([
    ['dead process 1', 4],
    ['alive process 2', 9],
  ])
  const deleted: string[] = []
  const query: Awaited<ReturnType<Connections['connect']>>['query'] = ({ text }) => {
    for (const [, holder = ''] of text.matchAll(/DELETE FROM mizani\.standby .* AND holder = '([^']*)'/g)) {
      deleted.push(holder)
      rows.delete(holder)
    }
    return Promise.resolve([
      { rowCount: 1 },
      { rows: [...rows].map(([holder, count]) => ({ holder, count })) },
    ])
  }
  const moment = () => ({ steadyMs: now, wallMs: now })
  const holding = holdPosition({
    pool: { connect: () => Promise.resolve({ query, release: () => undefined }) },
    place: { url: 'postgres://db/x', position: 'desk', folder: '/data' },
    taken: { fence: 7, holder: 'one process 1', sentAt: moment() },
    terms: HOLD_TERMS,
    timing: { ...SYSTEM_TIMING, moment },
  })
  for (let second = 0; second < 1_200; second += 1) {
    now += 1_000
    rows.set('alive process 2', second)
    await holding.renew()
  }
  expect(deleted).toEqual(['dead process 1'])
  expect(holding.handsOver.standbys().has('alive process 2')).toBe(true)
})
