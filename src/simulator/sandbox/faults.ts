import { z } from 'zod'
import { isRecord } from '../../base/record.ts'

/**
 * The faults of one request. `-before`: the venue did not execute it; `-after`: it did, but the answer claims the
 * opposite or never arrives. `timeout` leaves the caller waiting, `reset` cuts the connection. `malformed`, `html`
 * and `truncated` corrupt the answer of an executed request.
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

/** One-off faults of the next `count` requests whose route matches; they take precedence over random ones. */
export const NextRequestSchema = z.strictObject({
  route: routePattern.default('*'),
  kind: z.enum(REQUEST_FAULTS),
  count: z.int().min(1).default(1),
})
export type NextRequest = z.output<typeof NextRequestSchema>

/** All random faults, drawn from the seed. By default none. */
export const FaultsSchema = z.strictObject({
  /** Exponential with this mean, in virtual ms, on every request. */
  latency: z.strictObject({ meanMs: z.number().min(0).default(0) }).prefault({}),
  /** Random faults of the routes that match, each with its chance. */
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
  /** This many bps of each fill's proceeds never reach our position, and only the balances show it. */
  leakBps: z.int().min(0).max(10_000).default(0),
  /** The protocol fee actually debited from our position, whatever quotes and rows state; null = the stated fee. */
  debitedFeeBps: z.int().min(0).max(1_000).nullable().default(null),
  /** Suppresses publications: neither the mid nor its date changes. */
  frozenMid: z.boolean().default(false),
  /** Publishes a mid that is off by this many bps. */
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
  /** Probability that a deactivation returns only some of the tokens (207). */
  partialDeactivation: probability.default(0),
  /** `measured`: probability that an activation stops after its first token, with an empty 500. */
  halfActivation: probability.default(0),
  /** Probability that POST /activate meets another activation (409). */
  busyActivation: probability.default(0),
  /** POST /withdraw is never answered; `applied` is the chance that the money moved. */
  ambiguousWithdraw: z
    .strictObject({ chance: probability.default(0), applied: probability.default(0.5) })
    .prefault({}),
  /** The provider's key is rejected: 401 on every route that needs one. */
  keyRejected: z.boolean().default(false),
  /** The chain is unreadable: order intake answers CHAIN_UNAVAILABLE. */
  chainUnavailable: z.boolean().default(false),
})
export type Faults = z.output<typeof FaultsSchema>

/** Returns whether a pattern of the fault options matches this route. */
export function routeMatches(pattern: string, route: string): boolean {
  return pattern.endsWith('*') ? route.startsWith(pattern.slice(0, -1)) : pattern === route
}

/** Returns the options with `patch` merged in: nested objects merge, lists are replaced. Throws ZodError. */
export function mergeFaults(current: Faults, patch: Readonly<Record<string, unknown>>): Faults {
  const merged: Record<string, unknown> = { ...current }
  for (const [key, value] of Object.entries(patch)) {
    const before = merged[key]
    merged[key] = isRecord(before) && isRecord(value) ? { ...before, ...value } : value
  }
  return FaultsSchema.parse(merged)
}
