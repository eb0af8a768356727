import { DRILL_NAMES, type DrillName } from '../../simulator/drills/catalogue.ts'
import { readKept } from '../../store/kept-drills.ts'
import { type DrilledPosition, readDrilledPosition } from '../../simulator/drills/model/drilled-position.ts'
import type { DrillResult } from '../../simulator/drills/drill.ts'
import { readPeak } from '../../simulator/drills/model/peak.ts'
import type { Thresholds } from '../../simulator/drills/model/judge-night.ts'
import { runDrills } from '../../simulator/drills/play-drill.ts'
import type { SandboxOptionsInput } from '../../simulator/sandbox/options.ts'
import { formatProblem } from '../../daemon/config/source/problem.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, type OutputFormat, print, printStoreError, printWarning } from '../output/print.ts'
import { workProgress } from '../output/progress.ts'
import { writeTextAtomically } from '../output/write-file.ts'
import { venueLike } from '../../simulator/sandbox/venue-profile.ts'
import type { Result } from '../../base/result.ts'
import { exampleConfig } from '../../simulator/sandbox/demo/example-config.ts'
import { drillPage, drillTable } from './drill-table.ts'
import { keepResults } from './keep-results.ts'

type DrillOptions = OutputFormat & {
  /** Absent: the example of the simulated venue. */
  readonly config?: string
  /** Reads the peak from a store in PostgreSQL. */
  readonly readStore?: boolean
  readonly only?: readonly DrillName[]
  readonly parallel: number
  readonly gate?: boolean
  readonly html?: string
  /** A profile of a venue, see `mizani conformance`. */
  readonly like?: string
}

/** Plays drills against the desk's configuration, prints the results and keeps them next to the store. */
export async function drill(options: DrillOptions): Promise<void> {
  const read = readDrilledPosition(options.config ?? exampleConfig(), options.readStore)
  if (!read.ok) {
    const problems = read.error
    return fail(options, EXIT_CODE.usage, problems.map(formatProblem).join('\n'), { problems })
  }
  const { place, ...desk } = read.value
  const { config } = desk
  const like = venueLike(options.like)
  if (!like.ok) return fail(options, EXIT_CODE.usage, like.error)
  // The drilled daemons and their folders end with the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(EXIT_CODE.failed))
  // An unwritable file is detected before nights that take minutes.
  const kept = readKept(config.store.path)
  if (!kept.ok) return fail(options, EXIT_CODE.failed, kept.error)
  await printStoreError(options, async () => {
    const position = { ...desk, peak: readPeak(place, Date.now()) }
    const results = await played(position, options, like.value)
    warnUnlessOk(await keepResults(config.store.path, results, Date.now()))
    const notes = notesOf(options, position, results)
    if (options.html !== undefined) {
      const page = drillPage(config.name, position.peak, results, Date.now(), notes)
      warnUnlessOk(await writeTextAtomically(options.html, page))
    }
    const failed = results.filter(({ status }) => status === 'failed').length
    print(options, drillTable(results, position.peak, notes), {
      position: config.name,
      peak: position.peak,
      failed,
      notes,
      results,
    })
    if (options.gate === true && (failed > 0 || !results.some(wasPlayed))) process.exitCode = EXIT_CODE.failed
  })
}

/** Returns notes that the results do not show. */
function notesOf(
  { config, gate }: Pick<DrillOptions, 'config' | 'gate'>,
  position: DrilledPosition,
  results: readonly DrillResult[],
): readonly string[] {
  return [
    ...(config === undefined
      ? [
          'without --config the example of the simulated venue was drilled (config/sandbox.yaml), and no desk of yours',
        ]
      : []),
    ...(position.config.store.postgres === null
      ? []
      : [
          'the store of this desk is in PostgreSQL; its nights were played on SQLite and without a standby: a hand-over was not drilled',
        ]),
    ...(gate === true && !results.some(wasPlayed)
      ? ['the gate fails because no night was played: each of them does not apply here']
      : []),
  ]
}

function wasPlayed({ status }: DrillResult): boolean {
  return status !== 'not-applicable'
}

async function played(
  position: DrilledPosition,
  { only, parallel }: DrillOptions,
  like: SandboxOptionsInput,
): Promise<readonly DrillResult[]> {
  const names = [...new Set(only ?? DRILL_NAMES)]
  const progress = workProgress('drills')
  let done = 0
  const show = () => progress.show({ done, total: names.length, before: 0 })
  show()
  try {
    return await runDrills(position, {
      names,
      parallel,
      program: { execPath: process.execPath, launcher: process.argv[1] ?? '' },
      thresholds: thresholdsOf(position.config.drills),
      like,
      onResult: () => {
        done += 1
        show()
      },
    })
  } finally {
    progress.end()
  }
}

const MICRO = 1e6

function thresholdsOf({
  maxNoticeMs,
  maxSafeMs,
  maxCostUsd,
}: DrilledPosition['config']['drills']): Thresholds {
  return { maxNoticeMs, maxSafeMs, maxCostUsd: maxCostUsd === null ? null : Number(maxCostUsd) / MICRO }
}

/** The results are printed even if they cannot be written. */
function warnUnlessOk(written: Result<void, string>): void {
  if (!written.ok) printWarning(written.error)
}
