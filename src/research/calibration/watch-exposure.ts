import { DAY_MS, type Ms } from '../../base/time.ts'
import { type Rate, rateToNumber } from '../../base/money/rate.ts'
import type { Probe } from '../../store/tape/model/batch.ts'
import {
  type BalancesRow,
  type QuoteRow,
  type ReferenceRow,
  sideOfSwap,
  type TapeFill,
} from '../../store/tape/model/row.ts'
import {
  canPay,
  type ExclusionReason,
  pickedShareOf,
  type Share,
  quotedShareOf,
  type StandingSide,
} from './share.ts'
import { routedShare } from '../../core/market/routing.ts'
import { OWNED_TOKENS } from '../../base/money/asset.ts'
import { SIDES, type Side } from '../../base/money/side.ts'
import { segmentsOfFill } from './sizes.ts'
import { dollarsOf } from './sizes.ts'
import type { TapeVisitor } from './walk-batch.ts'
import {
  createExposureLedger,
  createSkewComparison,
  type ExposureLedger,
  type SkewedSpread,
} from './exposure-ledger.ts'
import type { ProbeMeaning } from '../../store/tape/summary/probes.ts'

/** Time and fills that the calibration excludes, and time with uncertain competition. */
export type ExposureStats = ReturnType<typeof emptyExposureStats>

function emptyExposureStats() {
  const unexpected: Record<ExclusionReason, number> = {
    unknown: 0,
    off: 0,
    'not-quotable': 0,
    'no-inventory': 0,
    outbid: 0,
    'round-robin-lost': 0,
  }
  return {
    /** Time within reach of takers, both sides added. */
    exposedMs: 0,
    /** Part of `exposedMs` in which our own quote hid the other providers. */
    hiddenMs: 0,
    /** Part of `exposedMs` in which our quote was limited to some pairs. */
    limitedMs: 0,
    /** Silences longer than a day, not counted. */
    silentMs: 0,
    quoteRows: 0,
    competitionRows: 0,
    /** Excluded fills, by the reason why no taker was within reach according to the tape. */
    unexpected,
    /** Fills that are not dollars against shillings. */
    unsupportedFills: 0,
  }
}

export type ExposureWatch = TapeVisitor & {
  /** No more rows follow. */
  readonly end: () => void
  /** Whether the difference of our spreads followed a reference: then it was wide where takers were many. */
  readonly followsFairValue: () => boolean
  /** Whether exposure ended with a fill until the next probe. */
  readonly fillsEndExposure: () => boolean
  readonly ledgers: Readonly<Record<Side, ExposureLedger>>
  readonly account: ExposureStats
}

/** After a longer silence, the quotes in between are unknown. */
const MAX_SILENCE_MS = DAY_MS

type WatchedSide = ReturnType<typeof createSide>

type Market = ReturnType<typeof createMarket>

function createMarket(toleranceBps: number, meaning: ProbeMeaning) {
  return {
    toleranceBps,
    shareOf: meaning === 'picked' ? pickedShareOf : quotedShareOf,
    sides: { bid: createSide('bid'), ask: createSide('ask') },
    /** The first reference and its distance from the mid, bps. */
    fair: { source: null as string | null, gapBps: null as number | null },
    skews: createSkewComparison(),
    account: emptyExposureStats(),
    lastAt: null as Ms | null,
    mid: 0n as Rate,
    tzsPerUsd: null as number | null,
    quotable: true,
    quoted: false,
    limited: false,
    hasEndedRounds: false,
    held: null as BalancesRow | null,
  }
}

/** Splits time into intervals of constant spread, eligibility and competition, per side (quant.md section 3). */
export function watchExposure(toleranceBps: number, meaning: ProbeMeaning): ExposureWatch {
  const market = createMarket(toleranceBps, meaning)
  return {
    ledgers: { bid: market.sides.bid.ledger, ask: market.sides.ask.ledger },
    account: market.account,
    at: (t) => onTime(market, t),
    rate: (t, mid, quotable) => onRate(market, t, mid, quotable !== 0),
    reference: (row) => onReference(market, row),
    followsFairValue: () => market.skews.isFollowing(),
    fillsEndExposure: () => market.hasEndedRounds,
    competition: (t, probe, bidBps, askBps, own) =>
      onCompetition(market, t, probe, { bid: bidBps, ask: askBps, own }),
    balances(row) {
      closeUntil(market, row.t)
      market.held = row
      restate(market)
    },
    quote: (row) => onQuote(market, row),
    fill: (row) => onFill(market, row),
    end() {
      if (market.lastAt !== null) closeUntil(market, market.lastAt)
    },
  }
}

function onTime(market: Market, t: Ms): void {
  const { lastAt, sides, account } = market
  if (lastAt !== null && t - lastAt > MAX_SILENCE_MS) {
    closeUntil(market, lastAt)
    for (const side of SIDES) sides[side].since = t
    account.silentMs += t - lastAt
  }
  market.lastAt = t
}

function onRate(market: Market, t: Ms, mid: Rate, quotable: boolean): void {
  if (mid === market.mid && quotable === market.quotable) return
  closeUntil(market, t)
  market.mid = mid
  market.tzsPerUsd = rateToNumber(mid)
  market.quotable = quotable
  restate(market)
}

