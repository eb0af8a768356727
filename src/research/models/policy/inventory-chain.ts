/** An inventory of -Q to Q lots under a fixed policy: rates up and down per day, and the reward per day in each state. */
type InventoryChain = {
  readonly up: Float64Array
  readonly down: Float64Array
  readonly rewards: Float64Array
}

/** Value of a policy: `gain` is the long-run mean reward per day, `steps[i]` the value of one more lot in state i. */
export type ChainValue = { readonly gain: number; readonly steps: Float64Array }

/**
 * A state that no taker leaves towards the target is left once in this many days, without reward, so that every
 * policy has a unique mean reward. For a policy with takers the effect is below float64 precision.
 */
const STUCK_DAYS = 1e9

/**
 * Solves gain = r(i) + up(i) step(i) - down(i) step(i - 1) for all i. The inventory moves by one lot at a time, so
 * the stationary law follows from the ratio of neighbouring rates. Computes the steps from both ends inwards to the
 * most frequent state, the direction in which rounding errors shrink. 2Q + 1 operations. Source: birth-death chains,
 * e.g. Karlin, Taylor 1975, chapter 4; quant.md section 1.6 for the use.
 */
export function evaluateChain(chain: InventoryChain): ChainValue {
  const { rewards } = chain
  const last = rewards.length - 1
  const up = chain.up.map((rate, i) => (i < last / 2 ? Math.max(rate, 1 / STUCK_DAYS) : rate))
  const down = chain.down.map((rate, i) => (i > last / 2 ? Math.max(rate, 1 / STUCK_DAYS) : rate))
  const { centre, gain } = longRun({ up, down, rewards })
  const steps = new Float64Array(last)
  for (let i = 0; i < centre; i++) {
    const before = i === 0 ? 0 : down[i]! * steps[i - 1]!
    steps[i] = (gain - rewards[i]! + before) / up[i]!
  }
  for (let i = last; i > centre; i--) {
    const after = i === last ? 0 : up[i]! * steps[i]!
    steps[i - 1] = (rewards[i]! - gain + after) / down[i]!
  }
  return { gain, steps }
}

/** Returns the most frequent state and the mean reward, from detailed balance in logarithms. */
function longRun({ up, down, rewards }: InventoryChain): { readonly centre: number; readonly gain: number } {
  const last = rewards.length - 1
  const logs = new Float64Array(last + 1)
  for (let i = last / 2; i < last; i++) logs[i + 1] = logs[i]! + Math.log(up[i]!) - Math.log(down[i + 1]!)
  for (let i = last / 2; i > 0; i--) logs[i - 1] = logs[i]! + Math.log(down[i]!) - Math.log(up[i - 1]!)
  let centre = last / 2
  for (let i = 0; i <= last; i++) if (logs[i]! > logs[centre]!) centre = i
  let weights = 0
  let gain = 0
  for (let i = 0; i <= last; i++) {
    const weight = Math.exp(logs[i]! - logs[centre]!)
    weights += weight
    gain += weight * (rewards[i]! - rewards[centre]!)
  }
  return { centre, gain: rewards[centre]! + gain / weights }
}
