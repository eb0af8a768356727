import { countText, floatText } from '../../base/text/numbers.ts'
import type { CardView } from './scorecard-view.ts'

type Measure = CardView['both']['measures'][number]

const LABELS: Readonly<Record<Measure['name'], string>> = {
  fills: 'fills',
  edge: 'edge at the mid',
  edgeUsd: 'edge at the mid',
  markout: 'markout',
  informedLoss: 'informed loss',
  informedLossUsd: 'informed loss',
}
const DIGITS = { fills: 0, bps: 1, USD: 2 } as const

/** Returns a measure of a scorecard as text: label and horizon, figures and unit. */
export function measureText({ name, horizon, unit, expected, realised, verdict }: Measure) {
  const text = (value: number) => floatText(value, DIGITS[unit])
  return {
    label: LABELS[name],
    name: [LABELS[name], ...(horizon === null ? [] : [horizon])].join(', '),
    unit: unit === 'fills' ? '' : ` ${unit}`,
    expected: text(expected.value),
    band: `${text(expected.low)} to ${text(expected.high)}`,
    realised: realised === null ? null : text(realised),
    isOutside: verdict === 'above' || verdict === 'below',
  }
}

/** Returns the result in one line: the measures outside of their bands, and how many would be outside by chance. */
export function scorecardSummary({ outside, judged }: Pick<CardView, 'outside' | 'judged'>): string {
  if (judged === 0) return 'nothing to judge: no fills, and no time in which takers could reach us'
  const of = `of ${countText(judged, 'measure')}; about ${floatText(judged / 10, 1)} would be by chance`
  return outside.length === 0
    ? `none outside of its band, ${of}`
    : `outside of the band: ${outside.join(', ')}; ${String(outside.length)} ${of}`
}
