import { horizonNames, type MarkoutHorizons } from '../../../core/models/markouts/horizons.ts'
import type { Trade } from '../../backtest/lists/trade.ts'
import type { Binding, RecordedDecision } from '../../backtest/recorder.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { RowColumn } from './row-file.ts'

/** Returns the columns of `--trades`, with one column per markout horizon at the end. */
export function tradeColumns(horizons: MarkoutHorizons): readonly RowColumn<Trade>[] {
  return [
    { name: 'time', kind: 'time', valueOf: ({ t }) => t },
    { name: 'fill', kind: 'text', valueOf: ({ id }) => id },
    { name: 'side', kind: 'text', valueOf: ({ side }) => side },
    { name: 'pair', kind: 'text', valueOf: ({ stable }) => `${stable}/NTZS` },
    { name: 'synthetic', kind: 'flag', valueOf: ({ synthetic }) => synthetic },
    { name: 'dollars', kind: 'exact', valueOf: ({ dollars18 }) => formatDecimalText(dollars18, 18) },
    { name: 'shillings', kind: 'exact', valueOf: ({ shillings }) => formatDecimalText(shillings, 18) },
    { name: 'midTzs', kind: 'exact', valueOf: ({ mid }) => rateText(mid) },
    { name: 'fairTzs', kind: 'exact', valueOf: ({ fair }) => rateText(fair) },
    { name: 'ownBps', kind: 'count', valueOf: ({ bps }) => bps },
    { name: 'bestOtherBps', kind: 'count', valueOf: ({ bestOtherBps }) => bestOtherBps },
    {
      name: 'inventoryBeforeUsd',
      kind: 'exact',
      valueOf: ({ before }) => formatDecimalText(before.dollars18, 18),
    },
    { name: 'inventoryBeforeShare', kind: 'number', valueOf: ({ before }) => before.share },
    {
      name: 'inventoryAfterUsd',
      kind: 'exact',
      valueOf: ({ after }) => formatDecimalText(after.dollars18, 18),
    },
    { name: 'inventoryAfterShare', kind: 'number', valueOf: ({ after }) => after.share },
    { name: 'edgeUsd', kind: 'exact', valueOf: ({ edgeUsd54 }) => formatDecimalText(edgeUsd54, 54) },
    { name: 'because', kind: 'text', valueOf: ({ because }) => because.join('; ') },
    { name: 'bound', kind: 'text', valueOf: ({ bound }) => boundText(bound) },
    ...horizonNames(horizons).map((horizon, index) => ({
      name: markoutName(horizon),
      kind: 'number' as const,
      valueOf: ({ markoutsBps }: Trade) => markoutsBps[index] ?? null,
    })),
  ]
}

/** The columns of `--decisions`. */
export const DECISION_COLUMNS: readonly RowColumn<RecordedDecision>[] = [
  { name: 'time', kind: 'time', valueOf: ({ t }) => t },
  { name: 'cause', kind: 'text', valueOf: ({ cause }) => cause },
  { name: 'midTzs', kind: 'exact', valueOf: ({ mid }) => rateText(mid) },
  { name: 'fairTzs', kind: 'exact', valueOf: ({ fair }) => rateText(fair) },
  { name: 'targetBidBps', kind: 'number', valueOf: ({ target }) => target?.bidBps ?? null },
  { name: 'targetAskBps', kind: 'number', valueOf: ({ target }) => target?.askBps ?? null },
  { name: 'approved', kind: 'text', valueOf: ({ approved }) => approved.kind },
  { name: 'approvedBidBps', kind: 'count', valueOf: ({ approved }) => approved.bidBps },
  { name: 'approvedAskBps', kind: 'count', valueOf: ({ approved }) => approved.askBps },
  { name: 'tradingState', kind: 'text', valueOf: ({ tradingState }) => tradingState },
  { name: 'because', kind: 'text', valueOf: ({ because }) => because.join('; ') },
  { name: 'bound', kind: 'text', valueOf: ({ bound }) => boundText(bound) },
  { name: 'sent', kind: 'flag', valueOf: ({ request }) => request !== null },
  { name: 'unsent', kind: 'text', valueOf: ({ unsent }) => unsent },
  {
    name: 'plot',
    kind: 'text',
    valueOf: ({ plot }) => (Object.keys(plot).length > 0 ? JSON.stringify(plot) : null),
  },
]

function rateText(rate: Rate): string {
  return formatDecimalText(rate, 18)
}

/** Empty if no rule and no clamp bound. */
function boundText(bound: readonly Binding[]): string {
  return bound.map(({ name }) => name).join(' ')
}

/** `next print` becomes markoutNextPrintBps, `5 min` markout5MinBps. */
function markoutName(horizon: string): string {
  const words = horizon.replace('+', 'plus ').split(' ')
  return `markout${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Bps`
}
