import { createHash } from 'node:crypto'
import { invariant } from '../base/invariant.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import type { CoreConfig } from '../engine/model/config.ts'
import type { Calendar } from '../engine/transition.ts'
import type { BookState } from '../ledger/book.ts'
import type { Usd54 } from '../ledger/value-tzs.ts'
import { position } from '../ledger/position.ts'
import { ASSETS, type Amounts } from '../money/asset.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'
import type { TapeSource } from '../tape/tape-batch.ts'
import { Agenda } from './agenda.ts'
import { CoreLoop } from './core-loop.ts'
import { createBatchWalker } from './create-batch-walker.ts'
import type { FillModel } from './fill-model.ts'
import { MarketRows } from './market-rows.ts'
import { createRunState, type RunState } from './run-state.ts'
import type { Trail } from './trail.ts'

export type BacktestParts = {
  readonly core: CoreConfig
  readonly strategy: LoadedStrategy
  readonly calendar: Calendar
  readonly source: TapeSource
  readonly fills: FillModel
  readonly trail: Trail
  readonly settings: BacktestSettings
}

export type BacktestSettings = {
  /** Null = the first balances on the tape. */
  readonly opening: Readonly<Partial<Amounts>> | null
  /** From sending a request to its effect at the venue and its answer. */
  readonly latencyMs: Ms
  /** A mid over a bound of movement is adopted after this long: it stands in for the person. */
  readonly acceptMidAfterMs: Ms
  /** Within so many bps of the best the venue takes turns. */
  readonly toleranceBps: number
  /** Which reference rows are the fair value; null = all. */
  readonly fairValue: string | null
}

/** What a run brought, beside what its trail kept. */
export type BacktestOutcome = {
  readonly from: Ms
  readonly to: Ms
  /** Rows of the tape. */
  readonly events: number
  readonly fills: number
  readonly syntheticFills: number
  readonly rejected: number
  readonly quoteUpdates: number
  /** Mids over a bound of movement that were adopted in a person's stead. */
  readonly midsAccepted: number
  readonly elapsedMs: number
  readonly readMs: number
  /** The venue's own account of us: every fill at its time, mid and fair value. Exact. */
  readonly book: BookState
  /** What of the dollar edge is the venue's stale mid; the rest is posted spread. */
  readonly staleUsd: Usd54
  readonly opening: Amounts
  readonly held: Amounts
  /** sha-256 over every PATCH, every fill and the final balances. */
  readonly digest: string
  readonly warnings: readonly string[]
}

/**
 * Runs the daemon's own core over a tape on a virtual clock: its polls at their periods, its PATCHes after
 * their latency, so that what trades in between trades at the old spread. Reads the tape once and keeps
 * none of it. Equal parts give equal digests. The error says what the tape lacks.
 */
export async function runBacktest(parts: BacktestParts): Promise<Result<BacktestOutcome, string>> {
  const hash = createHash('sha256')
  const digest = gathered((lines) => hash.update(lines))
  const run = createRunState(parts, digest.add)
  const loop = new CoreLoop(run)
  const agenda = new Agenda(run, loop)
  const market = new MarketRows(run, loop, agenda)
  const walk = createBatchWalker(market)
  let events = 0
  let elapsedMs = 0
  let readMs = 0
  let before = performance.now()
  for await (const batch of parts.source.batches()) {
    const given = performance.now()
    walk(batch)
    events += batch.rows
    readMs += given - before
    before = performance.now()
    elapsedMs += before - given
  }
  readMs += performance.now() - before
  const missing = market.missing()
  if (missing !== null || run.startedAt === null) return err(missing ?? 'nothing was run')
  before = performance.now()
  const to = market.lastAt()
  const held = finish(run, loop, agenda, to)
  for (const asset of ASSETS) digest.add(`${asset} ${held[asset]}\n`)
  digest.end()
  return ok({
    from: run.startedAt,
    to,
    events,
    fills: run.fills,
    syntheticFills: run.syntheticFills,
    rejected: run.rejected,
    quoteUpdates: run.quoteUpdates,
    midsAccepted: run.midsAccepted,
    elapsedMs: elapsedMs + performance.now() - before,
    readMs,
    book: run.book,
    staleUsd: run.staleUsd,
    opening: openingOf(run.book),
    held,
    digest: hash.digest('hex'),
    warnings: [...suspensionOf(loop), ...market.warnings(), ...acceptedIn(run), ...haltOf(loop)],
  })
}

/** The last looks are made, so that the core knows all that the venue knows; then both must agree. */
function finish(run: RunState, loop: CoreLoop, agenda: Agenda, to: Ms): Amounts {
  agenda.runUntil(to)
  run.parts.trail.end(to, run.book)
  // Looks are at most minutes apart; the core's own clockwork has no end.
  while (!loop.knowsAll()) loop.step()
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

function suspensionOf(loop: CoreLoop): readonly string[] {
  const suspension = loop.suspension()
  if (suspension === null) return []
  const since = new Date(suspension.since).toISOString()
  return [`the strategy was suspended at ${since} (${suspension.why}): the safe quote stood from then on`]
}

function acceptedIn({ midsAccepted, parts: { settings } }: RunState): readonly string[] {
  if (midsAccepted === 0) return []
  const often = midsAccepted === 1 ? 'once' : `${midsAccepted} times`
  const wait = `${settings.acceptMidAfterMs} ms`
  return [
    `the mid broke a bound of movement ${often}: live, nothing is quoted until a person accepts it; here it was adopted after ${wait} (backtest.acceptMidAfterMs)`,
  ]
}

function haltOf(loop: CoreLoop): readonly string[] {
  const { halted } = loop.state().latch
  if (halted === null) return []
  const since = new Date(halted.since).toISOString()
  return [`trading was halted at ${since} by the rule ${halted.rule} (${halted.why}) and stayed so`]
}

/** Lines are gathered: one call of the hash for many. */
function gathered(take: (lines: string) => void): {
  readonly add: (line: string) => void
  readonly end: () => void
} {
  let lines = ''
  const end = () => {
    take(lines)
    lines = ''
  }
  return {
    add(line) {
      lines += line
      if (lines.length > 32_768) end()
    },
    end,
  }
}
