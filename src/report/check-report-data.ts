import { invariant } from '../base/invariant.ts'
import type { ReportData } from './report-data.ts'

/** Our own promises about the data: arrays that stand together have one length, and times ascend. */
export function checkReportData(data: ReportData): void {
  const { equity, drawdown, attribution, quotes, fills, inventory, competition, uptime } = data
  const groups: Readonly<
    Record<string, { readonly t: Float64Array; readonly others: readonly { readonly length: number }[] }>
  > = {
    equity: { t: equity.t, others: [equity.usd, equity.low, equity.high] },
    drawdown: { t: drawdown.t, others: [drawdown.usd] },
    attribution: { t: attribution.t, others: attribution.terms.map(({ tzs }) => tzs) },
    quotes: { t: quotes.t, others: [quotes.mid, quotes.fair, quotes.bid, quotes.ask] },
    fills: { t: fills.t, others: [fills.price, fills.usd, fills.bid, fills.synthetic] },
    inventory: { t: inventory.t, others: [inventory.usdShare] },
    competition: {
      t: competition.t,
      others: [competition.ownBid, competition.ownAsk, competition.otherBid, competition.otherAsk],
    },
    uptime: { t: uptime.t, others: [uptime.bid, uptime.ask] },
  }
  for (const [name, { t, others }] of Object.entries(groups)) {
    invariant(
      others.every(({ length }) => length === t.length),
      `the report's ${name} has arrays of different lengths`,
    )
    invariant(ascends(t), `the report's ${name} has times that do not ascend`)
  }
}

function ascends(t: Float64Array): boolean {
  let before = -Infinity
  for (const time of t) {
    if (!(time >= before) || time === Infinity) return false
    before = time
  }
  return true
}
