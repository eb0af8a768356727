import { z } from 'zod'
import { noisyTakeAllLoss } from '../../../models/flow/take-all-noisy.ts'
import { takeAllLoss } from '../../../models/flow/take-all.ts'
import { defineDoor } from '../door.ts'

const bps = () => z.number().min(0).max(1e4)

/** What is lost to the first informed taker who finds the whole pool worth while. */
export const takeAllDoor = defineDoor({
  name: 'take-all',
  summary:
    'the loss of a pool to the first informed taker who finds it worth while, until the next publication',
  source: 'Laplace transform of a Brownian gap looked at by a Poisson process, inverted as Talbot 1979',
  params: z.strictObject({
    b: bps().describe('our spread, bps'),
    margin: bps().describe('what the gap must exceed it by before he takes, bps'),
    sigma: bps().describe('volatility of the fair value, bps per square root of a day'),
    looksPerDay: z.number().min(0).max(1e6).describe('how often he looks, a day'),
    days: z.number().min(1e-6).max(1e4).describe('time until the next publication, days'),
    s0: bps().default(0).describe('standard deviation of the gap when the mid is published, bps'),
    tau: bps().default(0).describe('error with which he sees the gap, bps; above 0 by finite differences'),
  }),
  example: '{"b":40,"margin":20,"sigma":21.3,"looksPerDay":8,"days":1,"s0":16.839}',
  figures: {
    loss: 'mean loss until the next publication, bps of the pool',
    probability: 'probability that the pool is taken by then',
  },
  run({ s0, sigma, days, tau, ...taker }) {
    const gap = { s0, sigma, days }
    return tau === 0 ? takeAllLoss(gap, taker) : noisyTakeAllLoss(gap, { ...taker, tau })
  },
})
