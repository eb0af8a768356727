import type { FeedView, PositionView } from '../engine/position-view.ts'
import { ageText, numberText } from './number-text.ts'
import { tableRow, type Piece, type RowOptions } from './table-row.ts'

/** The rows of the reference feeds in a status: what they say together, then each by itself. */
export function referenceRows({ reference }: PositionView, row: RowOptions): string[] {
  return [
    ...tableRow('reference', summary(reference), row),
    ...reference.feeds.flatMap((feed) => tableRow('', feedPieces(feed), row)),
  ]
}

function summary({ mid, errorBps, deviationBps, limitBps, feeds }: PositionView['reference']): Piece[] {
  if (mid === null) {
    const text = 'no live feed: the venue’s word stands alone'
    // Without any feed that is a choice; a feed that is configured and not live is trouble.
    return [{ text, tone: feeds.length === 0 ? 'dim' : 'bad' }]
  }
  const isFar = deviationBps !== null && limitBps !== null && Math.abs(deviationBps) > limitBps
  const text = deviationBps === null ? 'no mid to compare' : `mid ${signed(deviationBps)} bps from it`
  return [
    `${numberText(mid, 2)} TZS per USD, +- ${(errorBps ?? 0).toFixed(1)} bps`,
    isFar ? { text: `${text}, over the limit of ${limitBps}`, tone: 'bad' } : text,
  ]
}

function feedPieces({ name, status, mid, ageMs, problem }: FeedView): Piece[] {
  return [
    name,
    { text: status, tone: status === 'live' ? 'good' : status === 'venue' ? 'dim' : 'bad' },
    ...(mid === null ? [] : [numberText(mid, 2)]),
    ...(ageMs === null ? [] : [{ text: `read ${ageText(ageMs)} ago`, tone: 'dim' } as const]),
    ...(problem === null ? [] : [{ text: problem, tone: 'warn' } as const]),
  ]
}

function signed(bps: number): string {
  return `${bps < 0 ? '' : '+'}${bps.toFixed(1)}`
}
