import { EXIT_CODE } from '../../../base/exit-code.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { type StrategyWatch, UNWATCHED } from '../../../research/jobs/apart/watch-strategy.ts'
import { withJournal } from '../../journal/journal.ts'
import type { Journal } from '../../../research/jobs/journal/read-journal.ts'
import { measureParity, type Parity } from '../../../research/jobs/journal/measure-parity.ts'
import { floatText } from '../../../base/text/numbers.ts'

type ParityOptions = OutputFormat & { readonly store: string; readonly config?: string }

/** Checks that backtest and daemon agree: equal decisions, and a score of the fills. */
export async function parity(options: ParityOptions, watch: StrategyWatch = UNWATCHED): Promise<void> {
  const config = options.config ?? 'config/journal'
  await withJournal(options.store, config, options, (journal) => judge(journal, options), watch)
}

async function judge(journal: Journal, options: ParityOptions): Promise<void> {
  const { decisions, replayed, config } = journal
  const measured = await measureParity(journal)
  if (!measured.ok) return fail(options, EXIT_CODE.failed, measured.error)
  const equal = decisions.differing === 0 && replayed.parted === null
  if (!equal) process.exitCode = EXIT_CODE.failed
  const warnings = [
    ...replayed.warnings,
    ...(config.configurations > 1
      ? [`the journal has ${config.configurations} configurations; the backtest runs the last one throughout`]
      : []),
  ]
  const data = {
    equal,
    events: replayed.events,
    decisions,
    snapshots: replayed.checkpoints,
    ...measured.value,
    warnings,
    exitCode: process.exitCode ?? EXIT_CODE.ok,
  }
  print(options, textOf(data), data)
}

function textOf(
  data: Parity &
    Pick<Journal, 'decisions'> & {
      readonly equal: boolean
      readonly events: number
      readonly warnings: readonly string[]
    },
): string {
  const { decisions, fills, quotes } = data
  const count = (value: number) => floatText(value, 0)
  return [
    ...data.warnings.map((warning) => `warning    ${warning}`),
    `events     ${count(data.events)}`,
    `decisions  ${count(decisions.compared)} compared, ${count(decisions.writes)} of them writes; ${count(decisions.differing)} differ`,
    ...decisions.differences.map(
      ({ seq, at, daemon, replay }) =>
        `           event ${seq} at ${at}: the daemon had ${daemon}, the replay ${replay}`,
    ),
    `fills      ${count(fills.matched)} of ${count(fills.real)} real ones in the backtest, ${count(fills.added)} more; prices ${bpsText(fills.meanAbsPriceBps)} apart on the mean`,
    `quotes     ${count(quotes.real)} PATCHes live, ${count(quotes.simulated)} in the backtest; equal ${shareText(quotes.sameShare)} of the time, ${bpsText(quotes.meanAbsBps)} apart on the mean`,
    `verdict    ${data.equal ? 'the same decisions' : 'DIFFERENT decisions'}`,
  ].join('\n')
}

function bpsText(bps: number | null): string {
  return bps === null ? 'not comparable' : `${bps.toFixed(2)} bps`
}

function shareText(share: number | null): string {
  return share === null ? 'no common part' : `${(100 * share).toFixed(1)} %`
}
