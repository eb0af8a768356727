import { describe, expect, test } from 'vitest'
import type { PositionSettings } from '../../../../../src/daemon/guard/process/settings.ts'
import type { LeaseRow } from '../../../../../src/store/postgres/read-leases.ts'
import { watched } from './guard-on-a-clock.ts'

/** A guard that reads lease rows, and a daemon whose renewals and signs of life can be ended one without the other. */
function besideRows(settings: Partial<PositionSettings> = {}) {
  const guard = watched({ database: 'postgres://db.example/mizani', ...settings })
  const daemon = { renews: true, beats: true, fence: 7, standsBy: false, isActive: true, isRead: true }
  let [count, standby] = [0, 0]
  const row = (): LeaseRow => ({
    position: 'desk',
    fence: daemon.fence,
    count,
    holder: 'id process 1 on one',
    standbys: daemon.standsBy ? [{ holder: 'id process 2 on two', count: standby }] : [],
  })
  return {
    ...guard,
    daemon,
    async live(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        count += Number(daemon.beats)
        standby += 1
        if (daemon.isRead) guard.rows?.saw(row(), guard.now())
        else guard.rows?.couldNotRead('connect ECONNREFUSED')
        if (daemon.renews) guard.renew(count + 1, { isActive: daemon.isActive })
        await guard.pass(1_000)
      }
    },
  }
}

/** What a daemon does whose guard is silent. */
const SAFE = { bid: 500, ask: 500 }

describe('A guard that reads the lease rows', () => {
  test('fires D after the last renewal where both are silent, as it does without rows', async () => {
    const guard = besideRows()
    await guard.live(3)
    Object.assign(guard.daemon, { renews: false, beats: false })
    await guard.live(3)
    expect(guard.codes()).toEqual([])
    await guard.live(1)
    expect(guard.done).toEqual(['safe', 'read bid', 'read ask'])
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe'])
  })

  test('lets a daemon be that is cut off from it alone and has left the safe quote, for as long as the row moves', async () => {
    const guard = besideRows()
    await guard.live(3)
    guard.daemon.renews = false
    guard.venue.quote = SAFE
    await guard.live(300)
    expect(guard.codes()).toEqual([])
    expect(guard.done).not.toContain('safe')
    // Its part of the key's requests is ten a minute while the daemon lives.
    expect(guard.done.length).toBeLessThan(50)
    expect(guard.lines.filter((line) => line.includes('cut off only from this guard'))).toHaveLength(1)
    guard.daemon.beats = false
    await guard.live(6)
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe'])
  })

  test('lets a daemon be whose safe quote a person has raised above that of the file', async () => {
    const guard = besideRows({ safeBps: 400 })
    await guard.live(3)
    guard.daemon.renews = false
    guard.venue.quote = { bid: 450, ask: 450 }
    await guard.live(60)
    expect(guard.codes()).toEqual([])
    guard.venue.quote = { bid: 450, ask: 399 }
    await guard.live(25)
    expect(guard.codes()[0]).toBe('guard-fired')
  })

  test('acts where the quote was not left safe, some seconds later than for a daemon that died', async () => {
    const guard = besideRows()
    await guard.live(3)
    guard.daemon.renews = false
    await guard.live(8)
    expect(guard.codes()).toEqual([])
    await guard.live(2)
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe'])
    expect(guard.done.slice(-3)).toEqual(['safe', 'read bid', 'read ask'])
  })

  test('acts as soon as a quote that was safe is another one, though the row moves', async () => {
    const guard = besideRows()
    await guard.live(3)
    guard.daemon.renews = false
    guard.venue.quote = SAFE
    await guard.live(60)
    guard.venue.quote = { bid: 60, ask: 500 }
    await guard.live(20)
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe'])
  })

  test('takes no safe quote of an earlier silence for one of this silence', async () => {
    const guard = besideRows()
    await guard.live(3)
    guard.daemon.renews = false
    guard.venue.quote = SAFE
    await guard.live(10)
    guard.daemon.renews = true
    guard.venue.quote = { bid: 60, ask: 70 }
    await guard.live(2)
    guard.daemon.renews = false
    await guard.live(11)
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe'])
  })

  test.each([
    ['quotes on by guard.whenSilent: carry-on', { whenSilent: 'carry-on' } as const, true],
    ['has a guard that sends nothing', { acts: false, actsNot: 'it is a dry run' }, true],
    ['was not in the market', {}, false],
  ])('lets a daemon be that %s, and looks for nothing', async (_which, settings, isActive) => {
    const guard = besideRows(settings)
    guard.daemon.isActive = isActive
    await guard.live(3)
    guard.daemon.renews = false
    await guard.live(40)
    expect([guard.codes(), guard.done.filter((one) => !one.startsWith('read'))]).toEqual([[], []])
    guard.daemon.beats = false
    await guard.live(6)
    expect(guard.codes()).toContain('guard-fired')
  })

  test('gives a standby that it knows from rows alone two seconds more', async () => {
    const guard = besideRows()
    guard.daemon.standsBy = true
    await guard.live(3)
    Object.assign(guard.daemon, { renews: false, beats: false })
    await guard.live(5)
    expect(guard.codes()).toEqual([])
    await guard.live(1)
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe'])
  })

  test('lets a standby take over and reconcile: three take-overs within an hour are no firing, and nothing latches', async () => {
    const guard = besideRows()
    const { daemon } = guard
    daemon.standsBy = true
    await guard.live(3)
    for (const round of [1, 2, 3]) {
      Object.assign(daemon, { renews: false, beats: false })
      // The sign of life of the holder came after its last renewal, so that the standby begins late.
      await guard.live(5)
      Object.assign(daemon, { fence: 7 + round, beats: true, standsBy: false })
      await guard.live(2)
      const next = String(round).repeat(32)
      expect(guard.renew(1_000 * round, { isReconciled: false }, next)).toMatchObject({ refusal: 'held' })
      await guard.live(1)
      expect(guard.renew(1_000 * round + 1, {}, next)).toMatchObject({ fence: 1 + round })
      daemon.standsBy = true
      for (let second = 2; second < 6; second += 1) {
        await guard.live(1)
        guard.renew(1_000 * round + second, {}, next)
      }
    }
    expect(guard.codes()).toEqual([])
    expect(guard.kept).toMatchObject({ firings: [], latched: null })
  })

  test('does not take the daemon that took over for the one that renewed: what stands at the venue is no one’s', async () => {
    const guard = besideRows({ whenSilent: 'carry-on' })
    await guard.live(3)
    guard.daemon.renews = false
    guard.daemon.fence = 8
    await guard.live(7)
    expect(guard.codes()).toEqual([])
    await guard.live(2)
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe'])
  })

  test('acts as without rows where they cannot be read, and says so in its status', async () => {
    const guard = besideRows()
    await guard.live(3)
    guard.daemon.isRead = false
    await guard.live(60)
    expect(guard.codes()).toEqual([])
    expect(guard.position.status().rows).toMatchObject({
      holder: 'process 1 on one',
      unread: 'connect ECONNREFUSED',
    })
    guard.daemon.renews = false
    await guard.live(4)
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe'])
  })
})
