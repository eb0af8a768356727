import type { Ms } from '../../base/time.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { Probe, TapeBatch } from '../../store/tape/model/batch.ts'
import type { BalancesRow, QuoteRow, ReferenceRow, TapeFill } from '../../store/tape/model/row.ts'

/** Visits every row of a tape except decisions. */
export type TapeVisitor = {
  /** Before each row. */
  readonly at: (t: Ms) => void
  /** `quotable` is 1 yes, 0 no, -1 not reported by the venue. */
  readonly rate: (t: Ms, mid: Rate, quotable: number) => void
  readonly reference: (row: ReferenceRow) => void
  /** Spreads: -1 = no provider, or not probed. `own` = whether they are ours: 1 yes, 0 no, -1 unknown. */
  readonly competition: (t: Ms, probe: Probe, bidBps: number, askBps: number, own: number) => void
  readonly balances: (row: BalancesRow) => void
  readonly quote: (row: QuoteRow) => void
  readonly fill: (row: TapeFill) => void
}

/** Visits the rows of a batch in tape order: by time, at equal times as in `ROW_KINDS`. */
export function walkBatch(batch: TapeBatch, visitor: TapeVisitor): void {
  const { rates, competition, references, balances, quotes, fills } = batch
  let [rate, reference, rival, balance, quote, fill] = [0, 0, 0, 0, 0, 0]
  for (;;) {
    const rateAt = rate < rates.length ? rates.t[rate]! : Infinity
    const rivalAt = rival < competition.length ? competition.t[rival]! : Infinity
    const referenceAt = references[reference]?.t ?? Infinity
    const balancesAt = balances[balance]?.t ?? Infinity
    const quoteAt = quotes[quote]?.t ?? Infinity
    const fillAt = fills[fill]?.t ?? Infinity
    const t = Math.min(rateAt, referenceAt, rivalAt, balancesAt, quoteAt, fillAt)
    if (t === Infinity) return
    visitor.at(t)
    if (rateAt === t) {
      visitor.rate(t, rates.mids[rates.mid[rate]!]!, rates.quotable[rate]!)
      rate++
    } else if (referenceAt === t) visitor.reference(references[reference++]!)
    else if (rivalAt === t) {
      const probe = competition.probes[competition.probe[rival]!]!
      const [bidBps, askBps] = [competition.bidBps[rival]!, competition.askBps[rival]!]
      visitor.competition(t, probe, bidBps, askBps, competition.own[rival]!)
      rival++
    } else if (balancesAt === t) visitor.balances(balances[balance++]!)
    else if (quoteAt === t) visitor.quote(quotes[quote++]!)
    else visitor.fill(fills[fill++]!)
  }
}
