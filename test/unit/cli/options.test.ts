import { expect, test } from 'vitest'
import { timeOption } from '../../../src/cli/options.ts'

test.each([
  ['2026-11-18T06:40:00Z', '2026-11-18T06:40:00.000Z'],
  ['2026-11-18 09:40+03:00', '2026-11-18T06:40:00.000Z'],
  ['2026-11-18', '2026-11-18T00:00:00.000Z'],
])('an option reads the time %s', (text, at) => {
  expect(new Date(timeOption(text)).toISOString()).toBe(at)
})

test.each(['2026-11-18T06:40:00', '2026-11-18 06:40', '2026-13-01', '18/11/2026', 'monday'])(
  'an option refuses %s, which is no time or another one on each machine',
  (text) => {
    expect(() => timeOption(text)).toThrow(
      'Expected a time like 2026-11-18T06:40:00Z, with its zone, or a day.',
    )
  },
)
