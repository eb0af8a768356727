import { expect, test } from 'vitest'
import { guardOutcomes } from '../../../scripts/guard-outcomes.ts'

const judged = { faults: [], node: '24' }
const stop = (stoppedMs: number, fired: boolean, backMs: number) => ({
  stoppedMs,
  fired,
  wasSafeAtWake: fired,
  backMs,
})
const clock = (gapMs: number, safeMs: number) => ({ daemon: 0.85, guard: 1.15, gapMs, safeMs })

test('the page counts stops by their length and cuts by their clock rates, each with its worst figure', () => {
  const stops = { ...judged, runs: 3, outcomes: [stop(1_000, false, 900), stop(10_000, true, 4_000)] }
  stops.outcomes.push(stop(1_000, false, 1_700))
  const clocks = { ...judged, runs: 2, outcomes: [clock(900, 4_100), clock(350, 4_900)] }
  const page = guardOutcomes(stops, clocks)
  expect(page).toContain('| 1 s | 2 | 0 | 0 | 1.7 s |')
  expect(page).toContain('| 10 s | 1 | 1 | 1 | 4.0 s |')
  expect(page).toContain('| 15 % slow | 15 % fast | 2 | 0.3 s | 4.9 s |')
  expect(page.join('\n')).toContain('0 of 3 stops and 0 of 2')
})

test('the page names what must not have happened', () => {
  const faults = ['daemon and guard wrote at once']
  const page = guardOutcomes(
    { ...judged, runs: 1, outcomes: [stop(1_000, false, 900)] },
    { faults, node: '24', runs: 1, outcomes: [clock(-10, 4_000)] },
  )
  expect(page.join('\n')).toContain('1 of 1 cuts: daemon')
})
