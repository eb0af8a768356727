import { expect, test } from 'vitest'
import { DRILL_NAMES, DRILLS, type DrillName } from '../../../../src/simulator/drills/catalogue.ts'
import { configSchema } from '../../../../src/daemon/config/schema/schema.ts'
import { type AdvisedSetting, adviceText, valueAt } from '../../../../src/simulator/drills/model/advice.ts'
import { moreRequests } from '../../../../src/simulator/drills/nights/market-nights.ts'
import type { Failure } from '../../../../src/simulator/drills/model/judge-night.ts'
import { termsProblems } from '../../../../src/core/lease/terms.ts'
import { playedMs } from '../../../../src/simulator/drills/play-drill.ts'
import { whyNoChain } from '../../../../src/simulator/drills/stage/chain.ts'
import { whyNoSmallDisk } from '../../../../src/simulator/drills/stage/disk.ts'
import {
  type DrilledPosition,
  readDrilledPosition,
} from '../../../../src/simulator/drills/model/drilled-position.ts'

function desk(file: string): DrilledPosition {
  const read = readDrilledPosition(file)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return {
    ...read.value,
    peak: { fillsPerMinute: 1, usdPerMinute: 1, requestsPerMinute: 1, source: 'a test' },
  }
}

test.each(DRILL_NAMES)('two nights of %s share no state', (name) => {
  expect(DRILLS[name]()).not.toBe(DRILLS[name]())
})

const FAILURES: readonly Failure[] = [
  { kind: 'safety', why: 'late', allowed: 20_000, actual: null },
  { kind: 'cost', why: 'dear', allowed: 5, actual: 9 },
  { kind: 'notice', why: 'unnoticed', allowed: 10_000, actual: 12_000 },
]

test.each(DRILL_NAMES)(
  '%s names settings that the configuration takes and that are not what it has, however it failed',
  (name) => {
    for (const file of [
      'config/live.example.yaml',
      'config/sandbox.yaml',
      'config/self-custody.example.yaml',
    ]) {
      const one = desk(file)
      for (const failure of FAILURES)
        for (const maxCostUsd of [null, 5_000_000n]) {
          const judged = { ...one, config: { ...one.config, drills: { ...one.config.drills, maxCostUsd } } }
          if (DRILLS[name]().whyUnplayable(judged) !== null) continue
          const { settings, why } = DRILLS[name]().advise(judged, failure)
          expect(why).toMatch(/[a-z]{3,}/)
          if (name !== 'disk-full') expect(settings).not.toEqual([])
          for (const { path, value } of settings) expect(valueAt(judged.config, path)).not.toEqual(value)
          const advised = configSchema.parse(withSettings(one.data, settings))
          if (advised.guard !== null)
            expect(termsProblems({ ...advised.guard, writeTimeoutMs: advised.venue.writeTimeoutMs })).toEqual(
              [],
            )
        }
    }
  },
)

/** A configuration with other values at these paths. */
function withSettings(data: object, settings: readonly AdvisedSetting[]): object {
  return settings.reduce((sum, { path, value }) => withValue(sum, path.split('.'), value), data)
}

