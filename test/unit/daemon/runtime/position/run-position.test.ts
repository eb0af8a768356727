import { describe, expect, it, onTestFinished } from 'vitest'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import type { Effect } from '../../../../../src/core/engine/model/effect.ts'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import { createCalendar } from '../../../../../src/daemon/runtime/position/calendar.ts'
import { systemClock } from '../../../../../src/daemon/runtime/position/clock.ts'
import { recover } from '../../../../../src/daemon/runtime/position/recover-position.ts'
import {
  runPosition,
  type RunPositionParts,
} from '../../../../../src/daemon/runtime/position/run-position.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'
import { freshFolder, openHere, valueOf } from '../../../store/store-fixture.ts'

const HOUR_MS = 3_600_000
const strategy = testStrategy()
const pacing = { ...coreConfig().pacing, fillsIntervalMs: 40, requestsPerMinute: 6_000 }
/** The part of a configuration that the loop looks at. */
const config = { core: coreConfig({ pacing }), strategy } as LoadedConfig

type Setting = Partial<
  Pick<RunPositionParts, 'clock' | 'perform' | 'suspension' | 'observe' | 'venueTime' | 'stops'>
>

async function start(folder: string, setting: Setting) {
  const store = valueOf(await openHere(folder))
  const position = await runPosition({
    config,
    version: 'test',
    store,
    clock: systemClock(),
    perform: silent,
    observe: () => undefined,
    observeDecision: () => undefined,
    heartbeat: { enter: () => undefined, leave: () => undefined },
    suspension: null,
    loadStrategy: () => Promise.resolve(strategy),
    ...setting,
  })
  async function end(): Promise<void> {
    position.stop()
    await store.close()
  }
  onTestFinished(end)
  return { position, store, end }
}

function silent(): Promise<Event> {
  return new Promise(() => undefined)
}

/** What a start may take on a busy machine; the clocks here are hours apart. */
const SLOW_MS = 60_000

