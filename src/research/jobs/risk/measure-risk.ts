import { setImmediate } from 'node:timers/promises'
import { seededRandom } from '../../../base/random.ts'
import type { RiskTail } from '../../../daemon/view/results/risk-view.ts'
import { tailRisk } from '../../models/statistics/tail-risk.ts'
import { worldWindow } from '../../scenarios/draw/window.ts'
import { drawWorld, hourlyGaps, type prepareScenario } from '../../scenarios/draw/world.ts'
import { playWorld } from '../../scenarios/play/play-world.ts'
import type { RiskPosition } from './risk-position.ts'

/** Windows leave out the first week, in which mid and true rate begin as equal, and incidents that would not end. */
const DAYS = Array.from({ length: 77 }, (_, day) => 7 + day)
const HORIZONS = [
  { days: 1, starts: DAYS.filter((day) => day % 7 < 5) },
  { days: 7, starts: DAYS.filter((day) => day % 7 === 0) },
]
/** No one restocks the position. */
const NEVER = { belowShare: -1, delayHours: 0, costBps: 0, failure: 0 }

/** `worlds`: simulated quarters a market, each of 55 working days and 11 weeks. */
export type RiskDraws = { readonly worlds: number; readonly seed: number }

/**
 * Returns the tails of the loss over a working day and a week in a market, with trades and, if asked, without. Each path
 * begins with the inventory and the quotes of now. The quotes keep their distance from the mid; no one restocks or requotes,
 * and nothing halts.
 */
export async function measureRisk(
  position: RiskPosition,
  market: ReturnType<typeof prepareScenario>,
  kinds: readonly RiskTail['of'][],
  { worlds, seed }: RiskDraws,
  onWorld: () => void,
): Promise<readonly RiskTail[]> {
  const { name } = market.scenario
  const settings = { tauBps: null, refills: NEVER, opening: position.payable }
  const seeds = seededRandom(seed, `risk ${name}`)
  const cases = HORIZONS.flatMap((horizon) =>
    kinds.map((of) => ({ ...horizon, of, usd: [] as number[][], tzs: [] as number[][] })),
  )
  for (let world = 0; world < worlds; world++) {
    const drawn = drawWorld(market, Math.floor(seeds() * 2 ** 31))
    const gaps = hourlyGaps(drawn.rate, drawn.updates)
    for (const { days, starts, of, usd, tzs } of cases) {
      const losses = starts.map((day) => {
        const window = worldWindow(drawn, gaps, day, days)
        const gainUsd = of === 'held' ? 0 : playWorld(window, () => position, settings).pnlUsd
        return lossAfter(position, (window.rate.at(-1)! - window.rate[0]!) / 1e4, gainUsd)
      })
      usd.push(losses.map((loss) => loss.usd))
      tzs.push(losses.map((loss) => loss.tzs))
    }
    onWorld()
    // Signals and timers are handled between worlds.
    await setImmediate()
  }
  return cases.map(({ days, starts, of, usd, tzs }) => {
    const tail = (losses: readonly number[][]) => tailRisk(losses, seededRandom(seed, 'risk errors'))
    return { of, market: name, days, paths: worlds * starts.length, usd: tail(usd), tzs: tail(tzs) }
  })
}

/** Returns the loss after a move of the dollar's price by the logarithm `move`, and a gain in dollars from trades. */
export function lossAfter({ usd, ntzs, tzsPerUsd }: RiskPosition, move: number, gainUsd: number) {
  return {
    usd: -(ntzs / tzsPerUsd) * Math.expm1(-move) - gainUsd,
    tzs: -usd * tzsPerUsd * Math.expm1(move) - gainUsd * tzsPerUsd * Math.exp(move),
  }
}
