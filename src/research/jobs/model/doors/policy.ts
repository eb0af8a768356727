import { z } from 'zod'
import { venuePolicy } from '../../../models/policy/venue-policy.ts'
import { defineDoor, real, toleranceBps, whole } from '../door.ts'

const takers = () => z.number().min(0).max(1e6).optional()
const rivals = (side: string) =>
  z
    .array(z.int().min(10).max(500))
    .max(50)
    .default([])
    .describe(`spreads of the others on the ${side} side, bps`)

/** The best spreads of the venue: integer bps within its limits, sides off, by inventory. */
export const policyDoor = defineDoor({
  name: 'policy',
  summary: 'the best integer spreads of the venue by inventory: limits, sides off, informed takers, rivals',
  source: 'policy iteration (Howard 1960) over exponential intensities and a running penalty of inventory',
  params: z
    .strictObject({
      k: real(1e-4, 0.5, 'decay of the takers, per bps from the fair value'),
      kShape: real(
        1.001,
        1e9,
        'uncertainty of k: a gamma law of this shape and mean k; default k is certain',
      ).optional(),
      A: takers().describe('takers a day and side at the fair value, for a side without its own figure'),
      ABuy: takers().describe('takers a day who sell dollars to us, priced by ask; default A'),
      ASell: takers().describe('takers a day who buy dollars from us, priced by bid; default A'),
      sigma: real(0, 1e3, 'volatility of the fair value, bps per square root of a day'),
      gamma: real(0, 10, 'risk aversion, per bps and lot: q lots cost gamma sigma^2 q^2 / 2 a day'),
      Q: whole(1, 200, 'limit of the inventory to either side, lots'),
      fairShiftBps: real(
        -500,
        500,
        'fair value less mid, bps; takers and edges are both measured from the fair value',
      ).default(0),
      driftBpsPerDay: real(-1e3, 1e3, 'drift of the fair value, bps a day').default(0),
      adverseBps: real(0, 500, 'move of the fair value against us at each retail fill, bps').default(0),
      informed: z
        .strictObject({
          perDay: real(0, 1e5, 'visits a day and side'),
          tauBps: real(0, 1e3, 'error of our fair value, bps'),
        })
        .default({ perDay: 0, tauBps: 0 })
        .describe('takers who know the fair value'),
      rivals: z
        .strictObject({
          ask: rivals('ask'),
          bid: rivals('bid'),
          toleranceBps: toleranceBps.default(5),
        })
        .prefault({})
        .describe('the other providers'),
    })
    .superRefine(({ A, ABuy, ASell }, context) => {
      if (A !== undefined || (ABuy !== undefined && ASell !== undefined)) return
      context.addIssue({
        code: 'custom',
        path: [],
        message: 'A is missing; expected A, or both ABuy and ASell',
      })
    }),
  example:
    '{"k":0.016666667,"A":40,"sigma":25,"gamma":0.002,"Q":20,"fairShiftBps":0,"driftBpsPerDay":0,"adverseBps":0,"informed":{"perDay":0,"tauBps":0},"ABuy":40,"ASell":40}',
  figures: {
    rho: 'income of the policy, bps and lots a day, less the penalty of the inventory',
    iterations: 'rounds of policy iteration',
    'rows[].q': 'inventory, lots of dollars above the target',
    'rows[].ask': 'spread at which dollars are bought, bps; null = off',
    'rows[].bid': 'spread at which they are sold, bps; null = off',
  },
  run({ A = 0, ABuy = A, ASell = A, k, kShape = null, sigma, gamma, Q, ...market }, warn) {
    const { rho, rounds, rows, method } = venuePolicy({
      ...market,
      aBuy: ABuy,
      aSell: ASell,
      k,
      kShape,
      sigmaBps: sigma,
      riskAversion: gamma,
      limitLots: Q,
    })
    const answer = {
      rho,
      iterations: rounds,
      rows: rows.map(({ q, askBps, bidBps }) => ({ q, ask: askBps, bid: bidBps })),
    }
    if (method === 'programme') return answer
    warn(`policy iteration did not end within ${rounds} rounds; the spreads are those of the closed form`)
    return { ...answer, fallback: method }
  },
})
