import { z } from 'zod'
import { pickOffLoss } from '../../../../models/flow/pick-off.ts'
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
  run: (params) => pickOffLoss(params),
})
