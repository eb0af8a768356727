import { z } from 'zod'
import { leakedLook } from '../../../models/flow/leak.ts'
import { pickOffLoss } from '../../../../core/models/flow/pick-off.ts'
import { defineDoor } from '../door.ts'

/** What one look of a taker who knows the fair value costs a quote around a stale mid. */
export const pickoffDoor = defineDoor({
  name: 'pickoff',
  summary: 'the loss to a taker who knows the fair value, by what we know of it and our spread',
  source: 'the mean of what a normal gap exceeds the spread by (Bachelier 1900)',
  params: z.strictObject({
    ghat: z.number().min(-1e5).max(1e5).describe('fair value less mid as we estimate it, bps'),
    tau: z.number().min(0).max(1e5).describe('standard deviation of its error, bps'),
    b: z
      .number()
      .min(-1e5)
      .max(1e5)
      .describe('spread of the side that sells dollars, bps; the other side has -ghat'),
  }),
  example: '{"ghat":0,"tau":60,"b":60}',
  figures: {
    loss: 'mean loss of a look, bps of what is taken',
    hitProbability: 'probability that a look ends in a fill',
  },
  run: (params) => pickOffLoss(params),
})

const bps = () => z.number().min(0).max(1e4)

/** What a look of an informed taker costs on average between two publications of the mid. */
export const leakDoor = defineDoor({
  name: 'leak',
  summary: 'the mean loss a look to many small informed takers between two publications of the mid',
  source: 'a normal gap that grows with time, seen with an error; averaged over the time',
  params: z.strictObject({
    b: bps().describe('our spread, bps'),
    s0: bps().describe('standard deviation of the gap when the mid is published, bps'),
    sigma: bps().describe('volatility of the fair value, bps per square root of a day'),
    tau: bps().describe('error with which a taker sees the gap, bps'),
    margin: bps().describe('what he wants beyond our spread, bps'),
    days: z.number().min(1e-6).max(1e4).describe('time until the next publication, days'),
  }),
  example: '{"b":40,"s0":16.84,"sigma":21.3,"tau":15,"margin":20,"days":1}',
  figures: {
    loss: 'mean loss of a look, bps of what is taken, averaged over the time',
    hitProbability: 'probability that a look ends in a fill, averaged over the time',
  },
  run: ({ s0, sigma, days, ...taker }) => leakedLook({ s0, sigma, days }, taker),
})
