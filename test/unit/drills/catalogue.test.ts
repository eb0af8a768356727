import { expect, test } from 'vitest'
import { DRILL_NAMES, DRILLS, type DrillName } from '../../../src/drills/catalogue.ts'
import { whyNoChain } from '../../../src/drills/stage/chain.ts'
import { whyNoSmallDisk } from '../../../src/drills/stage/disk.ts'
import { type DrilledPosition, readDrilledPosition } from '../../../src/drills/model/drilled-position.ts'

function desk(file: string): DrilledPosition {
  const read = readDrilledPosition(file)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return { ...read.value, peak: { fillsPerMinute: 1, usdPerMinute: 1, source: 'a test' } }
}

test.each(DRILL_NAMES)('%s is named as in the catalogue, and two nights share no state', (name) => {
  expect(DRILLS[name]().name).toBe(name)
  expect(DRILLS[name]()).not.toBe(DRILLS[name]())
})

test.each(DRILL_NAMES)(
  '%s names a setting or a measure that helps, for a desk of defaults and one of all keys',
  (name) => {
    for (const file of ['config/live.example.yaml', 'config/sandbox.yaml']) {
      const one = desk(file)
      expect(DRILLS[name]().advise(one)).toMatch(/[a-z]{3,}/)
      expect(DRILLS[name]().limitMs(one)).toBeLessThanOrEqual(360_000)
    }
  },
)

test('a desk whose tokens stay in its own wallet has every night but those of a treasury and of a quote at the venue', () => {
  const example = desk('config/self-custody.example.yaml')
  const custody = { ...example, data: { ...example.data, guard: {} } }
  const whyNot = (name: DrillName) => DRILLS[name]().whyNot(custody)
  const apart: readonly string[] = ['zombie-write', 'rail-stuck', 'disk-full']
  for (const name of DRILL_NAMES)
    if (!apart.includes(name)) expect([name, whyNot(name)]).toEqual([name, whyNoChain(custody.config)])
  expect(whyNot('zombie-write')).toContain('journalled before it was signed')
  expect(whyNot('rail-stuck')).toContain('no section treasury')
  expect(whyNot('disk-full')).toBe(whyNoChain(custody.config) ?? whyNoSmallDisk())
  expect(DRILLS['chain-reorganised']().whyNot(desk('config/sandbox.yaml'))).toContain('in the pool')
  expect(DRILLS['chain-reorganised']().advise(custody)).toContain('rfq.confirmations (12)')
})

test('a desk reads which setting of its guard would have helped, and one without a guard that there is one', () => {
  const bare = desk('config/sandbox.yaml')
  const guarded = { ...bare, data: { ...bare.data, guard: {} } }
  expect(DRILLS['guard-restarted']().whyNot(bare)).toContain('`guard: {}`')
  expect(DRILLS['guard-restarted']().whyNot(guarded)).toBeNull()
  expect(DRILLS['daemon-killed']().advise(bare)).toContain('mizani guard')
  expect(DRILLS['daemon-killed']().advise(guarded)).toContain('guard.waitMs')
  const { config } = guarded
  if (config.guard === null) throw new Error('the guard is looked for by default')
  const careless = {
    ...guarded,
    config: { ...config, guard: { ...config.guard, whenSilent: 'carry-on' as const } },
  }
  expect(DRILLS['guard-restarted']().advise(careless)).toContain('guard.whenSilent: safe')
  expect(DRILLS['guard-restarted']().advise(guarded)).toContain('a supervisor')
})

test('a desk without a limit of the age, the step or the run of fills reads which one would have helped', () => {
  const { config, ...rest } = desk('config/sandbox.yaml')
  const open = {
    ...rest,
    config: {
      ...config,
      risk: { ...config.risk, maxMidAgeMs: null, maxMidStepBps: null, reviewAfter: null },
    },
  }
  expect(DRILLS['feed-frozen']().advise(open)).toContain('risk.maxMidAgeMs')
  expect(DRILLS['mid-lies']().advise(open)).toContain('risk.maxMidStepBps')
  expect(DRILLS['one-sided-rush']().advise(open)).toContain('sameSideFills')
})
