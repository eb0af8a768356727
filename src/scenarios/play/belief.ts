import type { Look, Side } from '../draw/takers.ts'
import type { World } from '../draw/world.ts'

/** What an informed taker moves at one look, dollars. */
export const LOOK_USD = 40_000

/** The side that an informed taker takes, and the spreads that pay: those below the limit. */
type Belief = { readonly side: Side; readonly limitBps: number }

/** What an informed taker concludes from a look; `gapBps` is the true rate less the mid, which it sees with an error. */
export function beliefOf({ scenario, gapBps: usualBps }: World, { noise }: Look, gapBps: number): Belief {
  const { errorBps, marginBps } = scenario.informed
  const seen = gapBps + errorBps * noise
  const believed = trust(seen, errorBps, usualBps) * seen
  return { side: believed > 0 ? 'bid' : 'ask', limitBps: Math.abs(believed) - marginBps }
}

/** How much of what it sees a taker believes: all of a large gap, of a small one what it usually is. */
function trust(seen: number, errorBps: number, usualBps: number): number {
  if (errorBps === 0) return 1
  const usual = usualBps ** 2 / (usualBps ** 2 + errorBps ** 2)
  return seen === 0 ? usual : Math.max(usual, 1 - (2 * errorBps ** 2) / seen ** 2)
}
