import { defineStrategy, z } from '#kit'

/** Equal levels on both sides around the mid: small enough to see through, so that a test knows what must stand. */
export default defineStrategy({
  name: 'test-ladder',
  params: z.strictObject({
    levels: z.int().min(0).max(20).default(3),
    usd: z.number().positive().default(200),
    baseBps: z.number().default(40),
    stepBps: z.number().default(20),
  }),
  init: () => ({}),
  quote: ({ mid }, _state, { levels, usd, baseBps, stepBps }) => ({
    bidBps: baseBps,
    askBps: baseBps,
    reasons: ['a ladder of equal steps'],
    orders: Array.from({ length: levels }, (_, level) => (baseBps + level * stepBps) / 10_000).flatMap(
      (edge, level) => [
        {
          side: 'ask' as const,
          stable: 'USDC' as const,
          usd: usd * (level + 1),
          tzsPerUsd: mid * (1 - edge),
        },
        {
          side: 'bid' as const,
          stable: 'USDC' as const,
          usd: usd * (level + 1),
          tzsPerUsd: mid * (1 + edge),
        },
      ],
    ),
  }),
})
