import { AGENT_ROUTES } from './agents/sub-wallets.ts'
import { COMMERCE_ROUTES } from './commerce/routes.ts'
import { MERCHANT_ROUTES } from './merchant/routes.ts'
import { RAMP_ROUTES } from './ramp/routes.ts'
import { SPEND_ROUTES } from './spend/spend.ts'
import { SWAP_ROUTES } from './swap/routes.ts'
import { DEPOSIT_ROUTES } from './deposits/routes.ts'
import { type PartnerRoute, refuse } from './kit/request.ts'
import { LOOKUP_ROUTES } from './lookup/lookups.ts'
import { PLATFORM_ROUTES } from './platform/routes.ts'
import { TESTMODE_ROUTES } from './testmode/routes.ts'
import { TRANSFER_ROUTES } from './transfers/routes.ts'
import { USER_ROUTES } from './users/routes.ts'
import { WITHDRAWAL_ROUTES } from './withdrawals/routes.ts'

/**
 * Routes that the operator has withdrawn. The contract names none and says how one answers, so this one stands
 * for all of them: what POST /withdrawals does today.
 */
const RETIRED_ROUTES: readonly PartnerRoute[] = [
  {
    method: 'POST',
    path: '/payouts',
    capability: null,
    isIdempotent: false,
    answer: () =>
      refuse('endpoint_retired', 'POST /v1/payouts is withdrawn', {
        migration: 'ask POST /v1/withdrawals/quote, then send POST /v1/withdrawals',
      }),
  },
]

/** Every route of the partner API that is simulated. */
export const PARTNER_ROUTES: readonly PartnerRoute[] = [
  ...TESTMODE_ROUTES,
  ...USER_ROUTES,
  ...DEPOSIT_ROUTES,
  ...TRANSFER_ROUTES,
  ...WITHDRAWAL_ROUTES,
  ...PLATFORM_ROUTES,
  ...LOOKUP_ROUTES,
  ...SPEND_ROUTES,
  ...RAMP_ROUTES,
  ...SWAP_ROUTES,
  ...MERCHANT_ROUTES,
  ...AGENT_ROUTES,
  ...COMMERCE_ROUTES,
  ...RETIRED_ROUTES,
]

type Segments = { readonly route: PartnerRoute; readonly segments: readonly string[] }

/** By method and number of segments, so that few are compared. Fixed segments go before named ones. */
const TABLE = Map.groupBy(
  PARTNER_ROUTES.map((route): Segments => {
    const full = `${route.isUnversioned === true ? '' : '/v1'}${route.path}`
    return { route, segments: full.split('/').slice(1) }
  }).sort((a, b) => names(a) - names(b)),
  ({ route, segments }) => `${route.method} ${segments.length}`,
)

function names({ segments }: Segments): number {
  return segments.filter((segment) => segment.startsWith(':')).length
}

/** The route of a path, written with /api or without, and what its names stand for; null = none of this API. */
export function findPartnerRoute(
  method: string,
  path: string,
): { readonly route: PartnerRoute; readonly params: Readonly<Record<string, string>> } | null {
  // The LP side asks most, and thousands of simulated days are made of it.
  if (path.startsWith('/api/v1/mm/')) return null
  const asked = (path.startsWith('/api/') ? path.slice(4) : path).split('/').slice(1)
  for (const { route, segments } of TABLE.get(`${method} ${asked.length}`) ?? []) {
    const params: Record<string, string> = {}
    const isMatch = segments.every((segment, at) => {
      const part = asked[at] ?? ''
      if (!segment.startsWith(':')) return segment === part
      params[segment.slice(1)] = decodeSegment(part)
      return part !== ''
    })
    if (isMatch) return { route, params }
  }
  return null
}

/** What is no valid escape is no id either: it stays as it is, and nothing is found under it. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
