import { drawNormal, seededRandom } from '../../src/base/random.ts'
import type { PublishedRate } from '../../src/research/models/fair-value/published-steps.ts'

export const NORMAL: PublishedRate = { sigma: 21.3, kappa: 0.65, noise: 7 }
export const WILD: PublishedRate = { sigma: 30, kappa: 0.35, noise: 17 }

/** Steps of a rate whose updates follow the mean of the day before, moved in 24 steps a day. */
export function drawSteps(
  { sigma, kappa, noise }: PublishedRate,
  count: number,
  seed: number,
): readonly number[] {
  const random = seededRandom(seed, 'published')
  let [rate, level, published] = [0, 0, 0]
  const steps = Array.from({ length: count + 50 }, () => {
    let mean = 0
    for (let hour = 0; hour < 24; hour++) {
      const before = rate
      rate += sigma * Math.sqrt(1 / 24) * drawNormal(random)
      mean += (before + rate) / 48
    }
    level += kappa * (mean - level)
    const next = level + noise * drawNormal(random)
    const step = next - published
    published = next
    return step
  })
  return steps.slice(50)
}
