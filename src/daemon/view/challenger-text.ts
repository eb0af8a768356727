import { countText, floatText } from '../../base/text/numbers.ts'
import type { ChallengerView, ComparedView, ShadowRunView } from './challenger-view.ts'

/** Returns a challenger in one line: the paired difference with its error, or the reason why it is unknown. */
export function challengerSummary({ since, compared, suspended, problem }: ChallengerView): string {
  if (since === null) return `unknown: ${problem ?? ''}`
  const result = compared === null ? 'not compared yet' : comparedSummary(compared)
  if (suspended !== null) return `suspended: ${suspended.why}; ${result}`
  return problem === null ? result : `not run: ${problem}; ${result}`
}

function comparedSummary({ difference, champion, challenger }: ComparedView): string {
  const runs = `${runText(challenger)}, against ${runText(champion)} of the champion`
  if (difference === null) return `${runs}; two days are needed for a difference`
  const { meanUsd, seUsd, days, p } = difference
  const mean = `${floatText(meanUsd, 2, 'plus')} +- ${floatText(seUsd, 2)} USD a day`
  return `${mean} over ${countText(days, 'day')} (p ${floatText(p, 3)}); ${runs}`
}

function runText({ quote, fills, edgeUsd }: ShadowRunView): string {
  const side = (bps: number | null) => (bps === null ? 'off' : floatText(bps, 0))
  const standing = quote === null ? 'no quote' : `bid ${side(quote.bidBps)} ask ${side(quote.askBps)}`
  return `${standing}, ${countText(fills, 'fill')}, edge ${floatText(edgeUsd, 2, 'plus')} USD`
}
