import type { Ms } from '../../../base/time.ts'
import type { Probe, TapeBatch } from '../../../store/tape/model/batch.ts'
import type { BalancesRow, TapeFill, QuoteRow, ReferenceRow } from '../../../store/tape/model/row.ts'

/** Handles the rows of a tape that change something. */
export type RowHandler = {
  /** Runs the scheduler up to the time of the next row, exclusive. */
  readonly before: (t: Ms) => void
  /** Handles the rate at row `first`, and further ones until `otherAt`. Returns the row after the last change that it handled. */
  readonly rates: (batch: TapeBatch, first: number, otherAt: Ms) => number
  readonly reference: (row: ReferenceRow) => void
  readonly competition: (t: Ms, batch: TapeBatch, index: number) => void
  /** False = no further balances are needed; later ones are skipped. */
  readonly balances: (row: BalancesRow) => boolean
  readonly quote: (row: QuoteRow) => void
  readonly fill: (row: TapeFill) => void
}

/** Last answer to a probe; -2 = no answer yet. */
type Shown = { bid: number; ask: number; own: number }

/** Last values seen, across all batches of a tape. */
type Before = {
  mid: bigint
  updatedAt: number
  quotable: number
  wantsBalances: boolean
  reached: Ms
  readonly shown: Map<string, Shown>
}

/** Progress through one batch: the next unprocessed row of each kind. */
type Walk = {
  readonly before: Before
  readonly batch: TapeBatch
  readonly handler: RowHandler
  /** By index of the batch's probes. */
  readonly shown: readonly Shown[]
  /** The index of `before.mid` in this batch, once encountered. */
  midIndex: number
  rate: number
  reference: number
  rival: number
  balance: number
  quote: number
  fill: number
  /** The times of these rows, and of the first of them; Infinity = none is left. */
  referenceAt: Ms
  rivalAt: Ms
  balanceAt: Ms
  quoteAt: Ms
  fillAt: Ms
  otherAt: Ms
}

/**
 * Walks through batches in tape order and passes on only rows that differ from the previous ones: an unchanged rate or
 * competition row costs a comparison. One walker serves all batches of a tape.
 */
export function createBatchWalker(handler: RowHandler): (batch: TapeBatch) => void {
  const before: Before = {
    mid: -1n,
    updatedAt: Number.NaN,
    quotable: -2,
    wantsBalances: true,
    reached: Number.NEGATIVE_INFINITY,
    shown: new Map(),
  }
  return (batch) => {
    const walk = beginWalk(before, batch, handler)
    skipRates(walk)
    skipRivals(walk)
    walk.otherAt = firstOther(walk)
    while (handOn(walk));
    // Time also passes if the last rows bring no change.
    const end = lastQuietRow(batch)
    if (end > before.reached) {
      before.reached = end
      handler.before(end)
    }
  }
}

function beginWalk(before: Before, batch: TapeBatch, handler: RowHandler): Walk {
  return {
    before,
    batch,
    handler,
    shown: batch.competition.probes.map((probe) => shownBy(before.shown, probe)),
    midIndex: -1,
    rate: 0,
    reference: 0,
    rival: 0,
    balance: 0,
    quote: 0,
    fill: 0,
    referenceAt: timeOf(batch.references, 0),
    rivalAt: Infinity,
    balanceAt: before.wantsBalances ? timeOf(batch.balances, 0) : Infinity,
    quoteAt: timeOf(batch.quotes, 0),
    fillAt: timeOf(batch.fills, 0),
    otherAt: Infinity,
  }
}

function timeOf(rows: readonly { readonly t: Ms }[], index: number): Ms {
  return index < rows.length ? rows[index]!.t : Infinity
}

/** Advances to the next rate row that changes something, or to the end. */
function skipRates(walk: Walk): void {
  const { before, batch } = walk
  const { length, mid: indexes, mids, rateUpdatedAt, quotable: flags } = batch.rates
  const { mid, updatedAt, quotable } = before
  let { rate, midIndex } = walk
  for (; rate < length; rate++) {
    if (!Object.is(rateUpdatedAt[rate], updatedAt) || flags[rate] !== quotable) break
    if (indexes[rate] === midIndex) continue
    if (mids[indexes[rate]!] !== mid) break
    midIndex = indexes[rate]!
  }
  walk.rate = rate
  walk.midIndex = midIndex
}

