import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { readGuardedConfigs } from '../../../src/daemon/guard/process/guarded-configs.ts'
import { guardSettings } from '../../../src/daemon/runtime/lease/guard-settings.ts'
import { runGuard, type RunningGuard } from '../../../src/daemon/guard/process/run-guard.ts'
import type { GuardNotice } from '../../../src/daemon/guard/notices/notice.ts'
import type { PositionSettings } from '../../../src/daemon/guard/process/settings.ts'
import { type GuardClient, openGuardClient } from '../../../src/daemon/guard/protocol/ask-guard.ts'
import {
  DRAIN_PATH,
  PROTOCOL_VERSION,
  RELEASE_PATH,
  RENEW_PATH,
  type PositionRenewal,
  type RenewAnswer,
  STATUS_PATH,
} from '../../../src/daemon/guard/protocol/renewal.ts'
import { startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import { freePort } from '../../support/free-port.ts'
import { BUSY_VENUE, positionFolder } from '../daemon/position-folder.ts'
import { API_KEY, HTTP_TOKEN } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

// The guard against the simulated venue, in this process and with short times; a test plays the daemon.

const HOLDER = 'a'.repeat(32)
const NEXT_HOLDER = 'b'.repeat(32)

beforeAll(() => {
  vi.stubEnv('MIZANI_API_KEY', API_KEY)
  vi.stubEnv('MIZANI_HTTP_TOKEN', HTTP_TOKEN)
})
afterAll(() => void vi.unstubAllEnvs())

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

type Desk = {
  readonly guard: RunningGuard
  readonly client: GuardClient
  readonly told: readonly GuardNotice[]
  /** What the venue has of us. */
  readonly state: () => Promise<{ readonly isActive: boolean; readonly quote: Record<string, unknown> }>
  readonly set: (spread: object) => Promise<void>
  readonly renew: (
    count: number,
    more?: Partial<PositionRenewal>,
    holder?: string,
  ) => Promise<RenewAnswer['positions'][number]>
}

async function openDesk(more: Partial<PositionSettings> = {}): Promise<Desk> {
  const venue = await startSandbox({ ...BUSY_VENUE, seed: 6 })
  const folder = positionFolder(venue.url)
  const [port, guardPort] = [await freePort(), await freePort()]
  const file = folder.configure({
    http: { port, token: '!env MIZANI_HTTP_TOKEN' },
    guard: { port: guardPort },
  })
  const read = readGuardedConfigs([file], process.env, { isStrict: true })
  if (!read.ok) throw new Error(read.error)
  const settings = guardSettings(read.value, { version: '0', program: [], arguments: [] })
  if (!settings.ok) throw new Error(settings.error)
  const told: GuardNotice[] = []
  const positions = settings.value.positions.map((one) => ({ ...one, hasNotify: true, ...more }))
  const opened = await runGuard(
    { ...settings.value, positions },
    {
      log: () => undefined,
      send(notices) {
        told.push(...notices.map(({ code }) => code))
        return Promise.resolve(notices.map(({ id }) => ({ id, left: [], why: null })))
      },
    },
  )
  if (!opened.ok) throw new Error(opened.error)
  const client = openGuardClient(opened.value.url, () => HTTP_TOKEN)
  ends.push(async () => {
    client.close()
    await opened.value.close()
    await venue.close()
    folder.remove()
  })
  return {
    guard: opened.value,
    client,
    told,
    async state() {
      const answer = await fetch(`${venue.url}/sandbox/state`, { signal: AbortSignal.timeout(10_000) })
      return (await answer.json()) as Awaited<ReturnType<Desk['state']>>
    },
    async set(spread) {
      const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
      const body = JSON.stringify(spread)
      const path = positions[0]?.requests.safe.path ?? ''
      const answer = await fetch(new URL(path, venue.url), { method: 'PATCH', headers, body })
      expect(answer.ok ? '' : await answer.text()).toBe('')
    },
    async renew(count, own = {}, holder = HOLDER) {
      const quote = { bidBps: 60, askBps: 70 }
      const shown = { quote, isActive: true, worse: 'ask', isReconciled: true, isLeaving: false, ...own }
      const answer = await client.ask(
        'POST',
        RENEW_PATH,
        {
          version: PROTOCOL_VERSION,
          holder,
          deadlineMs: 3_000,
          positions: [{ name: 'desk-1', count, ...shown }],
        },
        2_000,
      )
      if (!answer.ok) throw new Error(answer.error.words)
      const [position] = (answer.value.body as RenewAnswer).positions
      if (position === undefined) throw new Error('the guard does not know desk-1')
      return position
    },
  }
}

const QUOTE = { bidBps: 60, askBps: 70, quoteBid: true, quoteAsk: true, quotePairs: ['USDC', 'USDT'] }

describe('A guard whose daemon is silent', { timeout: 60_000 }, () => {
  test('sets the safe quote, takes off the side that adds inventory, deactivates, and hands its writes to the next holder', async () => {
    const desk = await openDesk({ closeSideAfterMs: 1_500, deactivateAfterMs: 3_000 })
    await desk.set(QUOTE)
    expect(await desk.renew(1)).toMatchObject({ fence: 1, refusal: null })
    expect(await desk.renew(2)).toMatchObject({ fence: 1, refusal: null })
    // Alive, but its loop stands still: that extends nothing.
    expect(await desk.renew(2)).toMatchObject({ fence: null, refusal: 'not-vouched' })
    expect((await desk.state()).quote).toMatchObject({ bidBps: 60, askBps: 70 })

    await until('both sides are safe', async () => (await desk.state()).quote['bidBps'] === 500)
    expect((await desk.state()).quote).toMatchObject({ bidBps: 500, askBps: 500 })
    await until('the ask is off', async () => (await desk.state()).quote['quoteAsk'] === false)
    expect((await desk.state()).quote).toMatchObject({ quoteBid: true })
    await until('the position is out of the market', async () => !(await desk.state()).isActive)
    await until('the guard reports it', () => desk.told.includes('guard-deactivated'))
    const status = await desk.client.ask('GET', STATUS_PATH, undefined, 2_000)
    expect(status).toMatchObject({
      value: { body: { positions: [{ name: 'desk-1', state: 'guarding', fence: 1, firings: 1 }] } },
    })

    const early = await desk.renew(3, { isReconciled: false }, NEXT_HOLDER)
    expect(early).toMatchObject({ fence: null, refusal: 'guarding' })
    const back = await until('the lease is handed back', async () => {
      const answer = await desk.renew(4, {}, NEXT_HOLDER)
      return answer.fence !== null && answer
    })
    expect(back.fence).toBe(2)
    expect(back.writes.map(({ what }) => what)).toContain('deactivation')
    expect(back.writes).toContainEqual(
      expect.objectContaining({ what: 'spread', bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true }),
    )
    await until('people know that the daemon is back', () => desk.told.includes('guard-returned'))
    expect(desk.told.filter((code) => code !== 'guard-safe').slice(0, 3)).toEqual([
      'guard-fired',
      'guard-deactivated',
      'guard-returned',
    ])
    expect(desk.told).toContain('guard-safe')
  })

  test('keeps the position where guard.handBack is person until a person releases it, also from a daemon that has reconciled', async () => {
    const desk = await openDesk({ handBack: 'person' })
    await desk.set(QUOTE)
    expect(await desk.renew(1)).toMatchObject({ fence: 1 })
    await until('both sides are safe', async () => (await desk.state()).quote['bidBps'] === 500)
    await until('the guard has read them back', () => desk.told.includes('guard-safe'))
    expect(await desk.renew(2, {}, NEXT_HOLDER)).toMatchObject({
      fence: null,
      refusal: 'person',
      words: expect.stringContaining('mizani guard release'),
    })
    expect((await desk.state()).quote).toMatchObject({ bidBps: 500, askBps: 500 })
    expect(await desk.client.ask('POST', RELEASE_PATH, {}, 2_000)).toMatchObject({ value: { status: 200 } })
    const back = await until('the lease is handed back', async () => {
      const answer = await desk.renew(3, {}, NEXT_HOLDER)
      return answer.fence !== null && answer
    })
    expect(back.fence).toBe(2)
  })

  test('stays silent itself where it was drained, and where the venue refuses its key it reports that and sends nothing more', async () => {
    const [drained, refused] = [await openDesk(), await openDesk()]
    for (const desk of [drained, refused]) {
      await desk.set(QUOTE)
      expect(await desk.renew(1)).toMatchObject({ fence: 1 })
    }
    expect(await drained.client.ask('POST', DRAIN_PATH, {}, 2_000)).toMatchObject({ value: { status: 200 } })
    expect(await drained.renew(2)).toMatchObject({ fence: null, refusal: 'drained' })

    vi.stubEnv('MIZANI_API_KEY', 'mm_live_somebody_revoked_this_key')
    await until('the guard reports that it can do nothing', () => refused.told.includes('guard-powerless'))
    expect(refused.told).toEqual(['guard-fired', 'guard-powerless'])
    expect(drained.told).toEqual([])
    for (const desk of [drained, refused])
      expect((await desk.state()).quote).toMatchObject({ bidBps: 60, askBps: 70 })
    vi.stubEnv('MIZANI_API_KEY', API_KEY)
    expect(await refused.client.ask('POST', RELEASE_PATH, {}, 2_000)).toMatchObject({
      value: { status: 200 },
    })
  })
})
