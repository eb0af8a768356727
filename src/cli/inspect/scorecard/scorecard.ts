import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import {
  type Scorecard,
  scorecardFrom,
  scoreTape,
  type SideScore,
} from '../../../research/calibration/scorecard.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { horizonsOf } from '../../../core/models/markouts/horizons.ts'
import { type Notice, raisedNotice } from '../../../daemon/notify/notice.ts'
import { createResultReader, keepResult, readResult } from '../../../daemon/runtime/position/result-files.ts'
import { challengerSummary } from '../../../daemon/view/challenger-text.ts'
import { tapeRowsOf } from '../../../daemon/runtime/recording/tape-rows.ts'
import { timeText } from '../../../base/text/times.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { withReplay } from '../../journal/journal.ts'
import type { JournalReplay } from '../../../research/jobs/journal/read-journal.ts'
import { createJournalTape, type JournalTape } from '../../../daemon/runtime/recording/journal-tape.ts'
import { type StrategyWatch, UNWATCHED } from '../../../research/jobs/apart/watch-strategy.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { NO_CHANNEL, sendNotice, sentLine } from '../../../daemon/runtime/host/notifications/send-once.ts'
import { scorecardSummary, measureText } from '../../../daemon/view/scorecard-text.ts'
import { judgeScorecard } from '../../../research/jobs/judge-scorecard.ts'
import type { Measure } from '../../../research/calibration/scorecard-measures.ts'
import { adviceFor } from '../../../core/alerts/position-notices.ts'
import { alignColumns } from '../../output/tables.ts'
import { countText, floatText } from '../../../base/text/numbers.ts'

type ScorecardOptions = OutputFormat & {
  readonly config: string
  readonly from?: Ms
  readonly to?: Ms
  readonly notify?: boolean
  /** Repeats the command: the daemon shows the kept result, and only a change of the alert is sent. */
  readonly every?: Ms
}

/** Compares the expectations of the calibration in force with the journal; exit code 1 if a measure is outside its band. */
export async function scorecard(options: ScorecardOptions, watch: StrategyWatch = UNWATCHED): Promise<void> {
  const offline = options.notify !== true
  const config = await watch.loading(() => loadOrExplain(options.config, options, { offline }))
  if (config === null) return
  if (config.core.calibration === null) {
    return fail(
      options,
      EXIT_CODE.usage,
      'the configuration names no calibration, so there are no expectations: create one with `mizani calibrate --tape PATH --out FILE`, and name it under calibration',
    )
  }
  if (options.notify === true && config.notify === null) {
    return fail(options, EXIT_CODE.usage, NO_CHANNEL)
  }
  const { learned } = config.core.calibration
  const compare = async ({ run }: JournalReplay): Promise<void> => {
    const tape = createJournalTape()
    const seen = { from: Infinity, to: -Infinity }
    const { warnings } = await run(({ event }, audit, state) => {
      seen.from = Math.min(seen.from, event.t)
      seen.to = Math.max(seen.to, event.t)
      tape.add(tapeRowsOf(event, audit, state))
    })
    const window = {
      from: options.from ?? scorecardFrom(learned.to, options.to ?? seen.to),
      to: options.to ?? seen.to + 1,
    }
    if (window.from >= window.to || window.from > seen.to || window.to <= seen.from) {
      const journal = `the journal is from ${timeText(seen.from)} to ${timeText(seen.to)}`
      const asked = `${timeText(window.from)} to ${timeText(window.to)}`
      const why = `nothing to compare from ${asked}: ${journal}`
      await judge(config, options, err(why))
      return fail(options, EXIT_CODE.failed, why)
    }
    await show(tape, window, warnings, { config, learned, options })
  }
  await withReplay(config.store.place, options.config, options, compare, watch)
}

type Asked = {
  readonly config: LoadedConfig
  readonly learned: NonNullable<LoadedConfig['core']['calibration']>['learned']
  readonly options: ScorecardOptions
}

