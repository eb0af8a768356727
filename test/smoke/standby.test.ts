import { expect, test } from 'vitest'
import { expectEqualBooks } from '../e2e/daemon/compare-books.ts'
import { until } from '../e2e/daemon/until.ts'
import { besidePostgres } from '../e2e/standby/beside-postgres.ts'
import { quotes, sharedDesk, standsBy } from '../e2e/standby/shared-desk.ts'

// Longer than the defaults, so that a busy machine does not make the active daemon give the position up.
const lease = { roundTripMs: 3_000, deadlineMs: 8_000, waitMs: 12_000 }

besidePostgres('A standby on PostgreSQL', (databaseUrl) => {
  test('writes nothing until the active daemon is killed, then quotes and has every fill once in its books', async () => {
    const desk = await sharedDesk(databaseUrl(), 'desk-1', { store: { lease } })
    const { model } = desk.venue
    const active = desk.start('a')
    await quotes(active)
    const standby = desk.start('b')
    await standsBy(standby)
    await until('the active daemon has a fill', async () => (await active.state()).fills.total > 0)
    expect(desk.writes.filter(({ who }) => who === 'b')).toEqual([])

    await active.kill('SIGKILL')
    const before = model.book().ours.fills.length
    await quotes(standby)
    const written = desk.writes.map(({ who }) => who)
    expect(written.slice(written.indexOf('b'))).not.toContain('a')
    await until('the standby trades', () => model.book().ours.fills.length > before)
    desk.stopTrading()
    const view = await until(
      'every fill is booked and reconciled',
      async () => {
        const seen = await standby.state()
        const all = model.book().ours.fills.length
        return seen.reconciliation.state === 'reconciled' && seen.fills.total === all && seen
      },
      { otherwise: () => standby.state() },
    )
    await expectEqualBooks(model, desk.place, view)
    await standby.kill('SIGTERM')
    await desk.close()
  })
})