/**
 * Advances to the next competition row that changes something. Our own quote decides whether the best provider is a
 * competitor, so after a quote row every competition row counts.
 */
function skipRivals(walk: Walk): void {
  const { batch, shown, quoteAt: until } = walk
  const { length, t, probe, bidBps, askBps, own } = batch.competition
  let { rival } = walk
  for (; rival < length; rival++) {
    const last = shown[probe[rival]!]!
    if (bidBps[rival] !== last.bid || askBps[rival] !== last.ask || t[rival]! > until) break
    if (own[rival] !== last.own) break
  }
  walk.rival = rival
  walk.rivalAt = rival < length ? t[rival]! : Infinity
}

/** Passes on the next changed row, in the tape's order for equal times (ROW_KINDS); false at the end. */
function handOn(walk: Walk): boolean {
  const { before, batch, handler, otherAt } = walk
  const { rates } = batch
  if (walk.rate < rates.length && rates.t[walk.rate]! <= otherAt) onRates(walk)
  else if (otherAt === Infinity) return false
  else {
    before.reached = otherAt
    handler.before(otherAt)
    handOnOther(walk, otherAt)
    walk.otherAt = firstOther(walk)
  }
  return true
}

function handOnOther(walk: Walk, t: Ms): void {
  const { before, batch, handler } = walk
  const { references, balances, fills } = batch
  if (walk.referenceAt === t) {
    handler.reference(references[walk.reference++]!)
    walk.referenceAt = timeOf(references, walk.reference)
  } else if (walk.rivalAt === t) onRival(walk, t)
  else if (walk.balanceAt === t) {
    before.wantsBalances = handler.balances(balances[walk.balance++]!)
    walk.balanceAt = before.wantsBalances ? timeOf(balances, walk.balance) : Infinity
  } else if (walk.quoteAt === t) onQuote(walk)
  else {
    handler.fill(fills[walk.fill++]!)
    walk.fillAt = timeOf(fills, walk.fill)
  }
}

function firstOther({ referenceAt, rivalAt, balanceAt, quoteAt, fillAt }: Walk): Ms {
  return Math.min(referenceAt, rivalAt, balanceAt, quoteAt, fillAt)
}

function onRates(walk: Walk): void {
  const { before, batch, handler, otherAt } = walk
  const { rates } = batch
  walk.rate = handler.rates(batch, walk.rate, otherAt)
  const last = walk.rate - 1
  walk.midIndex = rates.mid[last]!
  before.mid = rates.mids[walk.midIndex] ?? -1n
  before.updatedAt = rates.rateUpdatedAt[last]!
  before.quotable = rates.quotable[last]!
  before.reached = rates.t[last]!
  skipRates(walk)
}

function onRival(walk: Walk, t: Ms): void {
  const { batch, handler, rival, shown } = walk
  const { competition } = batch
  const last = shown[competition.probe[rival]!]!
  last.bid = competition.bidBps[rival]!
  last.ask = competition.askBps[rival]!
  last.own = competition.own[rival]!
  handler.competition(t, batch, rival)
  walk.rival += 1
  skipRivals(walk)
}

function onQuote(walk: Walk): void {
  const { quotes } = walk.batch
  walk.handler.quote(quotes[walk.quote++]!)
  walk.quoteAt = timeOf(quotes, walk.quote)
  for (const last of walk.before.shown.values()) last.bid = last.ask = -2
  skipRivals(walk)
}

/** Returns the time of the last row of the kinds that are skipped if unchanged. */
function lastQuietRow({ rates, competition, balances }: TapeBatch): Ms {
  const [rateAt, rivalAt] = [rates.t[rates.length - 1], competition.t[competition.length - 1]]
  const none = Number.NEGATIVE_INFINITY
  return Math.max(rateAt ?? none, rivalAt ?? none, balances.at(-1)?.t ?? none)
}

function shownBy(shown: Map<string, Shown>, { from, to, amount }: Probe): Shown {
  const key = `${from} ${to} ${amount}`
  let last = shown.get(key)
  if (last === undefined) {
    last = { bid: -2, ask: -2, own: -2 }
    shown.set(key, last)
  }
  return last
}
