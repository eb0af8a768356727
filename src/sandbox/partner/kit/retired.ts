import { type PartnerRoute, refuse } from './request.ts'

/**
 * Routes that the operator has withdrawn. The contract names none and says how one answers, so this one stands
 * for all of them: what POST /withdrawals does today.
 */
export const RETIRED_ROUTES: readonly PartnerRoute[] = [
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
