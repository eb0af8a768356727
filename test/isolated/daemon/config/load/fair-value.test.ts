import { describe, expect, test } from 'vitest'
import { fairValueSettings } from '../../../../../src/daemon/config/load/fair-value.ts'
import type { FairValueCalibration } from '../../../../../src/core/models/calibration.ts'
import { load, problemsOf, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const figure = (value: number) => ({ value, low: value, high: value, isMeasured: true })
const LEARNED: FairValueCalibration = {
  sigmaBps: figure(33),
  followShare: figure(0.4),
  publicationNoiseBps: figure(12),
  updates: 60,
  feeds: [
    { name: 'board', readings: 900, errorBps: figure(14), errorHalfLifeDays: figure(2), lead: [] },
    { name: 'on-tape', readings: 900, errorBps: figure(44), errorHalfLifeDays: figure(1), lead: [] },
  ],
}

async function sectionOf(lines: string) {
  const loaded = await load(`${VALID}${lines}\n`)
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  return loaded.value.core.fairValue
}

describe('how the gap is estimated', () => {
  test('is by the defaults where neither the file nor a calibration knows better', async () => {
    expect(await sectionOf('fairValue: {}')).toMatchObject({ sigmaBps: 21, followShare: 0.65, feeds: {} })
  })

  test('is by what the file names before what was learned, and by what was learned before the defaults', () => {
    const file = {
      fairValue: { sigmaBps: 28, driftSdBpsPerDay: 5, driftHalfLifeDays: 10, weekendMovement: 0 },
      feeds: [{ name: 'board', errorBps: 9 }, { name: 'new' }],
    }
    expect(fairValueSettings(file as never, LEARNED)).toEqual({
      sigmaBps: 28,
      driftSdBpsPerDay: 5,
      driftHalfLifeDays: 10,
      followShare: 0.4,
      publicationNoiseBps: 12,
      weekendMovement: 0,
      feeds: {
        board: { errorBps: 9, errorHalfLifeDays: 2 },
        new: { errorBps: 25, errorHalfLifeDays: 0.25 },
        'on-tape': { errorBps: 44, errorHalfLifeDays: 1 },
      },
    })
  })

  test.each([
    ['sigmaBps: 0', /sigmaBps/],
    ['sigmaBps: .inf', /sigmaBps/],
    ['driftSdBpsPerDay: -1', /driftSdBpsPerDay/],
    ['driftHalfLifeDays: 0', /driftHalfLifeDays/],
    ['followShare: 1.01', /followShare/],
    ['followShare: 0', /followShare/],
    ['publicationNoiseBps: 201', /publicationNoiseBps/],
    ['weekendMovement: 2', /weekendMovement/],
    ['kappa: .5', /unknown key/],
  ])('with %s is refused with its place', async (line, named) => {
    const [problem] = await problemsOf(`${VALID}fairValue:\n  ${line}\n`)
    expect(problem).toMatch(/^17:\d+ /)
    expect(problem).toMatch(named)
  })

  test.each(['errorBps: -1', 'errorBps: 1001', 'errorHalfLifeDays: 0', 'errorHalfLifeDays: .nan'])(
    'with a feed of %s is refused with its place',
    async (line) => {
      const feed = `- { name: a, fixed: { mid: '2500' }, ${line} }`
      const [problem] = await problemsOf(`${VALID}feeds:\n  ${feed}\n`)
      expect(problem).toMatch(/^17:\d+ feeds\[0\]\.error/)
    },
  )
})
