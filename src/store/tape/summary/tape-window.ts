import type { Ms } from '../../../base/time.ts'
import type { TapeProblem, TapeSource, TapeWindow } from '../model/batch.ts'
import { createTapeSummary } from './summary.ts'
import { countText, floatText, percentText } from '../../../base/text/numbers.ts'
import { timeText } from '../../../base/text/times.ts'

/**
 * Returns that a window has no rows of a tape, with the times between which it has rows; null = the window lies within
 * the tape. Reads the whole tape, so it is meant for an empty window.
 */
async function emptyWindowText(
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TapeWindow,
  whole: TapeSource,
): Promise<string | null> {
  const summary = createTapeSummary()
  for await (const batch of whole.batches()) summary.add(batch)
  const { from: first, to: last } = summary.sum()
  if (first === null || last === null) return null
  const tape = `its rows are from ${timeText(first)} to ${timeText(last)}`
  if (from >= to)
    return `--from ${timeText(from)} is not before --to ${timeText(to)}: the window is empty; ${tape}`
  if (from > last) return `--from ${timeText(from)} is after the end of the tape: ${tape}`
  return to <= first ? `--to ${timeText(to)} is before the beginning of the tape: ${tape}` : null
}

/** Returns `why` a run over a window failed, or that the window lies outside the tape `whole`. */
export async function explainWindow(why: string, window: TapeWindow, whole: TapeSource): Promise<string> {
  if (window.from === undefined && window.to === undefined) return why
  return (await emptyWindowText(window, whole)) ?? why
}

type SkippedRows = {
  /** The sentence to lead with; null = no row was skipped. */
  readonly warning: string | null
  /** Whether more rows are missing than allowed. */
  readonly isTooMany: boolean
}

/**
 * Compares the skipped rows of a tape with those that were read, and its skipped fills with its fills, which are few beside the other
 * rows. An unknown number may be any: only a share of 1 allows it.
 */
export function judgeSkipped(
  problems: readonly TapeProblem[],
  read: { readonly rows: number; readonly fills: number },
  maxShare: number,
): SkippedRows {
  const { rows } = read
  let [skipped, lostFills] = [0, 0]
  let first: TapeProblem | null = null
  let isUnknown = false
  for (const problem of problems) {
    if (problem.skipped === 0) continue
    lostFills += problem.fills ?? 0
    first ??= problem
    if (problem.skipped === null) isUnknown = true
    else skipped += problem.skipped
  }
  if (first === null) return { warning: null, isTooMany: false }
  const share = skipped / (skipped + rows)
  const counted = `${floatText(skipped, 0)} of ${countText(skipped + rows, 'row')} of the tape (${percentText(share, 2)}) ${skipped === 1 ? 'was' : 'were'} skipped`
  const fills = lostFills + read.fills
  const ofFills = lostFills / Math.max(1, fills)
  const among =
    lostFills === 0
      ? ''
      : `, among them ${floatText(lostFills, 0)} of ${countText(fills, 'fill')} (${percentText(ofFills, 2)})`
  const lost = among + (isUnknown ? ', and parts of unknown length' : '')
  return {
    warning: `${counted}${lost}; the first: ${first.file}, ${first.at}: ${first.message}`,
    isTooMany: isUnknown ? maxShare < 1 : Math.max(share, ofFills) > maxShare,
  }
}

/** Returns why there is no result, and what to do. */
export function tooManySkippedText(warning: string | null, maxShare: number): string {
  return `${warning ?? ''}\nat most ${percentText(maxShare, 2)} of a tape or of its fills may be missing: repair the tape, or accept it with --allow-skipped (backtest.maxSkippedShare: 1 for every run)`
}

const SHOWN = 20
const GAP = /^no rate for ([\d.]+) h$/
/** More gaps are one sentence: a file of daily mids is nothing but gaps. */
const GAPS_SHOWN = 3

/** Returns the unreadable parts of a tape, a sentence each; of very many the first ones and the number of the rest. */
export function tapeProblemTexts(problems: readonly TapeProblem[]): readonly string[] {
  const hours = problems.flatMap(({ message }) => GAP.exec(message)?.[1] ?? []).map(Number)
  const { length } = hours
  if (length <= GAPS_SHOWN) return problemTexts(problems)
  const longest = Math.max(...hours).toFixed(1)
  const gaps = `${problems[0]?.file}: ${length} gaps without a rate, the longest of ${longest} h; \`mizani tape inspect --json\` lists them`
  return [...problemTexts(problems.filter(({ message }) => !GAP.test(message))), gaps]
}

function problemTexts(problems: readonly TapeProblem[]): readonly string[] {
  const texts = problems.map(({ file, at, message, skipped }) => {
    const lost = skipped === null ? '; the number of lost rows is unknown' : ''
    return `${file}, ${at}: ${message}${skipped === null || skipped <= 1 ? lost : ` (${skipped} rows skipped)`}`
  })
  if (texts.length <= SHOWN) return texts
  return [...texts.slice(0, SHOWN), `and ${texts.length - SHOWN} more problems of the tape`]
}

/** Returns the window of `--from` and `--to`. */
export function windowOf({ from, to }: { readonly from?: Ms; readonly to?: Ms }): TapeWindow {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}
