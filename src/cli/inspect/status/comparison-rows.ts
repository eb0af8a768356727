import { challengerSummary } from '../../../daemon/view/challenger-text.ts'
import type { PositionView } from '../../../daemon/view/position-view.ts'
import { scorecardSummary } from '../../../daemon/view/scorecard-text.ts'
import { ageText } from '../../../base/text/times.ts'
import { type Piece, type RowOptions, tableRow } from '../../output/tables.ts'

/** Returns the rows of the latest comparisons: the week against the calibration, a new calibration, and a challenger. */
export function comparisonRows(view: PositionView, row: RowOptions): string[] {
  const { scorecard, challenger, recalibration, now } = view
  return [
    ...(scorecard === null ? [] : tableRow('scorecard', scorecardPieces(scorecard, now), row)),
    ...(recalibration === null ? [] : tableRow('calibration', recalibrationPieces(recalibration, now), row)),
    ...(challenger === null ? [] : tableRow('challenger', challengerPieces(challenger, now), row)),
  ]
}

function scorecardPieces(
  { card, outsideSince, problem, at }: NonNullable<PositionView['scorecard']>,
  now: number,
): Piece[] {
  const tone = outsideSince === null ? 'good' : 'warn'
  return [
    card === null ? 'unknown' : { text: scorecardSummary(card), tone },
    ...(problem === null ? [] : [{ text: problem, tone: card === null ? 'dim' : 'warn' } as const]),
    ...agePieces(at, now),
  ]
}

function recalibrationPieces(
  { verdict, adopted, reason, at }: NonNullable<PositionView['recalibration']>,
  now: number,
): Piece[] {
  const isWaiting = verdict === 'adopt' && !adopted
  return [{ text: `${verdict}: ${reason}`, tone: isWaiting ? 'warn' : 'dim' }, ...agePieces(at, now)]
}

function challengerPieces(challenger: NonNullable<PositionView['challenger']>, now: number): Piece[] {
  const { use, since, suspended, problem, at } = challenger
  const text = challengerSummary(challenger)
  const isPlain = since === null || (suspended === null && problem === null)
  return [use, isPlain ? text : { text, tone: 'warn' }, ...agePieces(at, now)]
}

function agePieces(at: number | null, now: number): Piece[] {
  return at === null ? [] : [{ text: `${ageText(now - at)} ago`, tone: 'dim' }]
}
