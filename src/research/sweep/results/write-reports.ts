import type { Ms } from '../../../base/time.ts'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { heatmapSvg } from '../ranking/heatmap.ts'
import type { Manifest } from './identity.ts'
import { type ParquetColumn, plainColumn, writeParquetFile, writeWhole } from './parquet.ts'
import type { RankedVariant } from '../ranking/rank-variants.ts'
import { RESULT_COLUMNS } from './columns.ts'
import type { SweepResult } from './sweep-result.ts'
import type { TriedVariant, VariantResult } from '../variant-job.ts'

type RankedRow = TriedVariant & { readonly ranked: RankedVariant }

/** The rank, the scores, and all columns of the parts. */
const RANKING_COLUMNS: readonly ParquetColumn<RankedRow>[] = [
  plainColumn('rank', 'count', ({ ranked }) => ranked.rank),
  plainColumn('dailyMeanUsd', 'double', ({ ranked }) => ranked.daily.meanUsd),
  plainColumn('dailyQ05Usd', 'double', ({ ranked }) => ranked.daily.ci90?.[0] ?? null),
  plainColumn('dailyQ95Usd', 'double', ({ ranked }) => ranked.daily.ci90?.[1] ?? null),
  plainColumn('yieldBps', 'double', ({ ranked }) => ranked.yieldBps),
  plainColumn('sharpePerDay', 'double', ({ ranked }) => ranked.sharpe?.perDay ?? null),
  plainColumn('deflatedSharpe', 'double', ({ ranked }) => ranked.sharpe?.deflated ?? null),
  ...RESULT_COLUMNS,
]

/** Writes the reports of a finished sweep into `out`, each atomically. */
export function writeReports(
  out: string,
  { variants }: Manifest,
  results: readonly VariantResult[],
  result: SweepResult,
  timing: SweepTiming,
): void {
  const rows = result.ranking.variants.flatMap((ranked) => {
    const variant = variants[ranked.variant]
    const own = results[ranked.variant]
    return variant === undefined || own === undefined ? [] : [{ variant, result: own, ranked }]
  })
  writeParquetFile(join(out, 'ranking.parquet'), rows, RANKING_COLUMNS)
  const heatmap = join(out, 'heatmap.svg')
  if (result.heatmap === null) rmSync(heatmap, { force: true })
  else writeWhole(heatmap, heatmapSvg(result.heatmap))
  // Written last: if it exists, the others do.
  writeWhole(join(out, 'result.json'), `${JSON.stringify({ ...result, timing }, null, 1)}\n`)
}

export type SweepTiming = {
  /** Duration of this run, and total duration of all backtests on all machines. */
  readonly elapsedMs: Ms
  readonly backtestMs: Ms
}
