import { countText, floatText } from '../../base/text/numbers.ts'
import type { CardView } from './scorecard-view.ts'

/** How people read the measures of a scorecard; beside zod's schema the console's page could not have it. */
export const MEASURE_NAMES: Readonly<Record<CardView['both']['measures'][number]['name'], string>> = {
  fills: 'fills',
  edge: 'edge at the mid',
  edgeUsd: 'edge at the mid',
  markout: 'markout',
  informedLoss: 'informed loss',
  informedLossUsd: 'informed loss',
}

/** The result in one line: what is outside of its band, of how many measures, and how many would be by chance. */
export function scorecardSummary({ outside, judged }: Pick<CardView, 'outside' | 'judged'>): string {
  if (judged === 0) return 'nothing to judge: no fills, and no time in which takers could reach us'
  const of = `of ${countText(judged, 'measure')}; about ${floatText(judged / 10, 1)} would be by chance`
  return outside.length === 0
    ? `none outside of its band, ${of}`
    : `outside of the band: ${outside.join(', ')}; ${String(outside.length)} ${of}`
}
