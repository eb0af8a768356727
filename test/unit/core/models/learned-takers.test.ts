import { describe, expect, it } from 'vitest'
import { type Calibration, type Intensity, learnedTakers } from '../../../../src/core/models/calibration.ts'

const exactly = (value: number) => ({ value, low: value, high: value })
const LEARNED: Intensity = {
  a: exactly(40),
  k: { value: 1 / 60, low: 1 / 90, high: 1 / 40 },
  fills: 300,
  exposureDays: 40,
  method: 'posterior',
  overdispersion: 1,
}

const learned = (over: Partial<Intensity>) => learnedTakers({ both: { ...LEARNED, ...over } } as Calibration)

describe('the takers of a calibration', () => {
  it('are known where 30 fills show k, by whatever method', () => {
    expect(learned({})).toEqual({ known: true, a: 40, k: 1 / 60 })
    expect(learned({ method: 'likelihood', fills: 30 })).toMatchObject({ known: true })
  })

  it.each<[string, Partial<Intensity>, string]>([
    ['with too few fills', { fills: 29 }, 'a calibration with only 29 fills'],
    ['of a default', { method: 'default' }, 'a calibration whose A and k are defaults'],
    ['without takers', { a: exactly(0) }, 'a calibration without a positive A and k'],
    [
      // What the prior alone gives: a median of 1/60 and a log-sd of 0.7.
      'with a k that is only the prior',
      { k: { value: 1 / 60, low: Math.exp(-1.15) / 60, high: Math.exp(1.15) / 60 } },
      'a calibration whose fills do not determine k: the spreads varied too little',
    ],
    [
      'with an interval that reaches 0',
      { k: { value: 1 / 60, low: 0, high: 1 / 30 } },
      'a calibration whose fills do not determine k: the spreads varied too little',
    ],
  ])('are not known %s', (_, over, why) => {
    expect(learned(over)).toEqual({ known: false, why })
  })

  it('are not known without a calibration', () => {
    expect(learnedTakers(null)).toEqual({ known: false, why: 'no calibration' })
  })
})
