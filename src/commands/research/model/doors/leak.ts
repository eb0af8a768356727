import { z } from 'zod'
import { leakedLook } from '../../../../models/flow/leak.ts'
import { defineDoor } from '../door.ts'

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
  run: ({ s0, sigma, days, ...taker }) => leakedLook({ s0, sigma, days }, taker),
})
