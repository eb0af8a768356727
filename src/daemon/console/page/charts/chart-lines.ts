import { TZS_LABELS } from '../../../view/pnl-labels.ts'
import type { HistoryAnswer } from '../../answers.ts'
import type { Currency } from '../currency.tsx'
import { capitalised } from '../text.ts'

export type ChartValues = readonly (number | null)[]

type ChartLine = {
  readonly label: string
  /** The name of a colour in the style sheet. */
  readonly colour: string
  readonly values: ChartValues
  readonly width: number
  readonly dash?: readonly number[]
}

/** Marks on a line: at `value` of a step, `count` of them. */
export type ChartMarks = {
  readonly label: string
  readonly colour: string
  readonly values: ChartValues
  readonly counts: readonly number[]
  readonly points: 'up' | 'down'
}

export type ChartSpec = {
  readonly title: string
  readonly unit: string
  readonly digits: number
  readonly lines: readonly ChartLine[]
  readonly marks: readonly ChartMarks[]
  /** Whether each value holds until the next one, as quotes do; otherwise the line is interpolated. */
  readonly isStepped: boolean
  /** The indexes of two lines between which the area is tinted. */
  readonly band: readonly [number, number] | null
  /** A value that must be inside the scale; null = none. */
  readonly level: number | null
}

const BPS = 10_000

/** The charts of a position, PnL in one currency. */
export function chartLines(history: HistoryAnswer, currency: Currency): readonly ChartSpec[] {
  return [
    prices(history),
    spreads(history),
    inventory(history),
    currency === 'USD' ? pnlUsd(history) : pnlTzs(history),
  ]
}

function prices({ mid, fairValue, bidBps, askBps, fills }: HistoryAnswer): ChartSpec {
  const priced = (bps: ChartValues, sign: number) =>
    mid.map((value, i) => {
      const at = bps[i] ?? null
      return value === null || at === null ? null : value * (1 + (sign * at) / BPS)
    })
  const bid = priced(bidBps, 1)
  const ask = priced(askBps, -1)
  return {
    title: 'Prices and fills',
    unit: 'TZS per dollar',
    digits: 2,
    isStepped: true,
    lines: [
      { label: 'Bid, sells dollars', colour: 'accent', values: bid, width: 1.5 },
      { label: 'Ask, buys dollars', colour: 'accent', values: ask, width: 1.5, dash: [6, 3] },
      { label: 'Fair value', colour: 'quiet', values: fairValue, width: 1, dash: [2, 3] },
      { label: 'Mid', colour: 'ink', values: mid, width: 1.5 },
    ],
    marks: [
      { label: 'Bid fills', colour: 'accent', values: orMid(bid, mid), counts: fills.bid, points: 'down' },
      { label: 'Ask fills', colour: 'accent', values: orMid(ask, mid), counts: fills.ask, points: 'up' },
    ],
    band: [0, 1],
    level: null,
  }
}

function orMid(price: ChartValues, mid: ChartValues): ChartValues {
  return price.map((value, i) => value ?? mid[i] ?? null)
}

/** Our spreads beside the best of the others, as far as either was seen. */
function spreads({ bidBps, askBps, bestBidBps, bestAskBps }: HistoryAnswer): ChartSpec {
  return {
    title: 'Spreads and competition',
    unit: 'bps from the mid',
    digits: 0,
    isStepped: true,
    lines: [
      { label: 'Our bid', colour: 'accent', values: bidBps, width: 1.5 },
      { label: 'Our ask', colour: 'accent', values: askBps, width: 1.5, dash: [6, 3] },
      { label: 'Best bid', colour: 'plum', values: bestBidBps, width: 1 },
      { label: 'Best ask', colour: 'plum', values: bestAskBps, width: 1, dash: [6, 3] },
    ],
    marks: [],
    band: null,
    level: null,
  }
}

function inventory({ usdShare }: HistoryAnswer): ChartSpec {
  const values = usdShare.map((share) => (share === null ? null : share * 100))
  return {
    title: 'Inventory',
    unit: '% in dollars',
    digits: 1,
    isStepped: false,
    lines: [{ label: 'Dollars', colour: 'accent', values, width: 1.5 }],
    marks: [],
    band: null,
    level: null,
  }
}

const TERM_LINES = {
  spreadCapture: { colour: 'accent' },
  staleMid: { colour: 'plum', dash: [6, 3] },
  inventory: { colour: 'ochre' },
  costs: { colour: 'slate', dash: [2, 3] },
  unreconciled: { colour: 'bad', dash: [8, 3, 2, 3] },
} as const

const PNL = { title: 'PnL since the start', isStepped: false, marks: [], band: null, level: 0 } as const

function pnlUsd({ pnl: { totalUsd } }: HistoryAnswer): ChartSpec {
  const lines = [{ label: 'Total', colour: 'ink', values: totalUsd, width: 2.5 }]
  return { ...PNL, unit: 'USD', digits: 2, lines }
}

function pnlTzs({ pnl: terms }: HistoryAnswer): ChartSpec {
  return {
    ...PNL,
    unit: 'TZS',
    digits: 0,
    lines: [
      ...TZS_LABELS.map(([term, label]) => ({
        label: capitalised(label),
        values: terms[term],
        width: 1.5,
        ...TERM_LINES[term],
      })),
      { label: 'Total', colour: 'ink', values: totalTzs(terms), width: 2.5 },
    ],
  }
}

/** The sums of the terms; null where one is unknown. */
export function totalTzs(terms: HistoryAnswer['pnl']): ChartValues {
  return terms.spreadCapture.map((_, i) => {
    const parts = TZS_LABELS.map(([term]) => terms[term][i] ?? null).filter((part) => part !== null)
    return parts.length < TZS_LABELS.length ? null : parts.reduce((sum, part) => sum + part, 0)
  })
}
