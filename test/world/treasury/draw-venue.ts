import { HOUR_MS, MINUTE_MS, type Ms } from '../../../src/base/time.ts'
import type { Faults } from '../../../src/simulator/sandbox/faults.ts'
import { createVenueModel, type VenueModel } from '../../../src/simulator/sandbox/model.ts'
import { KEYED_ROUTES } from '../../../src/treasury/model/keys.ts'
import type { TreasuryConfig } from '../../../src/treasury/model/config.ts'
import { treasuryConfig, TZS, USD } from '../../support/treasury-harness.ts'
import type { Dice } from '../dice.ts'
import { drawMarket } from './market.ts'
import { TreasuryTrouble } from './trouble.ts'

/** Most that payouts may take of shillings within any 24 hours. */
export const DAILY_CAP = 4_000_000n * TZS

/** Every other venue takes no notice of keys; at the others a person vouches for them. */
function isKeyless(seed: number): boolean {
  return seed % 2 !== 0
}

/** A venue whose answers get lost, whose webhooks come twice, late or never, and which forgets keys, as the seed has it. */
export function drawTreasuryVenue(
  dice: Dice,
  seed: number,
  startMs: Ms,
  trouble = new TreasuryTrouble(),
): VenueModel {
  const settleMs = dice.pick([1_000, MINUTE_MS, 40 * MINUTE_MS])
  // Longer than the treasury repeats a request: a key that is forgotten earlier would be paid twice by anybody.
  const keyLifeMs = dice.pick([null, HOUR_MS + 10 * MINUTE_MS])
  const settings = {
    settleMs,
    keysIgnored: isKeyless(seed) ? KEYED_ROUTES.map((route) => route.replace('POST ', '')) : [],
    keyLifeMs: trouble.has('idempotency key forgotten') ? keyLifeMs : null,
    webhooks: {
      duplicate: trouble.chance('webhook repeated', dice.pick([0, 0.5])),
      lost: trouble.chance('webhook lost', dice.pick([0, 0.5, 1])),
      late: trouble.chance('webhook late', dice.pick([0, 0.3])),
      reordered: trouble.chance('webhook out of order', dice.pick([0, 0.3])),
      beforeAnswer: trouble.chance('webhook before the answer', dice.pick([0, 0.3])),
    },
  }
  const owner = {
    NTZS: String(dice.between(0, 9) * 1_000_000),
    USDC: String(dice.between(0, 9) * 1_000),
  }
  return createVenueModel(
    {
      seed,
      startMs,
      isActive: true,
      spread: { bidBps: 50, askBps: 50 },
      activationDelayMs: 0,
      requestsPerMinute: 10_000,
      publicRequestsPerMinute: 10_000,
      faults: { routes: faultsOf(dice.pick([0, 0.02, 0.1]), trouble) },
      partner: { requestsPerMinute: 10_000, owner, settings },
    },
    drawMarket(dice, startMs),
  )
}

/** The faults of requests, by the kinds that are left out together. */
export const REQUEST_KINDS = {
  'request lost': ['reset-before'],
  'answer lost': ['timeout-after', '500-after', 'truncated'],
  'server error': ['500', 'html', '503'],
  'rate limit': ['429'],
} as const

function faultsOf(chance: number, trouble: TreasuryTrouble): Faults['routes'] {
  const spoilt: Faults['routes'][number]['chance'] = {}
  for (const kind of ['request lost', 'answer lost', 'server error', 'rate limit'] as const)
    for (const fault of REQUEST_KINDS[kind]) spoilt[fault] = trouble.chance(kind, chance)
  return [
    'POST /deposits',
    'POST /transfers',
    'POST /withdrawals*',
    'POST /swap',
    'POST /ramp*',
    'GET *',
  ].map((route) => ({ route, chance: { ...spoilt } }))
}

/** Bands on both sides, and a bank account to which the profits go. */
export function dayConfig(userId: string, pollEveryMs: Ms, seed: number): TreasuryConfig {
  const band = (target: bigint) => ({ target, refillBelow: target / 3n, skimAbove: target * 2n })
  return treasuryConfig({
    userId,
    ...(isKeyless(seed) ? {} : { keysHonoured: KEYED_ROUTES }),
    payees: [
      {
        name: 'landlord',
        to: { kind: 'bank', bankCode: 'CRDB', accountNumber: '0150123456789' },
        isAdmitted: true,
      },
    ],
    policy: {
      bands: { NTZS: band(45_000_000n * TZS), USDC: band(14_000n * USD) },
      caps: [{ route: 'payout', destination: null, asset: 'NTZS', perDay: DAILY_CAP, perMonth: null }],
      profitsTo: 'landlord',
    },
    pollEveryMs,
  })
}
