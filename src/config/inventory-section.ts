import { z } from 'zod'
import { field, money, perAsset } from './field.ts'

export const inventorySection = z.strictObject({
  target: field.share.default(0.5).describe('Share of the value to hold in USD stables.'),
  limits: perAsset((decimals) =>
    z
      .strictObject({
        min: money(decimals).nullable().default(null),
        max: money(decimals).nullable().default(null),
      })
      .refine(({ min, max }) => min === null || max === null || min < max, {
        path: ['min'],
        message: 'no room between min and max, so a side would always be off; a min below max would be right',
      }),
  )
    .default({})
    .describe('Tokens. Below min only the side that refills, above max only the one that drains.'),
})