function onCompetition(
  market: Market,
  t: Ms,
  { from, to, amount }: Probe,
  shown: Readonly<Record<Side, number>> & { readonly own: number },
): void {
  const swap = sideOfSwap(from, to)
  if (swap === null) return
  market.account.competitionRows += 1
  for (const side of SIDES) {
    const watched = market.sides[side]
    const asked = side === swap.side
    // A provider picked for one side is not necessarily the best of the other, so it counts only until the other was
    // probed.
    if (!asked && (shown[side] === -1 || watched.probed)) continue
    const other = otherShown(watched, shown[side], shown.own)
    const probeUsd =
      asked && market.tzsPerUsd !== null ? dollarsOf(amount, from, market.tzsPerUsd) : watched.probeUsd
    if (asked) watched.probed = true
    if (isAsBefore(watched, other) && probeUsd === watched.probeUsd && !watched.isRoundOver) continue
    closeUntil(market, t)
    Object.assign(watched, { ...other, probeUsd, isRoundOver: false })
    if (shown[side] === -1) watched.isShared = false
    restate(market)
  }
}

type OtherShown = Pick<StandingSide, 'hidden' | 'otherBps' | 'otherIs'>

/**
 * Returns the competition after a probe showed `bps`; -1 = no provider. A spread equal to ours is ours, unless another
 * provider is known to quote it.
 */
function otherShown(before: StandingSide, bps: number, own: number): OtherShown {
  if (bps === -1) return { hidden: false, otherBps: null, otherIs: 'seen' }
  if (own === 0) return { hidden: false, otherBps: bps, otherIs: 'known' }
  const isOurs = own === 1 || bps === before.ownBps
  if (!isOurs) return { hidden: false, otherBps: bps, otherIs: 'seen' }
  const isShared = own === -1 && before.otherIs !== 'seen' && before.otherBps === bps
  return isShared
    ? { hidden: false, otherBps: bps, otherIs: 'either' }
    : { hidden: true, otherBps: null, otherIs: 'seen' }
}

function isAsBefore(before: StandingSide, { hidden, otherBps, otherIs }: OtherShown): boolean {
  return hidden === before.hidden && otherBps === before.otherBps && otherIs === before.otherIs
}

function onQuote(market: Market, row: QuoteRow): void {
  const { bid, ask } = market.sides
  const nowhere = row.quotePairs?.length === 0
  closeUntil(market, row.t)
  market.account.quoteRows += 1
  market.quoted = true
  const { quotePairs } = row
  market.limited = quotePairs !== null && !OWNED_TOKENS.every((token) => quotePairs.includes(token))
  bid.ownBps = row.quoteBid && !nowhere ? row.bidBps : null
  ask.ownBps = row.quoteAsk && !nowhere ? row.askBps : null
  restate(market)
}

function onFill(market: Market, fill: TapeFill): void {
  const { t, from, to } = fill
  const { sides, account } = market
  const swap = sideOfSwap(from, to)
  if (swap === null) {
    account.unsupportedFills += 1
    return
  }
  const side = sides[swap.side]
  const { share, ledger } = side
  if (share.weight === 0) {
    account.unexpected[share.because] += 1
    return
  }
  ledger.fill(t, skewedSpread(market, swap.side, share.bps), segmentsOfFill(fill))
  if (market.shareOf === pickedShareOf && share.weight === 1 && side.isShared) endRound(market, side, t)
}

/**
 * Our fill advances the round-robin if another provider was last seen within the tolerance: until the next probe the
 * tape does not show which provider is next, so fills in that time are excluded with it.
 */
function endRound(market: Market, side: WatchedSide, t: Ms): void {
  closeUntil(market, t)
  side.isRoundOver = true
  market.hasEndedRounds = true
  restate(market)
}

function skewedSpread({ sides }: Market, side: Side, bps: number): SkewedSpread {
  const other = sides[side === 'bid' ? 'ask' : 'bid'].ownBps
  return { bps, skewBps: other === null ? null : (bps - other) / 2 }
}

function onReference({ fair, tzsPerUsd }: Market, { source, mid }: ReferenceRow): void {
  fair.source ??= source
  if (source !== fair.source || tzsPerUsd === null) return
  fair.gapBps = 1e4 * Math.log(rateToNumber(mid) / tzsPerUsd)
}

/** Books the exposure up to `t`. */
function closeUntil(market: Market, t: Ms): void {
  const { sides, account, limited, fair, skews } = market
  const { bid, ask } = sides
  if (bid.ownBps !== null && ask.ownBps !== null && fair.gapBps !== null && t > bid.since)
    skews.add(t - bid.since, (ask.ownBps - bid.ownBps) / 2, fair.gapBps)
  for (const side of SIDES) {
    const { ledger, share, since } = sides[side]
    sides[side].since = t
    if (share.weight === 0 || t <= since) continue
    ledger.expose(since, t, skewedSpread(market, side, share.bps), share.weight)
    account.exposedMs += t - since
    if (share.hidden) account.hiddenMs += t - since
    if (limited) account.limitedMs += t - since
  }
}

/** Recomputes each side's share of the takers after a change. */
function restate(market: Market): void {
  const { sides, held, tzsPerUsd, quoted, quotable, toleranceBps } = market
  for (const side of SIDES) {
    const watched = sides[side]
    const { ownBps, otherBps } = watched
    if (ownBps !== null && otherBps !== null)
      watched.isShared = routedShare(ownBps, otherBps, toleranceBps) === 0.5
    watched.canPay = canPay(held, side, watched.probeUsd, tzsPerUsd)
    watched.share = quoted
      ? market.shareOf(watched, quotable, toleranceBps)
      : { weight: 0, because: 'unknown' }
  }
}

function createSide(side: Side) {
  const standing: StandingSide = {
    ownBps: null,
    otherBps: null,
    isRoundOver: false,
    otherIs: 'seen',
    hidden: false,
    canPay: true,
  }
  return {
    ...standing,
    /** The last other provider that a probe showed was within the tolerance. */
    isShared: false,
    ledger: createExposureLedger(side),
    /** This very side was probed; the last probe's size. */
    probed: false,
    probeUsd: 0,
    share: { weight: 0, because: 'unknown' } as Share,
    since: 0,
  }
}
