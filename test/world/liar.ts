import { DAY_MS, type Ms } from '../../src/base/time.ts'
import type { VenueResponse } from '../../src/simulator/sandbox/api/request.ts'

/** What a lying venue makes of its own price. */
export const LIES = ['hundredth', 'triple', 'walk', 'tomorrow'] as const
export type LieKind = (typeof LIES)[number]

/** A venue whose answers about the price are untrue for a while; both endpoints tell the same. */
export type Liar = {
  readonly begin: (kind: LieKind, now: Ms) => void
  readonly end: () => void
  /** Since when every answer names a mid that is out of any sense; null = none does now. */
  readonly absurdSince: () => Ms | null
  /** GET /rate or GET /swap/rate as it reaches the daemon. */
  readonly told: (response: VenueResponse, now: Ms) => VenueResponse
}

/** A walk makes one step an answer: small enough for every bound on a single step. */
const WALK_BPS = 12

export function createLiar(): Liar {
  let kind: LieKind | null = null
  let steps = 0
  let since: Ms | null = null

  function lieAbout(mid: number): number {
    if (kind === 'hundredth') return mid / 100
    if (kind === 'triple') return mid * 3
    if (kind !== 'walk') return mid
    steps += 1
    return Math.round(mid * (1 + (steps * WALK_BPS) / 10_000) * 10_000) / 10_000
  }

  return {
    begin(next, now) {
      kind = next
      steps = 0
      since = next === 'hundredth' || next === 'triple' ? now : null
    },
    end() {
      kind = null
      since = null
    },
    absurdSince: () => since,
    told(response, now) {
      const { body } = response
      if (kind === null || response.status !== 200 || !isRecord(body)) return response
      const named = typeof body['midRateTZS'] === 'number' ? 'midRateTZS' : 'midRate'
      const mid = body[named]
      if (typeof mid !== 'number') return response
      const at = new Date(kind === 'tomorrow' ? now + DAY_MS : now).toISOString()
      const dated = typeof body['rateUpdatedAt'] === 'string' ? { rateUpdatedAt: at } : {}
      return { ...response, body: { ...body, [named]: lieAbout(mid), ...dated } }
    },
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
