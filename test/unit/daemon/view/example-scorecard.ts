import type { CardView, ScorecardView } from '../../../../src/daemon/view/scorecard-view.ts'

type Measure = CardView['both']['measures'][number]

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const NONE: CardView['both'] = { fills: 0, exposureDays: 0, turnoverUsd: 0, measures: [] }

export function exampleMeasure(changes: Partial<Measure> = {}): Measure {
  const expected = { value: 210, low: 188, high: 233 }
  return {
    name: 'fills',
    horizon: null,
    unit: 'fills',
    expected,
    realised: 214,
    verdict: 'within',
    ...changes,
  }
}

const EDGE = exampleMeasure({
  name: 'edge',
  unit: 'bps',
  expected: { value: 60, low: 57, high: 63 },
  realised: 61.2,
})
const MARKOUT = exampleMeasure({
  name: 'markout',
  horizon: 'next print',
  unit: 'bps',
  expected: { value: 41, low: 28.4, high: 53.6 },
  realised: -12.5,
  verdict: 'below',
})

/** A week in which the bids' markouts lie below their band. */
export function exampleCard(now: number, changes: Partial<CardView> = {}): CardView {
  const to = now - HOUR_MS / 2
  const side = { fills: 107, exposureDays: 6.4, turnoverUsd: 20_938.5 }
  return {
    from: to - 7 * DAY_MS,
    to,
    calibratedFrom: to - 60 * DAY_MS,
    calibratedTo: to - 20 * DAY_MS,
    both: { fills: 214, exposureDays: 12.8, turnoverUsd: 41_877, measures: [exampleMeasure(), EDGE] },
    bid: { ...side, measures: [exampleMeasure({ realised: 107 }), EDGE, MARKOUT] },
    ask: { ...side, measures: [exampleMeasure({ name: 'edgeUsd', unit: 'USD', verdict: null }), EDGE] },
    outside: ['bid markout next print'],
    judged: 14,
    warnings: [],
    ...changes,
  }
}

/** One in which takers could not reach us. */
export function emptyCard(now: number): CardView {
  return exampleCard(now, { both: NONE, bid: NONE, ask: NONE, outside: [], judged: 0 })
}

export function exampleScorecard(now: number, changes: Partial<ScorecardView> = {}): ScorecardView {
  const card = exampleCard(now)
  return { at: card.to, card, outsideSince: now - 30 * HOUR_MS, problem: null, ...changes }
}
