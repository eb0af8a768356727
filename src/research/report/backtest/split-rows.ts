import type { BacktestResult, SplitFigures } from '../../backtest/result.ts'
import type { ReportData } from '../report-data.ts'
import { decimalText, floatText } from '../../../base/text/numbers.ts'

/** The columns of `splitRows`. */
export const SPLIT_HEAD = ['fills by', '', 'fills', 'edge bps', 'edge USD', 'turnover USD'] as const

/**
 * Returns the edge by side, pair, hour of the day and size, one row each: kind of split, part, figures. Hours and sizes
 * without fills are omitted.
 */
export function splitRows(result: Split): readonly (readonly string[])[] {
  const { bySide, byPair, byHour, bySize } = result
  return [
    row('side', 'bid', bySide.bid),
    row('side', 'ask', bySide.ask),
    ...byPair.map((part) => row('pair', `${part.pair}/NTZS`, part)),
    ...byHour.filter(isTraded).map((part) => row('hour (UTC)', hourText(part.hour), part)),
    ...bySize.filter(isTraded).map((part) => row('size', sizeText(part), part)),
  ]
}

type Split = Pick<BacktestResult, 'bySide' | 'byPair' | 'byHour' | 'bySize'>

/** Returns the same data for the charts of the report. */
export function splitSeries({ bySide, byPair, byHour, bySize }: Split): Pick<ReportData, 'splits' | 'hours'> {
  const part = (name: string, { edgeBps, fills }: SplitFigures) => ({ name, bps: edgeBps ?? NaN, fills })
  const hours = new Float64Array(24)
  for (const { hour, edgeUsd } of byHour) hours[hour] = Number(edgeUsd)
  return {
    splits: [
      part('bid', bySide.bid),
      part('ask', bySide.ask),
      ...byPair.map((figures) => part(`${figures.pair}/NTZS`, figures)),
      ...bySize.map((figures) => part(sizeText(figures), figures)),
    ],
    hours,
  }
}

function row(by: string, name: string, { fills, edgeBps, edgeUsd, turnoverUsd }: SplitFigures): string[] {
  return [
    by,
    name,
    floatText(fills, 0),
    edgeBps === null ? 'none' : floatText(edgeBps, 2, 'plus'),
    decimalText(edgeUsd, 4, 'plus'),
    decimalText(turnoverUsd, 2),
  ]
}

function isTraded({ fills }: SplitFigures): boolean {
  return fills > 0
}

function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

function sizeText({ fromUsd, belowUsd }: BacktestResult['bySize'][number]): string {
  return belowUsd === null
    ? `${floatText(fromUsd, 0)} USD or more`
    : `${floatText(fromUsd, 0)} to ${floatText(belowUsd, 0)} USD`
}
