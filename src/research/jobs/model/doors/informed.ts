import { z } from 'zod'
import { leakedLook } from '../../../models/flow/leak.ts'
import { pickOffLoss } from '../../../../core/models/flow/pick-off.ts'
import { bps, defineDoor, real, toleranceBps } from '../door.ts'
import { noisyTakeAllLoss } from '../../../models/flow/take-all-noisy.ts'
import { takeAllLoss } from '../../../models/flow/take-all.ts'
import { bestOneSide } from '../../../models/flow/one-side.ts'

/** Expected loss of a quote around a stale mid to one look of a taker who knows the fair value. */
export const pickoffDoor = defineDoor({
  name: 'pickoff',
  summary: 'the loss to a taker who knows the fair value, given our estimate and our spread',
  source: 'the mean excess of a normal gap over the spread (Bachelier 1900)',
  params: z.strictObject({
    ghat: real(-1e5, 1e5, 'fair value less mid as we estimate it, bps'),
    tau: real(0, 1e5, 'standard deviation of its error, bps'),
    b: real(-1e5, 1e5, 'spread of the side that sells dollars, bps; the other side has -ghat'),
  }),
  example: '{"ghat":0,"tau":60,"b":60}',
  figures: {
    loss: 'mean loss per look, bps of the amount taken',
    hitProbability: 'probability that a look ends in a fill',
  },
  run: (params) => pickOffLoss(params),
})

/** Mean loss to a look of an informed taker between two publications of the mid. */
export const leakDoor = defineDoor({
  name: 'leak',
  summary: 'the mean loss a look to many small informed takers between two publications of the mid',
  source: 'a normal gap that grows with time, seen with an error; averaged over the time',
  params: z.strictObject({
    b: bps('our spread, bps'),
    s0: bps('standard deviation of the gap when the mid is published, bps'),
    sigma: bps('volatility of the fair value, bps per square root of a day'),
    tau: bps('error with which a taker sees the gap, bps'),
    margin: bps('gain that the taker requires beyond our spread, bps'),
    days: real(1e-6, 1e4, 'time until the next publication, days'),
  }),
  example: '{"b":40,"s0":16.84,"sigma":21.3,"tau":15,"margin":20,"days":1}',
  figures: {
    loss: 'mean loss per look, bps of the amount taken, averaged over the time',
    hitProbability: 'probability that a look ends in a fill, averaged over the time',
  },
  run: ({ s0, sigma, days, ...taker }) => leakedLook({ s0, sigma, days }, taker),
})

/** Loss to the first informed taker for whom taking the whole pool pays. */
export const takeAllDoor = defineDoor({
  name: 'take-all',
  summary: 'the loss of a pool to the first informed taker for whom it pays, until the next publication',
  source: 'Laplace transform of a Brownian gap looked at by a Poisson process, inverted as Talbot 1979',
  params: z.strictObject({
    b: bps('our spread, bps'),
    margin: bps('excess of the gap at which the taker trades, bps'),
    sigma: bps('volatility of the fair value, bps per square root of a day'),
    looksPerDay: real(0, 1e6, 'looks a day'),
    days: real(1e-6, 1e4, 'time until the next publication, days'),
    s0: bps('standard deviation of the gap when the mid is published, bps').default(0),
    tau: bps('error with which the taker sees the gap, bps; above 0 by finite differences').default(0),
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

/** The best spread of one side at one moment: a wider one loses retail, a tighter one attracts informed takers. */
export const oneSideDoor = defineDoor({
  name: 'one-side',
  summary: 'the best spread of one side at one moment: retail, its share among rivals, less informed takers',
  source: 'retail income less the loss to informed takers, the best over 10 to 500 bps',
  params: z.strictObject({
    retailUsdPerDay: real(0, 1e12, 'retail volume without spread, USD a day'),
    reservationBps: real(0.1, 1e4, 'mean spread that a retail taker accepts, bps'),
    poolUsd: real(0, 1e12, 'amount that an informed taker can take at once, USD'),
    looksPerDay: real(0, 1e6, 'looks of informed takers a day'),
    informedTau: bps('error with which they see the gap, bps').default(0),
    margin: bps('gain that they require beyond our spread, bps').default(0),
    ghat: real(-1e4, 1e4, 'fair value less mid, on the side that sells dollars, bps').default(0),
    gapSd: bps('standard deviation of its error, bps'),
    rivalBps: z.array(z.int().min(10).max(500)).max(50).default([]).describe('spreads of the others, bps'),
    toleranceBps: toleranceBps.default(5),
  }),
  example:
    '{"retailUsdPerDay":13200,"reservationBps":80,"poolUsd":15000,"looksPerDay":8,"informedTau":15,"margin":20,"gapSd":20,"rivalBps":[60]}',
  figures: {
    bps: 'the best spread, bps; null = no allowed spread pays',
    usdPerDay: 'its income, USD a day',
  },
  run(side) {
    const best = bestOneSide(side)
    return { bps: best?.bps ?? null, usdPerDay: best?.usdPerDay ?? 0 }
  },
})
