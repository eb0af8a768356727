import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runMizani } from '../daemon/run-mizani.ts'
import { until } from '../daemon/until.ts'
import { besidePostgres } from './beside-postgres.ts'
import { figuresOf, handOverAgain, KINDS, LIMITS_MS } from './measure-handovers.ts'
import { quotes, sharedDesk, standsBy } from './shared-desk.ts'

// Two daemons of one position, real processes, a real PostgreSQL, the terms of the defaults.

type Seen = {
  readonly isActive: boolean
  readonly quote: { readonly bidBps: number; readonly askBps: number }
}

besidePostgres('Two daemons of one position', (databaseUrl) => {
  // A slice of `npm run handover-kills`, which makes the figures of the documentation.
  test('hand it over after kill -9, SIGTERM, SIGSTOP and a partition in time, keep it where connections are cut, never write both, and lose no fill', async () => {
    const done = await handOverAgain(databaseUrl(), { rounds: KINDS.length, seed: 1, name: 'desk-1' })
    expect(done.map(({ kind }) => kind)).toEqual(KINDS)
    expect(done.filter(({ kind, ms }) => ms >= LIMITS_MS[kind])).toEqual([])
    expect(figuresOf(done)).toMatchObject({ handovers: KINDS.length, overLimit: 0 })
  })

  test('are one that quotes and one that is alive, not ready, writes nothing and names who holds the position', async () => {
    const desk = await sharedDesk(databaseUrl(), 'desk-2')
    const active = desk.start('a')
    await quotes(active)
    const standby = desk.start('b')
    const words = await standsBy(standby)
    expect(words).toContain(`process ${active.child.pid} `)
    const health = await standby.get('/healthz')
    expect(health.status).toBe(200)
    expect(JSON.stringify(health.body)).toContain('stands by')
    expect((await standby.get('/readyz')).status).toBe(503)
    expect((await standby.get('/api/v1/state')).body).toMatchObject({
      message: expect.stringContaining('stands by') as string,
    })
    expect(String((await standby.get('/metrics')).body)).toContain('mizani_standby{position="desk-2"} 1')
    expect(String((await active.get('/metrics')).body)).toContain('mizani_standby{position="desk-2"} 0')
    const shown = await runMizani(['status', '--config', desk.configOf('b')])
    expect(shown.out).toMatch(/stands by .* \d+ /)
    const refused = await standby.post('pause', { why: 'a test' })
    expect(JSON.stringify(refused.body)).toContain('to that daemon')
    expect(desk.writes.filter(({ who }) => who === 'b')).toEqual([])

    // A standby ends in order, and is not handed anything once it is gone.
    expect(await standby.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(standby.output()).toContain('nothing was changed')
    expect(await active.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(active.output()).not.toContain('left to the')
    await desk.close()
  })

  test('exchange a version without a moment outside of the market: the quote stands all the time', async () => {
    const desk = await sharedDesk(databaseUrl(), 'desk-3', {}, 9)
    const before = desk.start('a')
    await quotes(before)
    const after = desk.start('b')
    await standsBy(after)
    await pause(2_000)
    const watching = watchQuote(desk.venue.url)
    expect(await before.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(before.output()).toContain('(bid 60 ask 70 bps)')
    await quotes(after)
    await pause(1_000)
    const seen = await watching.end()
    expect(new Set(seen)).toEqual(new Set(['true 60 70']))
    expect(seen.length).toBeGreaterThan(10)
    await until('the next daemon holds the position', () =>
      after.output().includes('taken the position over'),
    )
    await after.kill('SIGTERM')
    await desk.close()
  })
})

/** What the venue quotes for us, again and again, until `end`. */
function watchQuote(venueUrl: string): { readonly end: () => Promise<readonly string[]> } {
  const watch = { seen: [] as string[], isOver: false }
  async function look(): Promise<void> {
    for (; !watch.isOver; await pause(20)) {
      const answer = await fetch(`${venueUrl}/sandbox/state`)
      const { quote, isActive } = (await answer.json()) as Seen
      watch.seen.push(`${isActive} ${quote.bidBps} ${quote.askBps}`)
    }
  }
  const looking = look()
  return {
    async end() {
      watch.isOver = true
      await looking
      return watch.seen
    },
  }
}
