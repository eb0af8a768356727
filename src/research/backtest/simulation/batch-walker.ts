import type { Ms } from '../../../base/time.ts'
import type {
  CompetitionColumns,
  Probe,
  RateColumns,
  TapeBatch,
  TapeSource,
} from '../../../store/tape/model/batch.ts'
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
  /** The time of the first row that is not a rate. */
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
    const shown = batch.competition.probes.map((probe) => shownBy(before.shown, probe))
    const [rate, reference, rival, balance, quote, fill] = [0, 0, 0, 0, 0, 0]
    const heads = { rate, reference, rival, balance, quote, fill }
    const walk: Walk = { before, batch, handler, shown, midIndex: -1, ...heads, otherAt: Infinity }
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
  const { batch, shown } = walk
  const { length, t, probe, bidBps, askBps, own } = batch.competition
  const until = batch.quotes[walk.quote]?.t ?? Infinity
  let { rival } = walk
  for (; rival < length; rival++) {
    const last = shown[probe[rival]!]!
    if (bidBps[rival] !== last.bid || askBps[rival] !== last.ask || t[rival]! > until) break
    if (own[rival] !== last.own) break
  }
  walk.rival = rival
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
  const { references, balances, quotes, fills } = batch
  if (references[walk.reference]?.t === t) handler.reference(references[walk.reference++]!)
  else if (rivalAt(walk) === t) onRival(walk, t)
  else if (before.wantsBalances && balances[walk.balance]?.t === t)
    before.wantsBalances = handler.balances(balances[walk.balance++]!)
  else if (quotes[walk.quote]?.t === t) onQuote(walk)
  else handler.fill(fills[walk.fill++]!)
}

function firstOther(walk: Walk): Ms {
  const { before, batch } = walk
  const { references, balances, quotes, fills } = batch
  return Math.min(
    references[walk.reference]?.t ?? Infinity,
    rivalAt(walk),
    before.wantsBalances ? (balances[walk.balance]?.t ?? Infinity) : Infinity,
    quotes[walk.quote]?.t ?? Infinity,
    fills[walk.fill]?.t ?? Infinity,
  )
}

function rivalAt({ batch: { competition }, rival }: Walk): Ms {
  return rival < competition.length ? competition.t[rival]! : Infinity
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
  walk.handler.quote(walk.batch.quotes[walk.quote++]!)
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

/**
 * Returns the tape without the rows that a backtest passes over, for many backtests over one tape: their results are equal.
 * A batch keeps its count of rows and the last row of each kind, at which its time ends.
 */
export function withoutRepetitions({ batches, problems }: TapeSource): TapeSource {
  return {
    problems,
    async *batches() {
      const shorten = createShortener()
      for await (const batch of batches()) yield shorten(batch)
    },
  }
}

function createShortener(): (batch: TapeBatch) => TapeBatch {
  const kept = { rates: [] as number[], rivals: [] as number[], balances: [] as BalancesRow[] }
  const ignore = (): void => undefined
  const walk = createBatchWalker({
    before: ignore,
    rates: (_batch, row) => {
      kept.rates.push(row)
      return row + 1
    },
    reference: ignore,
    competition: (_t, _batch, row) => void kept.rivals.push(row),
    balances: (row) => {
      kept.balances.push(row)
      return false
    },
    quote: ignore,
    fill: ignore,
  })
  return (batch) => {
    kept.rates = []
    kept.rivals = []
    kept.balances = []
    walk(batch)
    const { rates, competition } = batch
    const lastBalances = batch.balances.at(-1)
    if (lastBalances !== undefined && kept.balances.at(-1) !== lastBalances) kept.balances.push(lastBalances)
    return {
      ...batch,
      rates: ratesAt(rates, withLast(kept.rates, rates.length)),
      competition: competitionAt(competition, withLast(kept.rivals, competition.length)),
      balances: kept.balances,
    }
  }
}

function withLast(rows: number[], length: number): Int32Array {
  if (length > 0 && rows.at(-1) !== length - 1) rows.push(length - 1)
  return Int32Array.from(rows)
}

function ratesAt({ t, mid, mids, rateUpdatedAt, quotable }: RateColumns, rows: Int32Array): RateColumns {
  return {
    length: rows.length,
    t: Float64Array.from(rows, (row) => t[row]!),
    mid: rows.map((row) => mid[row]!),
    mids,
    rateUpdatedAt: Float64Array.from(rows, (row) => rateUpdatedAt[row]!),
    quotable: Int8Array.from(rows, (row) => quotable[row]!),
  }
}

function competitionAt(
  { t, probe, probes, bidBps, askBps, own }: CompetitionColumns,
  rows: Int32Array,
): CompetitionColumns {
  return {
    length: rows.length,
    t: Float64Array.from(rows, (row) => t[row]!),
    probe: rows.map((row) => probe[row]!),
    probes,
    bidBps: Int16Array.from(rows, (row) => bidBps[row]!),
    askBps: Int16Array.from(rows, (row) => askBps[row]!),
    own: Int8Array.from(rows, (row) => own[row]!),
  }
}
