import { z } from 'zod'
import { isRecord } from '../../base/record.ts'

/**
 * The faults of one request. `-before`: the venue did not execute it; `-after`: it did, but the answer contradicts that or
 * never comes. `timeout` leaves the caller waiting, `reset` cuts the connection. `malformed`, `html` and `truncated` spoil the
 * answer of an executed request.
 */
export const REQUEST_FAULTS = [
  'timeout-before',
  'timeout-after',
  'reset-before',
  'reset-after',
  '500',
  '500-after',
  '503',
  '429',
  'malformed',
  'html',
  'truncated',
] as const
export type RequestFault = (typeof REQUEST_FAULTS)[number]

const probability = z.number().min(0).max(1)

/** `GET /fills`, `PATCH /spread`, `GET /swap/rate`, ...; a trailing `*` matches any rest, so `*` is every route. */
const routePattern = z.string().min(1)

/** One-off faults of the next `count` requests whose route matches; they go before the drawn ones. */
export const NextRequestSchema = z.strictObject({
  route: routePattern.default('*'),
  kind: z.enum(REQUEST_FAULTS),
  count: z.int().min(1).default(1),
})
export type NextRequest = z.output<typeof NextRequestSchema>

/** Everything that goes wrong by chance, drawn from the seed. The default is a venue without faults. */
export const FaultsSchema = z.strictObject({
  /** Exponential with this mean, in virtual ms, on every request. */
  latency: z.strictObject({ meanMs: z.number().min(0).default(0) }).prefault({}),
  routes: z
    .array(
      z.strictObject({
        route: routePattern,
        chance: z.partialRecord(z.enum(REQUEST_FAULTS), probability),
      }),
    )
    .default([]),
  /** Faults of a fill's rows in GET /fills; balances and books always contain the fill. */
  fills: z
    .strictObject({
      duplicate: probability.default(0),
      missing: probability.default(0),
      late: probability.default(0),
      lateMeanMs: z.number().min(0).default(20_000),
      reordered: probability.default(0),
    })
    .prefault({}),
  /** That many bps of each fill's proceeds never reach our position, and only the balances show it. */
  leakBps: z.int().min(0).max(10_000).default(0),
  /** The protocol fee that our position is debited, whatever quotes and rows name; null = the one they name. */
  debitedFeeBps: z.int().min(0).max(1_000).nullable().default(null),
  /** Prints are swallowed: neither the figure nor its date moves. */
  frozenMid: z.boolean().default(false),
  /** A print that arrives off by this many bps. */
  jumpedMid: z
    .strictObject({ chance: probability.default(0), bps: z.number().gt(-9_000).max(90_000).default(1_000) })
    .prefault({}),
  /** PATCH /spread takes effect, and is answered, only after the delay. */
  slowPatch: z
    .strictObject({ chance: probability.default(0), delayMs: z.number().min(0).default(5_000) })
    .prefault({}),
  /** PATCH /spread ignores the list of pairs, quotes all of them, and states it: `quotePairs: null`. */
  ignoresPairs: z.boolean().default(false),
  /** PATCH /spread is never answered; `applied` is the chance that it took effect nevertheless. */
  lostPatch: z
    .strictObject({ chance: probability.default(0), applied: probability.default(0.5) })
    .prefault({}),
  /** Chance that a deactivation returns only some of the tokens (207). */
  partialDeactivation: probability.default(0),
  /** `measured`: chance that an activation stops after its first token, with an empty 500. */
  halfActivation: probability.default(0),
  /** Chance that POST /activate meets another activation (409). */
  busyActivation: probability.default(0),
  /** POST /withdraw is never answered; `applied` is the chance that the money moved. */
  ambiguousWithdraw: z
    .strictObject({ chance: probability.default(0), applied: probability.default(0.5) })
    .prefault({}),
  /** The provider's key is no longer accepted: 401 on every route that needs one. */
  keyRejected: z.boolean().default(false),
  /** The chain cannot be read: order intake answers CHAIN_UNAVAILABLE. */
  chainUnavailable: z.boolean().default(false),
})
export type Faults = z.output<typeof FaultsSchema>

/** Returns whether a pattern of the fault options matches this route. */
export function routeMatches(pattern: string, route: string): boolean {
  return pattern.endsWith('*') ? route.startsWith(pattern.slice(0, -1)) : pattern === route
}

/** The same options with `patch` laid over them: nested objects merge, lists are replaced. Throws ZodError. */
export function mergeFaults(current: Faults, patch: Readonly<Record<string, unknown>>): Faults {
  const merged: Record<string, unknown> = { ...current }
  for (const [key, value] of Object.entries(patch)) {
    const before = merged[key]
    merged[key] = isRecord(before) && isRecord(value) ? { ...before, ...value } : value
  }
  return FaultsSchema.parse(merged)
}