describe('a position that runs', () => {
  it("continues asking for fills after a restart with the machine's clock an hour back", async () => {
    const folder = freshFolder()
    const before = await start(folder, { clock: systemClock(() => Date.now() + HOUR_MS) })
    await before.end()

    const clock = systemClock()
    const asked = Promise.withResolvers<void>()
    let polls = 0
    function perform(effect: Effect): Promise<Event> {
      if (effect.type !== 'readFills') return silent()
      polls += 1
      if (polls === 3) asked.resolve()
      const none = { fills: [], quarantined: [], repeated: 0, windowFull: false }
      return Promise.resolve({
        type: 'fills',
        t: clock.now(),
        request: effect.id,
        sentAt: clock.now(),
        ...none,
      })
    }
    await start(folder, { clock, perform })
    await asked.promise
    expect(polls).toBe(3)
  })

  it("journals a jump of the machine's clock and continues with the time that passed", async () => {
    let ahead = 0
    const clock = systemClock(() => Date.now() + ahead)
    const folder = freshFolder()
    const { position, end } = await start(folder, { clock })
    ahead = 3 * 24 * HOUR_MS
    const before = clock.now()
    await new Promise((resolve) => setImmediate(resolve))
    position.command({ name: 'pause' }, 'amina', 'a test')
    expect(position.now() - before).toBeLessThan(HOUR_MS)
    await end()
    const again = valueOf(await openHere(folder))
    const jumps = [...again.recover().tail].filter(({ event }) => event.type === 'clockJumped')
    await again.close()
    expect(jumps).toHaveLength(1)
  })

  describe('started with a clock that is wrong', () => {
    /** The jumps that the position reports, in seconds, and its time less that of the true clock. */
    async function startAt(folder: string, wall: () => number, venueTime?: () => Promise<number | null>) {
      const alerts: string[] = []
      const observe: RunPositionParts['observe'] = (seen) => {
        if (seen.type === 'alert' && seen.code === 'clock-jump') alerts.push(seen.message)
      }
      const more = venueTime === undefined ? {} : { venueTime }
      const { position, end } = await start(folder, { clock: systemClock(wall), observe, ...more })
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
      const now = position.now()
      await end()
      return { now, alerts }
    }

    it('three hours ahead continues with the time of the venue, so that no waiting time passes, and reports it', async () => {
      const folder = freshFolder()
      const yesterday = Date.now() - 24 * HOUR_MS
      await startAt(folder, () => yesterday)
      const ahead = () => Date.now() + 3 * HOUR_MS
      const { now, alerts } = await startAt(folder, ahead, () => Promise.resolve(Date.now()))
      expect(Math.abs(now - Date.now())).toBeLessThan(SLOW_MS)
      expect(alerts).toEqual([expect.stringMatching(/1\d{4} s .*no restart/)])
      // The remedy: a clock that is right, whatever the venue showed before.
      expect((await startAt(folder, Date.now, () => Promise.resolve(Date.now()))).alerts).toEqual([])
    })

    it('is reported by the next start, whose remedy ends it: a start after that much time', async () => {
      const folder = freshFolder()
      const ahead = await startAt(folder, () => Date.now() + 3 * HOUR_MS)
      const next = await startAt(folder, Date.now)
      // The journal ends a moment before the time that was read of it.
      expect(next.now).toBeGreaterThan(ahead.now - SLOW_MS)
      const words = next.alerts.join()
      expect(next.alerts).toHaveLength(1)
      const laterMs = Number(/no sooner than (\d+) s later/.exec(words)?.[1]) * 1_000
      expect(laterMs).toBeGreaterThan(2 * HOUR_MS)
      const after = await startAt(folder, () => Date.now() + laterMs + 1_000)
      expect(after.alerts).toEqual([])
      expect(Math.abs(after.now - Date.now() - laterMs)).toBeLessThan(SLOW_MS)
    })

    it.each([
      ['shows a later time', HOUR_MS],
      ['shows the same time to the second', -900],
      ['shows none', null],
    ])('begins with the clock of the machine where that of the venue %s', async (_what, offset) => {
      const folder = freshFolder()
      await startAt(folder, () => Date.now() - HOUR_MS)
      const venueTime = () => Promise.resolve(offset === null ? null : Date.now() + offset)
      const { now, alerts } = await startAt(folder, Date.now, venueTime)
      expect(Math.abs(now - Date.now())).toBeLessThan(SLOW_MS)
      expect(alerts).toEqual([])
    })

    it('asks for no time of the venue after a stop of less than a minute', async () => {
      const folder = freshFolder()
      await startAt(folder, Date.now)
      let asked = 0
      await startAt(folder, Date.now, () => Promise.resolve((asked += 1)))
      expect(asked).toBe(0)
    })
  })

  it('takes no command once it has ended: nothing of it would be journalled', async () => {
    const { position, end } = await start(freshFolder(), {})
    expect(position.command({ name: 'pause' }, 'amina', 'a test')).toMatchObject({ accepted: true })
    await end()
    expect(position.command({ name: 'resume' }, 'amina', 'a test')).toMatchObject({ accepted: false })
    expect(position.state().latch.paused).not.toBeNull()
  })

  it('a position whose strategy was suspended recovers with the next reload that is taken', async () => {
    const folder = freshFolder()
    await (await start(folder, {})).end()
    const suspension = { seq: 9, reason: 'its worker ended' }
    const { position, end } = await start(folder, { suspension })
    expect(position.state().strategy.suspended).toBe('its worker ended')
    position.reload({ config, set: {}, dropped: [] })
    expect(position.state().strategy.suspended).toBeNull()
    await end()
  })

  it('replays to the same digest where the event that hung never reached the disk', async () => {
    const folder = freshFolder()
    await (await start(folder, {})).end()
    const suspension = { seq: 9, reason: 'it did not answer' }
    const { position, store, end } = await start(folder, { suspension })
    expect(position.state().strategy.suspended).toBe(suspension.reason)
    position.command({ name: 'resume' }, 'amina', 'try it again')
    for (let count = 0; count < 9; count++) position.command({ name: 'pause' }, 'amina', 'a test')
    expect(position.state().strategy.suspended).toBeNull()
    await end()
    const [seq, digest] = [position.seq(), position.digest()]
    expect(store.durableSeq()).toBe(seq)

    const reader = valueOf(await openHere(folder))
    onTestFinished(() => reader.close())
    const replayed = recover({
      ...reader.recover(),
      strategyFor: () => strategy,
      calendar: createCalendar(),
    })
    expect(replayed).toMatchObject({ seq, digest })
    expect(replayed.engine.state()?.strategy.suspended).toBeNull()
  })

  describe('given stops that it has not taken yet', () => {
    const by = { who: 'ann', why: 'odd' }
    const HALT = { command: { name: 'halt' }, ...by } as const
    const LEAVE = { command: { name: 'deactivate', insists: true, now: true }, ...by } as const

    async function startWith(folder: string, stops: RunPositionParts['stops'] = []) {
      const performed: Effect[] = []
      const perform = (effect: Effect) => (performed.push(effect), silent())
      const { position, end } = await start(folder, { stops, perform })
      await position.whenDurable()
      const { state } = position
      const seen = { seq: position.seq(), digest: position.digest(), state: state() }
      await end()
      return { ...seen, performed }
    }

    it('has them in force before its start decides, sends nothing of them before that, and replays equally', async () => {
      const folder = freshFolder()
      await startWith(folder)
      const { seq, digest, state, performed } = await startWith(folder, [HALT, LEAVE])
      expect(state.latch.halted).toMatchObject({ why: expect.stringContaining('odd') })
      expect(state.activation.leaving).not.toBeNull()
      const reader = valueOf(await openHere(folder))
      onTestFinished(() => reader.close())
      const tail = [...reader.recover().tail].map(({ event }) => event.type)
      expect(tail.filter((type) => type === 'operator' || type === 'started')).toEqual([
        'started',
        'operator',
        'operator',
        'started',
      ])
      const replayed = recover({
        ...reader.recover(),
        strategyFor: () => strategy,
        calendar: createCalendar(),
      })
      expect(replayed).toMatchObject({ seq, digest })
      // Ids of requests that were not sent are not used again.
      expect(new Set(performed.map(({ id }) => id)).size).toBe(performed.length)
      expect(performed.filter(({ type }) => type === 'setQuote')).toEqual([
        expect.objectContaining({ spread: expect.objectContaining({ bidBps: 500, askBps: 500 }) }),
      ])
    })

    it('takes them after its first start where the store is new', async () => {
      const { state } = await startWith(freshFolder(), [HALT])
      expect(state.latch.halted).not.toBeNull()
    })
  })
})
