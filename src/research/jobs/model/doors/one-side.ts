import { z } from 'zod'
import { bestOneSide } from '../../../models/flow/one-side.ts'
import { defineDoor } from '../door.ts'

const bps = () => z.number().min(0).max(1e4)

/** The best spread of one side at one moment, between retail that it loses and informed takers that it keeps off. */
export const oneSideDoor = defineDoor({
  name: 'one-side',
  summary: 'the best spread of one side at one moment: retail, its share beside rivals, less informed takers',
  source: 'retail income less the loss to informed takers, the best over 10 to 500 bps',
  params: z.strictObject({
    retailUsdPerDay: z.number().min(0).max(1e12).describe('retail volume at no spread, USD a day'),
    reservationBps: z.number().min(0.1).max(1e4).describe('mean spread that a retail taker accepts, bps'),
    poolUsd: z.number().min(0).max(1e12).describe('what an informed taker can take at once, USD'),
    looksPerDay: z.number().min(0).max(1e6).describe('how often informed takers look, a day'),
    informedTau: bps().default(0).describe('error with which they see the gap, bps'),
    margin: bps().default(0).describe('what they want beyond our spread, bps'),
    ghat: z
      .number()
      .min(-1e4)
      .max(1e4)
      .default(0)
      .describe('fair value less mid, on the side that sells dollars, bps'),
    gapSd: bps().describe('standard deviation of what is not known of it, bps'),
    rivalBps: z.array(z.int().min(10).max(500)).max(50).default([]).describe('spreads of the others, bps'),
    toleranceBps: z
      .int()
      .min(0)
      .max(490)
      .default(5)
      .describe('the router picks round-robin within this many bps of the lowest'),
  }),
  example:
    '{"retailUsdPerDay":13200,"reservationBps":80,"poolUsd":15000,"looksPerDay":8,"informedTau":15,"margin":20,"gapSd":20,"rivalBps":[60]}',
  figures: {
    bps: 'the best spread, bps; null where no allowed one pays',
    usdPerDay: 'what it earns, USD a day',
  },
  run(side) {
    const best = bestOneSide(side)
    return { bps: best?.bps ?? null, usdPerDay: best?.usdPerDay ?? 0 }
  },
})
