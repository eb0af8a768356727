import { z } from 'zod'

/** A deeply read-only view: code that displays a view must not change it. */
export type Shown<T> = T extends readonly (infer Item)[]
  ? readonly Shown<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Shown<T[Key]> }
    : T

export const ms = z.int().describe('Milliseconds; moments since the epoch.')
export const bps = z.number()
export const decimal = z.string().describe('An exact amount or rate as the shortest plain decimal.')
export const side = z.enum(['bid', 'ask'])
export const asset = z.enum(['NTZS', 'USDC', 'USDT', 'USDT.bnb'])
export const stable = z.enum(['USDC', 'USDT', 'USDT.bnb'])
export const hex = z.templateLiteral(['0x', z.string()])

export const amountsSchema = <T extends z.ZodType>(value: T) =>
  z.object({
    NTZS: z.exactOptional(value),
    USDC: z.exactOptional(value),
    USDT: z.exactOptional(value),
    'USDT.bnb': z.exactOptional(value),
  })

export const perStable = <T extends z.ZodType>(value: T) =>
  z.object({
    USDC: z.exactOptional(value),
    USDT: z.exactOptional(value),
    'USDT.bnb': z.exactOptional(value),
  })

export const amounts = amountsSchema(decimal).describe('Whole tokens by asset; absent = unknown, not zero.')

export type AmountTexts = Shown<z.infer<typeof amounts>>