async function show(
  tape: JournalTape,
  window: { readonly from: Ms; readonly to: Ms },
  warnings: readonly string[],
  { config, learned, options }: Asked,
): Promise<void> {
  const { toleranceBps, protocolFeeBps } = config.venue
  const { fairValue, seed } = config.backtest
  const scored = await scoreTape(tape.source(window), learned, {
    toleranceBps,
    protocolFeeBps,
    fairValue,
    seed,
    horizons: horizonsOf(config.backtest),
  })
  const card = { ...scored, warnings: [...warnings, ...scored.warnings] }
  const { notice, problem } = await judge(config, options, ok(card))
  const sent = options.notify === true && notice !== null ? await sendNotice(config, notice) : []
  if (problem !== null) return fail(options, EXIT_CODE.failed, problem)
  const isWrong = card.outside.length > 0 || sent.some(({ outcome }) => outcome !== 'sent')
  const exitCode = isWrong ? EXIT_CODE.failed : EXIT_CODE.ok
  const { challenger } = createResultReader()(config, Date.now())
  const shadow = challenger === null ? [] : [`challenger ${challenger.use}: ${challengerSummary(challenger)}`]
  const text = [scorecardText(card), ...shadow, ...sent.map(sentLine)].join('\n')
  print(options, text, { position: config.core.name, ...card, challenger, notified: sent, exitCode })
  process.exitCode = exitCode
}

/** Returns the notice to send. A repeated run also stores its result; `problem`: why it could not. */
async function judge(
  config: LoadedConfig,
  { every }: ScorecardOptions,
  compared: Result<Scorecard, string>,
): Promise<{ readonly notice: Notice | null; readonly problem: string | null }> {
  const now = Date.now()
  if (every === undefined)
    return { notice: compared.ok ? resultNotice(compared.value, now) : null, problem: null }
  const before = readResult(config, 'scorecard')
  const { next, notice } = judgeScorecard(before.ok ? before.value : null, compared, now)
  const kept = await keepResult(config, 'scorecard', next)
  return { notice, problem: kept.ok ? null : kept.error }
}

/** Returns an alarm, or the summary that nothing is outside. */
function resultNotice(card: Scorecard, now: Ms): Notice {
  const notice = raisedNotice(now, 'scorecard', scorecardSummary(card))
  return card.outside.length > 0 ? notice : { ...notice, kind: 'summary', severity: 'info' }
}

/** Renders a scorecard for a terminal: the alarm first, then every measure by side with its 90 % band. */
export function scorecardText(card: Scorecard): string {
  const { from, to, calibratedFrom, calibratedTo, warnings } = card
  return [
    ...warnings.map((text) => `warning  ${text}`),
    `compared ${timeText(from)} to ${timeText(to)}, with the calibration of ${timeText(calibratedFrom)} to ${timeText(calibratedTo)}`,
    ...alarmLines(card),
    '',
    ...alignColumns(
      [
        ['side', 'measure', 'expected', '90 % band', 'came', ''],
        ...(['both', 'bid', 'ask'] as const).flatMap((side) => rowsOf(side, card[side])),
      ],
      (column) => column < 2 || column === 5,
    ),
  ].join('\n')
}

function alarmLines(card: Scorecard): readonly string[] {
  const { outside } = card
  if (outside.length === 0) return [`result   ${scorecardSummary(card)}`]
  return [`ALARM    ${scorecardSummary(card)}`, `advice   ${adviceFor('scorecard') ?? ''}`]
}

function rowsOf(side: string, { measures, fills, exposureDays }: SideScore): readonly (readonly string[])[] {
  if (measures.length === 0)
    return [[side, `no time in which takers could reach us`, '', '', countText(fills, 'fill'), '']]
  return measures.map((measure, i) => {
    const { name, unit, expected, band, realised, isOutside } = measureText(measure)
    return [
      i === 0 ? side : '',
      name,
      `${expected}${unit}`,
      band,
      realised ?? 'none',
      isOutside ? (measure.verdict ?? '').toUpperCase() : noteOf(measure.name, exposureDays),
    ]
  })
}

function noteOf(name: Measure['name'], exposureDays: number): string {
  return name === 'fills' ? `in ${floatText(exposureDays, 1)} days with takers in reach` : ''
}
