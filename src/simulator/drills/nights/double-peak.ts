import type { Side } from '../../../base/money/side.ts'
import { boundCost, readSooner } from '../model/advice.ts'
import type { DrilledPosition } from '../model/drilled-position.ts'
import type { Drill } from '../drill.ts'
import { IN_HAND, isInHand, whyNotAtAll } from './safety.ts'

const BURST_MS = 30_000
const TIMES = 2

/**
 * Twice the busiest minute of the desk's own journal, by messages and by volume (RTS 6, article 10). What the desk sends is doubled by
 * requests of someone else with its key, as far as the key's limit goes.
 */
export function doublePeak(): Drill {
  let sent = 0
  let asked = 0
  return {
    name: 'double-peak',
    what: "twice the peak of fills, volume and requests with the key in the desk's own journal, for half a minute",
    safeMeans: `when it is over ${IN_HAND}`,
    whyNot: whyNotAtAll,
    faultMs: () => BURST_MS,
    mustBeNoticed: false,
    async strike() {},
    async goOn({ stage, sinceMs }) {
      const { fillsPerMinute, usdPerMinute } = stage.position.peak
      const due = (Math.min(sinceMs, BURST_MS) / 60_000) * TIMES * fillsPerMinute
      const usd = usdPerMinute / fillsPerMinute
      for (; sent < due; sent += 1) {
        const side: Side = sent % 2 === 0 ? 'ask' : 'bid'
        await stage.market.take(side, usd)
      }
      const requestsDue = (Math.min(sinceMs, BURST_MS) / 60_000) * moreRequests(stage.position)
      for (; asked < requestsDue; asked += 1) await stage.market.askWithKey()
    },
    isSafe: async (course) => course.sinceMs >= BURST_MS && (await isInHand(course)),
    advise: (position, failure) =>
      failure.kind === 'cost'
        ? boundCost(position, failure)
        : {
            settings: readSooner(position, failure),
            why: 'reads fills and balances sooner: the venue shows its last 100 fills only',
          },
  }
}

/** As many a minute as the desk itself sends in its busiest one; together no more than the key may send. */
export function moreRequests({ peak, config }: Pick<DrilledPosition, 'peak' | 'config'>): number {
  return Math.max(
    0,
    Math.min((TIMES - 1) * peak.requestsPerMinute, config.venue.requestsPerMinute - peak.requestsPerMinute),
  )
}
