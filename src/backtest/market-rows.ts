import { DAY_MS, type Ms } from '../base/time.ts'
import { postOpening } from '../ledger/post-opening.ts'
import { markTo } from '../ledger/mark-to.ts'
import { ASSETS, type Amounts } from '../money/asset.ts'
import type { FillRow } from '../tape/tape-row.ts'
import type { RowHandler } from './batch-cursor.ts'
import type { CoreLoop } from './core-loop.ts'
import type { Taker } from './fill-model.ts'
import { impliedBps } from './implied-bps.ts'
import { offer } from './offer.ts'
import type { RunState } from './run-state.ts'
import { swapOf } from './tape-venue.ts'

export type MarketRows = {
  readonly handler: RowHandler
  /** Lets everything up to and including `t` happen. */
  readonly runUntil: (t: Ms) => void
  readonly lastAt: () => Ms
  /** What the tape lacks, so that there was nothing to run; null = all is there. */
  readonly missing: () => string | null
  readonly warnings: () => readonly string[]
}

/** What the rows of a tape do to the venue, in the tape's order, with the core's own doings in between. */
export function createMarketRows(run: RunState, loop: CoreLoop): MarketRows {
  const { parts, venue } = run
  const { settings, trail, fills: model } = parts
  let lastAt: Ms = 0
  let dayEndsAt: Ms = Infinity
  let opening: Readonly<Partial<Amounts>> | null = settings.opening
  let takers: Iterator<Taker, undefined> | null = null
  let nextTaker: Taker | undefined
  const skipped = { early: 0, pair: 0 }

  const startWhenReady = (t: Ms): void => {
    if (run.startedAt !== null || venue.mid === 0n || opening === null) return
    run.startedAt = t
    for (const asset of ASSETS) venue.pool[asset] = opening[asset] ?? 0n
    postOpening(run.book, t, venue.pool, 'pool', venue.fair)
    trail.open(t, venue.pool, venue.mid, venue.fair)
    takers = model.takers?.(t) ?? null
    nextTaker = takers?.next().value
    dayEndsAt = (Math.floor(t / DAY_MS) + 1) * DAY_MS
    loop.start(t)
  }

  const nextAt = (): Ms => Math.min(loop.nextAt(), nextTaker?.t ?? Infinity, dayEndsAt)

  const stepOnce = (at: Ms): void => {
    if (at === dayEndsAt) {
      trail.day(dayEndsAt, run.book)
      dayEndsAt += DAY_MS
    } else if (nextTaker !== undefined && nextTaker.t === at) {
      if (venue.quotable !== false && offer(run, nextTaker, null)) loop.news('fills', at)
      nextTaker = takers?.next().value
    } else loop.step()
  }

  const moveFair = (t: Ms, fair: bigint, print: boolean): void => {
    venue.fair = fair
    markTo(run.book, fair)
    if (run.startedAt !== null) trail.mark(t, venue.mid, venue.fair, print)
  }

  const takerOf = (row: FillRow): Taker | null => {
    const swap = swapOf(row.from, row.to)
    if (swap === null) return null
    const recordedBps = venue.recorded[swap.side] ?? impliedBps(row, swap.side, venue.mid, parts.core.fees)
    const { t, id, amountIn } = row
    return { id, t, ...swap, amountIn, usd: null, recordedBps, reservationBps: null, synthetic: false }
  }

  const handler: RowHandler = {
    before(t) {
      lastAt = t
      for (let at = nextAt(); at < t; at = nextAt()) stepOnce(at)
    },
    rate(t, { rates }, index) {
      const mid = rates.mids[rates.mid[index]!] ?? venue.mid
      const print = mid !== venue.mid
      const dated = rates.rateUpdatedAt[index]!
      venue.mid = mid
      venue.rateUpdatedAt = Number.isNaN(dated) ? null : dated
      venue.quotable = rates.quotable[index] === -1 ? null : rates.quotable[index] === 1
      if (print) moveFair(t, venue.fairSource === null ? mid : venue.fair, true)
      startWhenReady(t)
      loop.news('rate', t)
      if (print) {
        loop.news('publicBid', t)
        loop.news('publicAsk', t)
      }
    },
    reference({ t, source, mid }) {
      if (settings.fairValue !== null && settings.fairValue !== source) return
      const isFirst = venue.fairSource === null
      if (mid === venue.fair && !isFirst) return
      venue.fairSource = source
      if (mid !== venue.fair) moveFair(t, mid, false)
      // Also where it says the same as the mid: it stays when the mid moves.
      loop.reference(t, source)
    },
    competition(t, { competition }, index) {
      const probe = competition.probes[competition.probe[index]!]
      const swap = probe === undefined ? null : swapOf(probe.from, probe.to)
      if (swap === null) return
      for (const side of ['bid', 'ask'] as const) {
        const shown = (side === 'bid' ? competition.bidBps : competition.askBps)[index]!
        // Nothing on the other side of the probe means that it was not asked, not that nobody quotes it.
        if (shown === -1 && side !== swap.side) continue
        // Where the best is what we ourselves quoted, the others are not known.
        const other = shown === -1 || shown === venue.recorded[side] ? null : shown
        if (venue.other[side] === other) continue
        venue.other[side] = other
        if (run.startedAt !== null) trail.competition(t, side, other)
        loop.news(side === 'bid' ? 'publicBid' : 'publicAsk', t)
      }
    },
    balances({ t, amounts }) {
      opening ??= amounts
      startWhenReady(t)
      return false
    },
    quote({ quoteBid, quoteAsk, bidBps, askBps }) {
      venue.recorded.bid = quoteBid ? bidBps : null
      venue.recorded.ask = quoteAsk ? askBps : null
    },
    fill(row) {
      if (run.startedAt === null) {
        skipped.early += 1
        return
      }
      const taker = takerOf(row)
      if (taker === null) skipped.pair += 1
      else if (model.usesRecorded && offer(run, taker, row.txHash)) loop.news('fills', row.t)
    },
  }

  return {
    handler,
    runUntil(t) {
      for (let at = nextAt(); at <= t; at = nextAt()) stepOnce(at)
    },
    lastAt: () => lastAt,
    missing() {
      if (run.startedAt !== null) return null
      if (lastAt === 0) return 'the tape is empty: nothing of it could be read'
      return venue.mid === 0n
        ? 'the tape has no rate rows: without a mid nothing can be priced'
        : 'the tape has no balances rows: give backtest.opening in the configuration, what to begin with'
    },
    warnings() {
      const early = `${skipped.early} fills came before the first mid and balances of the tape and were left out`
      const pair = `${skipped.pair} fills are not dollars against shillings and were left out`
      return [...(skipped.early > 0 ? [early] : []), ...(skipped.pair > 0 ? [pair] : [])]
    },
  }
}
