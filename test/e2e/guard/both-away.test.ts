import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { SECOND_MS } from '../../../src/base/time.ts'
import { DEFAULT_TERMS } from '../../../src/lease/terms.ts'
import { endDaemons } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { guardedDesk } from './guarded-desk.ts'
import { recordingWay } from './recording-way.ts'

// Guard and venue fail together: the last write under the lease, which has to be the safe quote, does not come through either.

afterAll(endDaemons)

const { renewMs, roundTripMs, waitMs } = DEFAULT_TERMS
/** The safe quote that the venue did not take is set so long after the last renewal, which may be one renewal older than the death. */
const SAFE_AGAIN_MS = waitMs + SECOND_MS - renewMs - roundTripMs

test(
  'a daemon whose guard dies while the venue answers 503 to everything tries nothing but the safe quote until its lease is over, sets it D and a second after the last renewal when the venue has healed, writes nothing else, and quotes once a guard answers',
  { timeout: 120_000 },
  async () => {
    const desk = await guardedDesk()
    const way = await recordingWay(desk.venue.url, 0)
    async function refuseAll(isRefused: boolean): Promise<void> {
      const routes = isRefused ? [{ route: '*', chance: { '503': 1 } }] : []
      const answer = await fetch(`${desk.venue.url}/sandbox/inject`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ faults: { routes } }),
      })
      expect(answer.status).toBe(200)
    }
    const guard = await desk.startGuard()
    const daemon = desk.startDaemon({}, { venue: { baseUrl: way.url } })
    await desk.quoting(daemon)
    // An activation is a write as well, and keeps its own time-out.
    await until('the position is active', () => desk.venue.model.state.ours.isActive)
    const written = way.writes.length
    const sinceThen = () =>
      way.writes.slice(written).map(({ status, body }) => ({ status, ...(JSON.parse(body) as object) }))
    const safe = { bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true }

    await refuseAll(true)
    await guard.kill('SIGKILL')
    const diedAt = performance.now()
    await until('the lease is over', async () => (await daemon.state()).guard?.watch === 'lapsed', {
      otherwise: () => daemon.state(),
    })
    const refused = sinceThen()
    expect(refused.length).toBeGreaterThan(0)
    for (const write of refused) expect(write).toMatchObject({ ...safe, status: 503 })

    await refuseAll(false)
    await until('the safe quote stands', desk.isSafe, { otherwise: () => daemon.state() })
    expect(performance.now() - diedAt).toBeLessThan(10_000)
    await pause(2_000)
    for (const write of sinceThen()) expect(write).toMatchObject(safe)
    const taken = way.writes.slice(written).filter(({ status }) => status !== 503)
    expect(taken).toEqual([expect.objectContaining({ status: 200 })])
    // Sooner a guard that lives might have written.
    for (const { cameAt } of taken) expect(cameAt - diedAt).toBeGreaterThan(SAFE_AGAIN_MS)

    const again = await desk.startGuard()
    await desk.quoting(daemon)
    await daemon.kill('SIGTERM')
    await again.kill('SIGTERM')
    way.close()
    await desk.close()
  },
)
