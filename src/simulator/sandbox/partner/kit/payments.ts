import { createRateLimit } from '../../api/rate-limit.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerPayments } from '../model/payments.ts'

/** What a live key may look up in a minute; lookups of a test key use no quota. Source: contract, limits. */
const RECIPIENTS_A_MINUTE = 30
const MERCHANTS_A_MINUTE = 60

export function createPayments(): PartnerPayments {
  return {
    lookups: {
      recipient: createRateLimit(RECIPIENTS_A_MINUTE),
      merchant: createRateLimit(MERCHANTS_A_MINUTE),
    },
    spendQuotes: new Map(),
    spends: new Map(),
    rampQuotes: new Map(),
    settlements: new Map(),
    subWallets: new Map(),
    agents: new Map(),
    outgoings: [],
  }
}

/** Forgets what the key has paid and what it paid with. What is on its way must be settled or taken off before. */
export function clearPayments({ payments }: Partner): void {
  for (const records of [
    payments.spendQuotes,
    payments.spends,
    payments.rampQuotes,
    payments.settlements,
    payments.subWallets,
    payments.agents,
  ])
    records.clear()
  payments.outgoings.length = 0
}
