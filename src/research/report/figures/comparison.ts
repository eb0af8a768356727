import type { Ms } from '../../../base/time.ts'
import { dateText } from '../../../base/text/times.ts'
import { type Figure, figureText, signedText } from './figure.ts'
import { timeChart } from './time-chart.ts'

/** Two runs over the same days, dollars. */
type ComparedDays = {
  readonly names: readonly [string, string]
  readonly openedAt: Ms
  /** The first moment of each UTC day, and the end of the runs' part of it. */
  readonly days: readonly { readonly day: Ms; readonly to: Ms }[]
  readonly a: readonly number[]
  readonly b: readonly number[]
}

/** Returns the PnL of both runs, and the second less the first: cumulative, and day by day. */
export function comparisonFigures(compared: ComparedDays): readonly Figure[] {
  return [sumsFigure(compared), differenceFigure(compared), differenceByDay(compared)]
}

function sumsFigure({ names: [first, second], openedAt, days, a, b }: ComparedDays): Figure {
  const [ours, theirs] = [runningSum(a), runningSum(b)]
  return {
    id: 'pnl',
    title: 'PnL of both, running sums',
    unit: 'USD',
    digits: 2,
    words:
      days.length === 0
        ? 'The run has no days.'
        : `At the end: ${first} ${signedText(ours.at(-1) ?? NaN, 2)} USD, ${second} ${signedText(theirs.at(-1) ?? NaN, 2)} USD, by the ends of the UTC days.`,
    chart: timeChart({
      t: endsOf(openedAt, days),
      lines: [
        { name: first, colour: 'blue', values: ours },
        { name: second, colour: 'red', values: theirs },
      ],
      level: { value: 0 },
    }),
  }
}

function differenceFigure({ names: [first, second], openedAt, days, a, b }: ComparedDays): Figure {
  const sums = runningSum(b.map((value, i) => value - (a[i] ?? NaN)))
  const ahead = sums.slice(1).filter((value) => value > 0).length
  return {
    id: 'difference',
    title: `${second} less ${first}, running sum`,
    unit: 'USD',
    digits: 2,
    words:
      days.length === 0
        ? 'The run has no days.'
        : `${signedText(sums.at(-1) ?? NaN, 2)} USD at the end; ${second} was ahead at the end of ${figureText(ahead, 0)} of ${figureText(days.length, 0)} days.`,
    chart: timeChart({
      t: endsOf(openedAt, days),
      lines: [{ name: `${second} less ${first}`, colour: 'green', values: sums }],
      toZero: true,
      level: { value: 0 },
    }),
  }
}

function differenceByDay({ names: [first, second], days, a, b }: ComparedDays): Figure {
  const difference = Float64Array.from(b, (value, i) => value - (a[i] ?? NaN))
  return {
    id: 'difference-by-day',
    title: `${second} less ${first} by day`,
    unit: 'USD',
    digits: 2,
    words:
      days.length === 0
        ? 'The run has no days.'
        : 'Both traded in the same market, so the error of the mean difference is computed from the scatter of these bars.',
    size: 'whole',
    chart:
      days.length === 0
        ? null
        : {
            kind: 'days',
            t: Float64Array.from(days, ({ day }) => day),
            lines: [{ name: `${second} less ${first}`, colour: 'green', values: difference }],
          },
    table: {
      title: 'The days as a table',
      head: ['UTC day', `${first}, USD`, `${second}, USD`, 'Difference, USD'],
      rows: days.map(({ day }, i) => [
        dateText(day),
        ...[a[i], b[i], difference[i]].map((value) => signedText(value ?? NaN, 2)),
      ]),
      folded: true,
    },
  }
}

function endsOf(openedAt: Ms, days: ComparedDays['days']): Float64Array {
  return days.length === 0 ? new Float64Array(0) : Float64Array.from([openedAt, ...days.map(({ to }) => to)])
}

function runningSum(values: readonly number[]): Float64Array {
  let sum = 0
  return values.length === 0
    ? new Float64Array(0)
    : Float64Array.from([0, ...values], (value) => (sum += value))
}