function withValue(data: object, [key = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (data as Record<string, object | null | undefined>)[key] ?? {}
  return { ...data, [key]: rest.length === 0 ? value : withValue(inner, rest, value) }
}

test('a desk whose tokens stay in its own wallet has every night but those of a treasury and of a quote at the venue', () => {
  const example = desk('config/self-custody.example.yaml')
  const custody = { ...example, data: { ...example.data, guard: {} } }
  const whyUnplayable = (name: DrillName) => DRILLS[name]().whyUnplayable(custody)
  const apart: readonly string[] = ['zombie-write', 'rail-stuck', 'disk-full']
  for (const name of DRILL_NAMES)
    if (!apart.includes(name)) expect([name, whyUnplayable(name)]).toEqual([name, whyNoChain(custody.config)])
  expect(whyUnplayable('zombie-write')).toContain('before it was')
  expect(whyUnplayable('rail-stuck')).toContain('no section treasury')
  expect(whyUnplayable('disk-full')).toBe(whyNoChain(custody.config) ?? whyNoSmallDisk())
  expect(DRILLS['chain-reorganised']().whyUnplayable(desk('config/sandbox.yaml'))).toContain('in the pool')
})

const LATE: Failure = { kind: 'safety', why: 'late', allowed: 20_000, actual: null }
const DEAR: Failure = { kind: 'cost', why: 'dear', allowed: 50, actual: 100 }
const textOf = (name: DrillName, one: DrilledPosition, failure: Failure) =>
  adviceText(one, DRILLS[name]().advise(one, failure))

test('a desk reads which setting of its guard would have helped, and one without a guard that there is one', () => {
  const bare = desk('config/sandbox.yaml')
  const guarded = { ...bare, data: { ...bare.data, guard: {} } }
  expect(DRILLS['guard-restarted']().whyUnplayable(bare)).toContain('`guard: {}`')
  expect(DRILLS['guard-restarted']().whyUnplayable(guarded)).toBeNull()
  expect(textOf('daemon-killed', bare, LATE)).toMatch(/^guard: \{\} and `mizani guard`/)
  expect(textOf('daemon-killed', guarded, LATE)).toContain('guard.waitMs: 3750 (now 4500)')
  const { config } = guarded
  if (config.guard === null) throw new Error('the guard is looked for by default')
  const { guard } = config
  const having = (terms: object) => ({ ...guarded, config: { ...config, guard: { ...guard, ...terms } } })
  expect(textOf('guard-restarted', having({ whenSilent: 'carry-on' }), LATE)).toContain(
    'guard.whenSilent: "safe" (now carry-on)',
  )
  expect(textOf('guard-restarted', having({ handBack: 'person' }), LATE)).toContain('guard.handBack: "auto"')
})

test('a night continues until its fault is over and what the desk allows has passed, however short or long that is', () => {
  const one = desk('config/sandbox.yaml')
  const lasts = Object.fromEntries(
    DRILL_NAMES.map((name) => [name, playedMs(DRILLS[name](), one, { maxSafeMs: 20_000 }) - 21_000]),
  )
  expect(lasts).toMatchObject({
    'venue-down': 30_000,
    'double-peak': 30_000,
    'clock-jump': 25_000,
    'guard-restarted': 10_000,
    'mid-lies': 0,
    leak: 0,
  })
  expect(playedMs(DRILLS.leak(), one, { maxSafeMs: 600_000 })).toBe(601_000)
  // In self-custody nothing can be judged before orders were signed anew, nor a rush before they held for a while.
  const custody = desk('config/self-custody.example.yaml')
  for (const name of ['mid-lies', 'feed-frozen', 'one-sided-rush'] as const)
    expect(playedMs(DRILLS[name](), custody, { maxSafeMs: 1_000 })).toBeGreaterThan(10_000)
})

test('twice the peak of requests is played as far as the limit of the key allows', () => {
  const one = desk('config/sandbox.yaml')
  const beside = (requestsPerMinute: number) =>
    moreRequests({ ...one, peak: { ...one.peak, requestsPerMinute } })
  expect(one.config.venue.requestsPerMinute).toBe(60)
  expect([beside(12), beside(30), beside(45), beside(60), beside(70)]).toEqual([12, 30, 15, 0, 0])
})

test('a desk without a limit of the age, the step or the run of fills reads which one would have helped, and to what', () => {
  const { config, ...rest } = desk('config/sandbox.yaml')
  const risk = { ...config.risk, maxMidAgeMs: null, maxMidStepBps: null, reviewAfter: null }
  const open = { ...rest, config: { ...config, risk } }
  expect(textOf('feed-frozen', open, LATE)).toContain('risk.maxMidAgeMs: 345600000 (now not set)')
  expect(textOf('mid-lies', open, LATE)).toContain('risk.maxMidStepBps: 150 (now not set)')
  expect(textOf('one-sided-rush', open, LATE)).toContain(
    'risk.reviewAfter: {"sameSideFills":10} (now not set)',
  )
})

test('the same night is answered with another setting where it cost too much than where it was late or unnoticed', () => {
  const one = desk('config/sandbox.yaml')
  const named = {
    ...one,
    config: { ...one.config, drills: { ...one.config.drills, maxCostUsd: 50_000_000n } },
  }
  expect(textOf('venue-down', named, LATE)).toContain('pacing.fillsIntervalMs: 1000 (now 2000)')
  // Four tenths of the 12,000 USDC that the night was played with.
  expect(textOf('venue-down', named, DEAR)).toContain('inventory.limits.USDC.max: "4800" (now not set)')
  expect(textOf('venue-down', one, DEAR)).toContain('sameSideFills')
  const unnoticed: Failure = { kind: 'notice', why: 'no one noticed', allowed: 60_000, actual: null }
  expect(textOf('venue-down', one, unnoticed)).toContain('risk.errorCyclesThreshold: 2 (now 5)')
  // A foreign quote may stand for no longer than what is allowed.
  expect(textOf('zombie-write', one, LATE)).toContain('pacing.quoteCheckIntervalMs: 10000 (now 60000)')
})
