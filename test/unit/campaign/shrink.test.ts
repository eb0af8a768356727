import { describe, expect, test } from 'vitest'
import { parseOptions, planOf } from '../../campaign/options.ts'
import { drawDay, type FaultDay, type FaultWorld, leftOut } from '../../campaign/fault-world.ts'
import { repeatCommand, shrink } from '../../campaign/shrink.ts'

const FAULTS = ['crash', 'theft', 'outage', 'lie']

/** A world that breaks from the fifth hour on where there are crashes and lies. */
function brittle(): FaultWorld {
  return {
    name: 'brittle',
    about: 'a world for this test',
    faults: FAULTS,
    invariants: [],
    canaries: [],
    live({ without, hours }) {
      const breaks = !without.includes('crash') && !without.includes('lie') && hours >= 5
      return breaks
        ? Promise.reject(new Error(`broke within ${hours} h`))
        : Promise.resolve({ faults: {}, seen: {} })
    },
  }
}

/** As a thread lives it, with a journal of two events. */
function liveIn(world: FaultWorld) {
  return async (day: FaultDay, keepsJournal: boolean) => {
    try {
      await world.live(day)
      return { failure: null }
    } catch (error) {
      const failure = (error as Error).message
      return keepsJournal ? { failure, journal: ['{"seq":1}', `{"hours":${day.hours}}`] } : { failure }
    }
  }
}

describe('A failing day', () => {
  const day: FaultDay = { seed: 7, without: [], hours: 24, canary: null }

  test('is shrunk to the faults that it needs and to the shortest time, and named with the command that repeats it', async () => {
    const shrunk = await shrink(brittle(), day, 'broke', liveIn(brittle()))
    expect(shrunk.day.without.toSorted()).toEqual(['outage', 'theft'])
    expect(shrunk.day.hours).toBeGreaterThanOrEqual(5)
    expect(shrunk.day.hours).toBeLessThanOrEqual(5.25)
    expect(shrunk.failure).toMatch(/^broke within 5(\.25)? h$/)
    expect(shrunk.journal).toEqual(['{"seq":1}', `{"hours":${shrunk.day.hours}}`])
    expect(repeatCommand(shrunk)).toBe(
      `npm run campaign -- --only brittle:7 --hours ${shrunk.day.hours} --without 'theft,outage'`,
    )
    expect(parseOptions(['--only', 'brittle:7', '--hours', '5.25', '--without', 'theft,outage'])).toEqual({
      ok: true,
      value: { do: 'repeat', world: 'brittle', seed: 7, hours: 5.25, without: ['theft', 'outage'] },
    })
    const all = repeatCommand({ world: 'brittle', day })
    expect(all).toBe("npm run campaign -- --only brittle:7 --hours 24 --without ''")
    expect(parseOptions(['--only', 'brittle:7', '--without', ''])).toMatchObject({ value: { without: [] } })
  })

  test('that does not fail again stays as it was', async () => {
    const calm = { ...brittle(), live: () => Promise.resolve({ faults: {}, seen: {} }) }
    expect((await shrink(calm, day, 'broke once', liveIn(calm))).day).toEqual(day)
  })
})

describe('The kinds of faults of a day', () => {
  test('are each left out of about half of the days, and the same ones for the same seed', () => {
    const world = { name: 'pool', faults: FAULTS }
    const days = Array.from({ length: 400 }, (_, seed) => leftOut(world, seed))
    for (const fault of FAULTS) {
      const share = days.filter((left) => left.includes(fault)).length / days.length
      expect(share).toBeGreaterThan(0.4)
      expect(share).toBeLessThan(0.6)
    }
    expect(drawDay(world, 3)).toEqual(drawDay(world, 3))
  })
})

describe('The options of a campaign', () => {
  test.each([
    ['--days', ['--days', '1e3']],
    ['--first-seed', ['--first-seed', '0']],
    ['--first-seed', ['--first-seed', '-1']],
    ['--workers', ['--workers', 'two']],
    ['--only', ['--only', 'pool']],
    ['--hours', ['--only', 'pool:1', '--hours', '0']],
    ['--dyas', ['--dyas', '5']],
    ['--workers', ['--workers', '0']],
    ['--workers', ['--workers', '0', '--queue', 'postgres://db', '--join']],
    ['--join', ['--join']],
    ['--lease-seconds', ['--queue', 'postgres://db', '--lease-seconds', '0']],
  ])('name %s where it is wrong', (option, argv) => {
    expect(parseOptions(argv)).toEqual({ ok: false, error: expect.stringContaining(option) })
  })

  test('have a default each', () => {
    const parsed = parseOptions([])
    expect(parsed).toMatchObject({ value: { queue: null } })
    expect(parseOptions(['--queue', 'postgres://db', '--workers', '0'])).toMatchObject({
      value: { do: 'run', workers: 0, queue: { url: 'postgres://db', leaseMs: 30_000 } },
    })
    expect(parseOptions(['--queue', 'postgres://db', '--join', '--workers', '3'])).toMatchObject({
      value: { do: 'join', workers: 3 },
    })
    if (!parsed.ok || parsed.value.do !== 'run') throw new Error('no options are no run')
    expect(planOf(parsed.value.named, null)).toEqual({ days: 200, firstSeed: 1, fuzz: 0, kills: 0 })
    expect(planOf({ kills: 40 }, null)).toMatchObject({ days: 0, kills: 40 })
    expect(planOf({ fuzz: 9_000 }, null)).toMatchObject({ days: 0, fuzz: 9_000 })
    expect(parseOptions(['--days', '0', '--fuzz', '9000'])).toMatchObject({
      value: { named: { days: 0, fuzz: 9_000 } },
    })
    expect(planOf({ kills: 40 }, { days: 7, firstSeed: 3, fuzz: 9, kills: 0 })).toEqual({
      days: 7,
      firstSeed: 3,
      fuzz: 9,
      kills: 40,
    })
  })
})
