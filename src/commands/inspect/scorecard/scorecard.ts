import type { Ms } from '../../../base/time.ts'
import { scorecard as scoreTape, scorecardFrom } from '../../../calibration/scorecard.ts'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'
import { horizonsOf } from '../../../models/markouts/horizons.ts'
import { storedReviews } from '../../../runtime/review/stored-reviews.ts'
import { challengerSummary } from '../../../view/challenger-text.ts'
import { tapeRowsOf } from '../../../runtime/recording/tape-rows.ts'
import { timeText } from '../../../text/times.ts'
import { EXIT_CODE } from '../../exit-code.ts'
import { type JournalReplay, withReplay } from '../../journal/journal.ts'
import { createJournalTape, type JournalTape } from '../../../runtime/recording/journal-tape.ts'
import { type StrategyWatch, UNWATCHED } from '../../apart/watch-strategy.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { sentLine } from '../../operator/send-once.ts'
import { notifyScorecard } from './notify-scorecard.ts'
import { scorecardText } from './scorecard-text.ts'

export type ScorecardOptions = OutputFormat & {
  readonly config: string
  readonly from?: Ms
  readonly to?: Ms
  readonly notify?: boolean
}

/** Compares what the calibration in force expects with what the journal shows; exit code 1 where it is outside of its band. */
export async function scorecard(options: ScorecardOptions, watch: StrategyWatch = UNWATCHED): Promise<void> {
  const config = await watch.loading(() => loadOrExplain(options.config, options))
  if (config === null) return
  if (config.core.calibration === null) {
    return fail(
      options,
      EXIT_CODE.usage,
      'the configuration names no calibration, so that nothing is expected: make one with `mizani calibrate --tape PATH --out FILE`, and name it under calibration',
    )
  }
  if (options.notify === true && config.notify === null) {
    return fail(
      options,
      EXIT_CODE.usage,
      'notify names no channel; telegram, slack or webhook would be right',
    )
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
      return fail(options, EXIT_CODE.failed, `nothing to compare from ${asked}: ${journal}`)
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
  const sent =
    options.notify === true && config.notify !== null
      ? await notifyScorecard(config, config.notify, card)
      : []
  const isWrong = card.outside.length > 0 || sent.some(({ outcome }) => outcome !== 'sent')
  const exitCode = isWrong ? EXIT_CODE.failed : EXIT_CODE.ok
  const { challenger } = storedReviews(config)
  const shadow = challenger === null ? [] : [`challenger ${challenger.use}: ${challengerSummary(challenger)}`]
  const text = [scorecardText(card), ...shadow, ...sent.map(sentLine)].join('\n')
  print(options, text, { position: config.core.name, ...card, challenger, notified: sent, exitCode })
  process.exitCode = exitCode
}
