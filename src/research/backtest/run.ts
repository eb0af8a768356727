import type { BacktestOutcome, BacktestParts } from './settings.ts'
import { err, invariant, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { type BookState, position } from '../../core/ledger/book/book.ts'
import { ASSETS, type Amounts } from '../../base/money/asset.ts'
import { Scheduler } from './simulation/scheduler.ts'
import { SimulatedEngine } from './simulation/engine-driver.ts'
import { createBatchWalker } from './simulation/batch-walker.ts'
import { MarketRows } from './simulation/replay-rows.ts'
import { RunDigest } from './simulation/run-digest.ts'
import { clampText } from './simulation/clamp-count.ts'
import { fallbackText } from './simulation/fallback-time.ts'
import { createRunState, type RunState } from './simulation/state.ts'

/**
 * Runs the daemon's own core over a tape on a virtual clock. It polls at its periods and its PATCHes take effect after
 * their latency, so trades in between use the old spread. Reads the tape once and keeps none of it. Equal parts give
 * equal digests. The error reports what the tape lacks.
 */
export async function runBacktest(parts: BacktestParts): Promise<Result<BacktestOutcome, string>> {
  const digest = new RunDigest()
  const run = createRunState(parts, digest)
  const loop = new SimulatedEngine(run)
  const scheduler = new Scheduler(run, loop)
  const market = new MarketRows(run, loop, scheduler)
  const walk = createBatchWalker(market)
  const read = { rows: 0, fills: 0 }
  let [elapsedMs, readMs] = [0, 0]
  let before = performance.now()
  for await (const batch of parts.source.batches()) {
    const given = performance.now()
    walk(batch)
    read.rows += batch.rows
    read.fills += batch.fills.length
    readMs += given - before
    before = performance.now()
    elapsedMs += before - given
  }
  readMs += performance.now() - before
  const missing = market.missing()
  if (missing !== null || run.startedAt === null) return err(missing ?? 'nothing was run')
  before = performance.now()
  const to = market.lastAt()
  const held = finish(run, loop, scheduler, to)
  const fallback = run.fallback.result(to)
  for (const asset of ASSETS) digest.balance(asset, held[asset])
  return ok({
    from: run.startedAt,
    to,
    events: read.rows,
    read,
    fills: run.fills,
    syntheticFills: run.syntheticFills,
    rejected: run.rejected,
    quoteUpdates: run.quoteUpdates,
    midsAccepted: run.midsAccepted,
    clamps: run.clamps.list(),
    suspension: loop.suspension(),
    fallback,
    elapsedMs: elapsedMs + performance.now() - before,
    readMs,
    book: run.book,
    staleUsd: run.staleUsd,
    fairValueSource: run.venue.fairSource,
    opening: openingOf(run.book),
    held,
    ...(run.refills === null ? {} : { refills: run.refills.totals() }),
    digest: digest.end(),
    warnings: [
      ...suspensionOf(loop),
      ...(fallback === null ? [] : [fallbackText(fallback)]),
      ...run.clamps.list().map(clampText),
      ...market.warnings(),
      ...acceptedIn(run),
      ...haltOf(loop),
    ],
  })
}

/** Completes the last polls, so that the core has received everything from the venue; then both must agree. */
function finish(run: RunState, loop: SimulatedEngine, scheduler: Scheduler, to: Ms): Amounts {
  scheduler.runUntil(to)
  run.parts.recorder.end(to, run.book)
  // Polls are at most minutes apart; the core's own schedule never ends.
  while (!loop.hasSeenAllFills()) loop.step()
  loop.catchUp(to)
  const held = position(run.book)
  const known = position(loop.state().book)
  for (const asset of ASSETS) {
    invariant(held[asset] === known[asset], `the core and the venue of a backtest disagree about ${asset}`)
    invariant(
      held[asset] === run.venue.pool[asset],
      `what was paid from the pool is not what was booked: ${asset}`,
    )
  }
  return held
}

function openingOf({ accounts }: BookState): Amounts {
  const { opening } = accounts
  return {
    NTZS: -opening.NTZS,
    USDC: -opening.USDC,
    USDT: -opening.USDT,
    'USDT.bnb': -opening['USDT.bnb'],
  }
}

function suspensionOf(loop: SimulatedEngine): readonly string[] {
  const suspension = loop.suspension()
  if (suspension === null) return []
  const since = new Date(suspension.since).toISOString()
  return [`the strategy was suspended at ${since} (${suspension.why}): the safe quote was live from then on`]
}

function acceptedIn({ midsAccepted, parts: { settings } }: RunState): readonly string[] {
  if (midsAccepted === 0) return []
  const often = midsAccepted === 1 ? 'once' : `${midsAccepted} times`
  const wait = `${settings.acceptMidAfterMs} ms`
  return [
    `the mid broke a bound of movement ${often}: live, nothing is quoted until a person accepts it; here it was adopted after ${wait} (backtest.acceptMidAfterMs)`,
  ]
}

function haltOf(loop: SimulatedEngine): readonly string[] {
  const { halted } = loop.state().latch
  if (halted === null) return []
  const since = new Date(halted.since).toISOString()
  return [`trading was halted at ${since} by the rule ${halted.rule} (${halted.why}) and stayed so`]
}
