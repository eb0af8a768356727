import { join } from 'node:path'
import type { Ms } from '../../base/time.ts'
import { runCalibration } from '../../research/jobs/calibrate-tape.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { Calibration, Estimate, FairValueEstimate, Intensity } from '../../core/models/calibration.ts'
import { SEGMENT_HEAD, segmentRows } from '../../research/report/pages/segment-rows.ts'
import { judgeCalibration } from '../../research/jobs/recalibrate/judge-calibration.ts'
import type { StrategyWatch } from '../../research/jobs/apart/watch-strategy.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { explainEmpty, openCommandTape } from './command-tape.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { workProgress } from '../output/progress.ts'
import { wroteOrExplained } from '../output/write-file.ts'
import { alignColumns, tableRow } from '../output/tables.ts'
import { timeText } from '../../base/text/times.ts'
import { countText, floatText, significantText } from '../../base/text/numbers.ts'

type CalibrateOptions = OutputFormat & {
  readonly tape?: string
  readonly config?: string
  readonly out?: string
  readonly report?: string
  readonly from?: Ms
  readonly to?: Ms
  readonly toleranceBps?: number
  readonly seed?: number
  readonly allowSkipped?: boolean
}

type JudgeOptions = CalibrateOptions & { readonly judge?: number; readonly adopt?: boolean }

const RELOADS = 'a running daemon reloads it now, and its log says whether it is in force'

/** Judges a new calibration by a replay of the last weeks. Exit code 1 if nothing could be replayed. */
export async function judgeNext(options: JudgeOptions, watch: StrategyWatch): Promise<void> {
  const { config: file, judge: weeks = 4, to = Date.now(), adopt = false } = options
  if (file === undefined)
    return fail(options, EXIT_CODE.usage, '--judge needs the configuration: add --config')
  const config = await loadOrExplain(file, options, { offline: true })
  if (config === null) return
  const { record, core, backtest, calibrationFile } = config
  const tape = options.tape ?? (record.path === null ? backtest.tape : join(record.path, core.name))
  if (tape === null) return fail(options, EXIT_CODE.usage, 'no tape: give --tape PATH, or set record.path')
  if (adopt && calibrationFile === null)
    return fail(options, EXIT_CODE.usage, '--adopt replaces the file of calibration:, and none is configured')
  const progress = workProgress('replays')
  const observe = (done: number, total: number) => progress.show({ done, total, before: 0 })
  const judged = await judgeCalibration(config, { tape, weeks, to, adopt, observe }, watch)
  progress.end()
  if (!judged.ok) return fail(options, EXIT_CODE.failed, judged.error)
  const { result, candidateFile } = judged.value
  const { verdict, reason, adopted, warnings } = result
  const lines = [
    ...warnings.map((text) => `warning  ${text}`),
    `${verdict}: ${reason}`,
    ...(candidateFile === null ? [] : [`candidate: ${candidateFile}`]),
    ...(adopted ? [`it replaced ${calibrationFile}, kept as FILE.before: ${RELOADS}`] : []),
  ]
  const exitCode = verdict === 'unknown' ? EXIT_CODE.failed : EXIT_CODE.ok
  print(options, lines.join('\n'), { position: core.name, ...result, candidateFile, exitCode })
  process.exitCode = exitCode
}

const EMPTY = 'the tape has no rows in this window'

/** Calibrates takers and the mid from a tape, and prints it as text, JSON, or the file that `calibration:` names. */
export async function calibrate(options: CalibrateOptions): Promise<void> {
  const config = await configOf(options)
  if (config === 'wrong') return
  const tape = options.tape ?? config?.backtest.tape ?? null
  const source = openCommandTape(tape, options, '--config with backtest.tape')
  if (source === null) return
  const learned = await runCalibration(source, config, options)
  if (!learned.ok) {
    const why = learned.error === 'empty' ? await explainEmpty(EMPTY, tape, options) : learned.error
    return fail(options, EXIT_CODE.failed, why)
  }
  const { calibration, samples: learnedFrom } = learned.value
  const file = `${JSON.stringify(calibration, null, 2)}\n`
  if (!(await wroteOrExplained(options, options.out, file))) return
  if (options.report !== undefined) {
    const { calibrationPage } = await import('../../research/report/pages/calibration-page.ts')
    const page = calibrationPage(calibration, learnedFrom)
    if (!(await wroteOrExplained(options, options.report, page))) return
  }
  print(options, [renderCalibration(calibration), ...writtenText(options)].join('\n'), calibration)
}

/** The configuration may name the calibration that this command creates, so it is not read. */
async function configOf(options: CalibrateOptions): Promise<LoadedConfig | null | 'wrong'> {
  if (options.config === undefined) return null
  const changes = { calibration: null }
  return (await loadOrExplain(options.config, options, { offline: true, changes })) ?? 'wrong'
}

function writtenText({ out }: CalibrateOptions): readonly string[] {
  if (out === undefined) return []
  return ['', `Written to ${out}. Strategies read it where the configuration has calibration: ${out}`]
}

const WIDTH = 100
const DIGITS = 3

const METHODS: Readonly<Record<Intensity['method'], string>> = {
  likelihood: 'by maximum likelihood',
  posterior: 'by the posterior, in which the prior counts too',
  default: 'the prior, not measured',
}

