import type { Ms } from '../../base/time.ts'
import { DEFAULT_GAP_SETTINGS } from '../../core/models/fair-value/gap-filter.ts'
import { type FeedView, type JudgementView, judgementView } from '../../daemon/view/market-view.ts'
import { feedTone, isFeedDoubtful, judgementText } from '../../daemon/view/position-text.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { judgeTapeFeeds } from '../../research/jobs/judge-feeds.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail, type OutputFormat, printStoreError, printStyled } from '../output/print.ts'
import { terminalFeatures } from '../output/screen.ts'
import { type Piece, tableRow } from '../output/tables.ts'
import { explainEmpty, openCommandTape } from './command-tape.ts'
import { readPosition } from '../inspect/position.ts'

type FeedsOptions = OutputFormat & {
  readonly config?: string
  readonly tape?: string
  readonly from?: Ms
  readonly to?: Ms
}
type ShownFeed = Pick<FeedView, 'name' | 'judgement'> & Partial<Pick<FeedView, 'status'>>

const WIDTH = 100
const UNKNOWN =
  'unknown: no update of the mid followed its readings, or the strategy of the daemon does not read fairShift (judge a recording with --tape)'

/** Shows what later updates of the mid showed about each feed: of a daemon, of its store, or of a tape. */
export async function feeds(options: FeedsOptions): Promise<void> {
  if (options.tape === undefined && options.config === undefined)
    return fail(options, EXIT_CODE.usage, 'no feeds to judge: give --config FILE, or --tape PATH')
  const config = options.config === undefined ? null : await loadOrExplain(options.config, options)
  if (config === null && options.config !== undefined) return
  if (options.tape === undefined) {
    if (config === null) return
    return printStoreError(options, async () => {
      const read = await readPosition(config)
      if ('why' in read) return fail(options, read.exitCode, read.why)
      const { feeds: shown } = read.view.reference
      show(options, read.note, shown, 'no feed is configured; docs/feeds.md describes them')
    })
  }
  const source = openCommandTape(options.tape, options, '--config')
  if (source === null) return
  const judged = await judgeTapeFeeds(source, config?.core.fairValue ?? DEFAULT_GAP_SETTINGS)
  if (judged.length === 0) {
    const why = 'the tape has no references after its first mid, so there is no feed to judge'
    return fail(options, EXIT_CODE.failed, await explainEmpty(why, options.tape, options))
  }
  const shown = judged.map(({ name, judgement }) => ({ name, judgement: judgementView(judgement) }))
  show(options, null, shown, '')
}

function show(voice: OutputFormat, note: string | null, shown: readonly ShownFeed[], empty: string): void {
  const { colour } = terminalFeatures(process.stdout, process.env)
  const row = { width: process.stdout.columns ?? WIDTH, colour }
  const lines = shown.flatMap((feed) => tableRow(feed.name, piecesOf(feed), row))
  const text = [...(note === null ? [] : [note]), ...(shown.length === 0 ? [empty] : lines)].join('\n')
  const data = shown.map(({ name, status = null, judgement }) => ({ name, status, judgement }))
  printStyled(voice, text, { note, feeds: data })
}

function piecesOf({ status, judgement }: ShownFeed): readonly Piece[] {
  const state = status === undefined ? [] : [{ text: status, tone: feedTone(status) }]
  if (judgement === null) return [...state, { text: UNKNOWN, tone: 'dim' }]
  const { errorBps, errorHalfLifeDays, delayDays, usedOffsetBps } = judgement
  const range = ({ value, low, high }: JudgementView['errorBps'], digits: number) =>
    `${value.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`
  return [
    ...state,
    { text: judgementText(judgement), tone: isFeedDoubtful(judgement) ? 'warn' : 'good' },
    `error ${range(errorBps, 0)} bps (told apart: 0.4 to 2.5 times the stated one), half of it left after ${range(errorHalfLifeDays, 1)} days`,
    `delay ${range(delayDays, 1)} days (told apart: 0 to 2)`,
    `read less ${usedOffsetBps.toFixed(1)} bps`,
  ]
}
