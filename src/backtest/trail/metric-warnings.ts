import type { Metrics } from '../result.ts'

const FEW_PRINTS = 20
const FEW_DAYS = 60
const MUCH_SYNTHETIC = 0.2
const MUCH_REJECTED = 0.05

/** What a reader must know before believing the figures: plain sentences, none where all is well. */
export function metricWarnings(metrics: Metrics): readonly string[] {
  const { prints, fairValue, sharpe, syntheticPnlShare, fillsBySide, rejectedFor } = metrics
  const fills = fillsBySide.bid + fillsBySide.ask
  if (fills === 0) return ['nothing was traded: there is no edge to speak of']
  const turnedAway = rejectedFor.inventory / (fills + rejectedFor.inventory)
  return [
    fairValue === 'mid'
      ? "no fair value is known: the edge is measured against the venue's own mid, which only returns the spread; believe the markouts"
      : null,
    prints < FEW_PRINTS
      ? `the mid moved only ${prints} ${prints === 1 ? 'time' : 'times'}: fills between two moves share the next one, so intervals are rough`
      : null,
    sharpe.days < FEW_DAYS
      ? `${sharpe.days} ${sharpe.days === 1 ? 'day is' : 'days are'} few: the daily figures are means with their errors, not to be annualised`
      : null,
    syntheticPnlShare > MUCH_SYNTHETIC
      ? `${(100 * syntheticPnlShare).toFixed(0)} % of the edge comes from synthetic fills: a supposition of the fill model`
      : null,
    turnedAway > MUCH_REJECTED
      ? `${(100 * turnedAway).toFixed(0)} % of the takers found too little in the pool to be paid`
      : null,
  ].filter((text) => text !== null)
}
