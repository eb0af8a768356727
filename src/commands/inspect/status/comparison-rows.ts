import { challengerSummary } from '../../../view/challenger-text.ts'
import type { PositionView } from '../../../view/position-view.ts'
import { scorecardSummary } from '../../../view/scorecard-text.ts'
import { ageText } from '../../../text/times.ts'
import { type Piece, type RowOptions, tableRow } from '../../output/tables.ts'

/** The rows of what the daemon compares once an hour: the week against the calibration, and a challenger. */
export function comparisonRows({ scorecard, challenger, now }: PositionView, row: RowOptions): string[] {
  return [
    ...(scorecard === null ? [] : tableRow('scorecard', scorecardPieces(scorecard, now), row)),
    ...(challenger === null ? [] : tableRow('challenger', challengerPieces(challenger, now), row)),
  ]
}

function scorecardPieces(
  { card, outsideSince, problem, at }: NonNullable<PositionView['scorecard']>,
  now: number,
): Piece[] {
  const tone = outsideSince === null ? 'good' : 'warn'
  return [
    card === null ? 'not compared yet' : { text: scorecardSummary(card), tone },
    ...(problem === null ? [] : [{ text: `last try failed: ${problem}`, tone: 'warn' } as const]),
    { text: `${ageText(now - at)} ago`, tone: 'dim' },
  ]
}

function challengerPieces(challenger: NonNullable<PositionView['challenger']>, now: number): Piece[] {
  const { use, suspended, problem, at } = challenger
  const text = challengerSummary(challenger)
  return [
    use,
    suspended === null && problem === null ? text : { text, tone: 'warn' },
    { text: `${ageText(now - at)} ago`, tone: 'dim' },
  ]
}
