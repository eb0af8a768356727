import type { Look, TakerSide } from '../draw/takers.ts'
import type { ScenarioWorld } from '../draw/world.ts'

/** Amount that an informed taker moves at one look, dollars. */
export const LOOK_USD = 40_000

/** The side that an informed taker takes, and the limit below which spreads pay. */
type InformedTake = { readonly side: TakerSide; readonly limitBps: number }

/** Returns the side and the limit that an informed taker trades at after a look; `gapBps` is the true rate less the mid, which it sees with an error. */
export function informedTake(
  { scenario, gapBps: usualBps }: ScenarioWorld,
  { noise }: Look,
  gapBps: number,
): InformedTake {
  const { errorBps, marginBps } = scenario.informed
  const seen = gapBps + errorBps * noise
  const estimate = trust(seen, errorBps, usualBps) * seen
  return { side: estimate > 0 ? 'bid' : 'ask', limitBps: Math.abs(estimate) - marginBps }
}

/** Returns the weight of an observation in a taker's estimate: 1 for a large gap, the usual share for a small one. */
function trust(seen: number, errorBps: number, usualBps: number): number {
  if (errorBps === 0) return 1
  const usual = usualBps ** 2 / (usualBps ** 2 + errorBps ** 2)
  return seen === 0 ? usual : Math.max(usual, 1 - (2 * errorBps ** 2) / seen ** 2)
}
