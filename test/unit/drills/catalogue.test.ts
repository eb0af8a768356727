import { expect, test } from 'vitest'
import { DRILL_NAMES, DRILLS } from '../../../src/drills/catalogue.ts'
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

test('a desk whose tokens stay in its own wallet reads why a night of a pool does not concern it', () => {
  const custody = desk('config/self-custody.example.yaml')
  for (const name of DRILL_NAMES) expect(DRILLS[name]().whyNot(custody)).toContain('rfq')
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
