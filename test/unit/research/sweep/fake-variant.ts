import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom } from '../../../../src/base/random.ts'
import { err, ok, type Result } from '../../../../src/base/result.ts'
import { DAY_MS } from '../../../../src/base/time.ts'
import type { VariantJob, VariantResult } from '../../../../src/research/sweep/variant-job.ts'

/** What the opening position gains a day by itself. */
const HOLDING_USD = 0.5
const FIRST_DAY = Date.UTC(2026, 8, 1)

/** How the fake behaves; it stands where a job has the path of its tape. */
export type FakeTape = {
  readonly days: number
  /** How long a job takes; spent computing with `busy`. */
  readonly tookMs: number
  readonly busy?: boolean
  /** The variant that has no result, or whose thread ends. */
  readonly fails?: number
  readonly dies?: number
  /** Where a job that begins is written down, one line each. */
  readonly log?: string
}

/**
 * In place of a backtest: PnL per day from what the variant changes and from the seed, with days that are
 * good or bad for all. Its best half-spread is 70.
 */
export async function fakeVariant(job: VariantJob): Promise<Result<VariantResult, string>> {
  const fake = JSON.parse(job.tapePath) as FakeTape
  const { variant, seed } = job
  if (variant.index === fake.dies) process.exit(7)
  if (variant.index === fake.fails) return err('the tape has no balances')
  if (fake.log !== undefined) appendFileSync(fake.log, `${variant.index}\n`)
  const began = performance.now()
  if (fake.busy === true) spin(fake.tookMs)
  else await wait(fake.tookMs)
  const spread = Number(variant.changes['strategy.params.halfSpreadBps'] ?? 60)
  const skew = Number(variant.changes['strategy.params.maxSkewBps'] ?? 40)
  const market = seededRandom(seed, 'market')
  const own = seededRandom(seed, JSON.stringify(variant.changes))
  const columns = {
    day: [] as number[],
    pnlUsd: [] as number[],
    lessHoldingUsd: [] as number[],
    turnoverUsd: [] as number[],
    fills: [] as number[],
  }
  for (let day = 0; day < fake.days; day++) {
    const fills = Math.floor(20 * Math.exp(-spread / 60) * (0.5 + market()))
    columns.day.push(FIRST_DAY + day * DAY_MS)
    columns.fills.push(fills)
    columns.turnoverUsd.push(fills * 200)
    const pnl = 10 - ((spread - 70) / 20) ** 2 - skew / 100 + 30 * (market() - 0.5) + 4 * (own() - 0.5)
    columns.pnlUsd.push(pnl)
    columns.lessHoldingUsd.push(pnl - HOLDING_USD)
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return ok({
    variant: variant.index,
    from: FIRST_DAY,
    to: FIRST_DAY + fake.days * DAY_MS,
    pnlUsd: sum(columns.pnlUsd).toFixed(6),
    turnoverUsd: sum(columns.turnoverUsd).toFixed(6),
    fills: sum(columns.fills),
    syntheticFills: 0,
    rejected: 0,
    quoteUpdates: fake.days,
    maxDrawdownUsd: Math.max(0, -Math.min(...columns.pnlUsd)),
    digest: `${variant.index}-${seed}`,
    daily: columns,
    metrics: {
      meanLessHoldingUsd: sum(columns.pnlUsd) / fake.days,
      q05LessHoldingUsd: Math.min(...columns.pnlUsd),
      maxDrawdownUsd: Math.max(0, -Math.min(...columns.pnlUsd)),
      timeOneSided: Math.min(1, spread / 500),
      fillsADay: sum(columns.fills) / fake.days,
      'edgeBps.mean': sum(columns.fills) === 0 ? null : spread,
    },
    warnings: [],
    elapsedMs: performance.now() - began,
  })
}

function spin(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