/** Renders a calibration for a terminal: first the warnings, then each figure with its evidence. */
export function renderCalibration(calibration: Calibration, width = WIDTH): string {
  const { both, bid, ask, sigma, prints, from, to, fills, warnings } = calibration
  const row = (label: string, ...pieces: readonly string[]) =>
    tableRow(label, pieces, { width, colour: false })
  const lines = [
    ...row(
      'tape',
      to === 0 ? 'no rows' : `${timeText(from)} to ${timeText(to)}`,
      countText(fills, 'fill'),
      countText(prints, 'print'),
    ),
    ...intensityRows('', both).flatMap(([label, ...pieces]) => row(label, ...pieces)),
    ...[['bid', bid] as const, ['ask', ask] as const].flatMap(([side, intensity]) =>
      intensity === null
        ? []
        : intensityRows(side, intensity).flatMap(([label, ...pieces]) => row(label, ...pieces)),
    ),
    ...(sigma === null
      ? row('sigma', 'too few published rates')
      : row('sigma', `${estimateText(sigma)} bps per root of a day`, `by ${countText(prints, 'print')}`)),
    ...markoutTexts(calibration).flatMap((text, i) => row(i === 0 ? 'markouts' : '', text)),
    ...fairValueRows(calibration).flatMap(([label, ...pieces]) => row(label, ...pieces)),
    ...row('sizes', ...sizePieces(calibration.sizesUsd)),
  ]
  const segments = segmentRows(calibration)
  return [
    ...warnings.flatMap((text) => row('warning', text)),
    ...(warnings.length > 0 ? [''] : []),
    ...lines,
    ...(segments.length > 0
      ? ['', ...alignColumns([SEGMENT_HEAD, ...segments], (column) => column < 2)]
      : []),
  ].join('\n')
}

type Row = readonly [label: string, ...pieces: readonly string[]]

function intensityRows(side: string, intensity: Intensity): readonly Row[] {
  const { a, k, fills, exposureDays, method, priorOnly = [], quotedRate } = intensity
  const of = side === '' ? '' : ` ${side}`
  const prior = (key: 'a' | 'k') => (priorOnly.includes(key) ? ['as wide as the prior'] : [])
  const perSide = side === '' ? ' and side' : ''
  return [
    [`A${of}`, `${estimateText(a)} fills a day${perSide} at no spread`, ...prior('a')],
    [`k${of}`, `${estimateText(k)} per bps`, `1/k = ${estimateText(inverse(k))} bps`, ...prior('k')],
    ...(quotedRate === undefined
      ? []
      : [
          [
            `rate${of}`,
            `${estimateText(quotedRate.perDay)} fills a day${perSide} at ${floatText(quotedRate.bps, 1)} bps`,
            'measured, exact Poisson interval',
          ] as const,
        ]),
    [
      '',
      METHODS[method],
      `${countText(fills, 'fill')} in ${floatText(exposureDays, 1)} days with takers in reach`,
    ],
  ]
}

function fairValueRows({ fairValue }: Calibration): readonly Row[] {
  if (fairValue === undefined) return []
  const { sigmaBps, followShare, publicationNoiseBps, updates, feeds } = fairValue
  return [
    ['true rate', `${measuredText(sigmaBps)} bps per root of a working day`],
    [
      'updates',
      `follow by ${measuredText(followShare)} of the way, noise ${measuredText(publicationNoiseBps)} bps`,
      countText(updates, 'day'),
    ],
    ...feeds.map(({ name, errorBps, errorHalfLifeDays, lead }): Row => [
      `feed ${name}`,
      `error ${measuredText(errorBps)} bps, half of it left after ${measuredText(errorHalfLifeDays)} days`,
      ...lead.map(
        ({ updates: ahead, share }) =>
          `the mid goes ${estimateText(share)} of the way to it in ${countText(ahead, 'update')}`,
      ),
    ]),
  ]
}

function measuredText({ isMeasured, ...estimate }: FairValueEstimate): string {
  return `${estimateText(estimate)}${isMeasured ? '' : ', the default: the tape cannot tell'}`
}

function markoutTexts({ markouts }: Calibration): readonly string[] {
  if (markouts.length === 0) return ['too little data']
  const widest = Math.max(...markouts.map(({ horizon }) => horizon.length))
  return markouts.map(
    ({ horizon, bps, fills, prints }) =>
      `${horizon.padEnd(widest)}  ${estimateText(bps)} bps, ${countText(fills, 'fill')} by ${countText(prints, 'print')}`,
  )
}

/** Of nineteen quantiles the lowest, the middle and the highest. */
function sizePieces(sizesUsd: readonly number[]): readonly string[] {
  const [low, median, high] = [sizesUsd[0], sizesUsd[9], sizesUsd[18]]
  if (low === undefined || median === undefined || high === undefined) return ['no fills']
  return [
    `5 % below ${floatText(low, 2)} USD`,
    `half below ${floatText(median, 2)}`,
    `95 % below ${floatText(high, 2)}`,
  ]
}

function estimateText({ value, low, high }: Estimate): string {
  const [of, from, to] = [value, low, high].map((each) => significantText(each, DIGITS))
  return `${of} (90 % CI ${from} to ${to})`
}

function inverse({ value, low, high }: Estimate): Estimate {
  return { value: 1 / value, low: 1 / high, high: 1 / low }
}
