import { z } from 'zod'
import {
  bestReply,
  undercutThreshold,
  undercutWorth,
} from '../../../../core/models/competition/best-reply.ts'
import { defineDoor, real, toleranceBps, whole } from '../door.ts'

/** Best spread against fixed competitors, under the router's tolerance. */
export const replyDoor = defineDoor({
  name: 'reply',
  summary: "the best spread against standing rivals under the router's tolerance, 10 to 500 bps, or none",
  source: 'the best over all whole spreads; threshold in closed form',
  params: z.strictObject({
    rivals: whole(0, 1e3, 'number of others at the best spread'),
    best: real(0, 1e4, 'their spread, bps'),
    cost: real(0, 1e3, 'cost of a fill to us, bps'),
    k: real(1e-4, 1, 'decay: a share exp(-k b) of the takers accepts a spread of b bps, per bps'),
    tolerance: toleranceBps,
  }),
  example: '{"rivals":1,"best":66,"cost":20,"k":0.016666667,"tolerance":5}',
  figures: {
    bps: 'the best spread, bps; null = every spread that takers accept is below the cost',
    threshold: 'undercutting beats matching if best - cost is above this, bps',
  },
  run: (side) => ({ bps: bestReply(side), threshold: undercutThreshold(side) }),
})

/** Whether undercutting pays against a competitor who reacts. */
export const priceWarDoor = defineDoor({
  name: 'price-war',
  summary: 'the value of matching a rival, and of undercutting until the rival answers, per taker a day',
  source: 'all takers until the answer, then both at the spread where undercutting stops paying; discounted',
  params: z
    .strictObject({
      best: whole(10, 500, "the rival's spread, bps"),
      cost: real(0, 1e3, 'cost of a fill to both, bps'),
      k: real(1e-4, 1, 'decay: a share exp(-k b) of the takers accepts a spread of b bps, per bps'),
      tolerance: toleranceBps,
      answerDays: real(0, 1e4, 'time until the rival answers, days'),
      discountPerDay: real(1e-6, 100, 'an income in t days counts exp(-discount t), per day'),
    })
    .refine(({ best, tolerance }) => best - tolerance > 10, {
      path: ['best'],
      message: 'nothing below it is allowed; must be at least tolerance + 11',
    }),
  example: '{"best":66,"cost":20,"k":0.016666667,"tolerance":5,"answerDays":10,"discountPerDay":0.033333333}',
  figures: {
    stay: 'value of matching, bps of a taker a day, discounted',
    undercut: 'value of undercutting until the rival answers, in the same unit',
  },
  run: (war) => undercutWorth(war),
})
