import { ROUTES } from '../../../../src/treasury/model/plan-types.ts'
import type { TreasuryFigures } from '../../../../src/daemon/view/treasury/treasury-figures.ts'

const PLACES = ['pool', 'lpWallet', 'treasury', 'platform', 'float'] as const
const TOKENS = ['NTZS', 'USDC', 'USDT'] as const
const NONE = { NTZS: '0', USDC: '0', USDT: '0' }
const NOW = 1_000_000

/** Figures of a treasury of which everything is known, and nothing is equal to something else by chance. */
export function exampleTreasury(change: Partial<TreasuryFigures> = {}): TreasuryFigures {
  const waiting = { stage: 'awaiting_approval', plannedAt: NOW - 90_000, isLate: true } as const
  const silent = { ...waiting, stage: 'silent', plannedAt: 0 } as const
  return {
    now: NOW,
    isStopped: false,
    holdings: {
      at: NOW - 12_500,
      unreadable: [],
      places: PLACES.map((place, row) => ({
        place,
        onHand: { NTZS: `${row}00.5`, USDC: `${row}01.5`, USDT: `${row}02.5` },
        booked: NONE,
        reserved: NONE,
        available: NONE,
      })),
      tokens: TOKENS.map((asset) => ({
        asset,
        onHand: '0',
        inTransit: '31',
        reserved: '32',
        claims: '33',
        available: '0',
        band: { refillBelow: '41', target: '42', skimAbove: '43', counted: '44' },
      })),
    },
    runsDry: TOKENS.map((asset) => ({ asset, at: NOW + 3_600_000 })),
    open: [waiting, silent, { ...silent, isLate: false }],
    claims: 5,
    residualTzs: '0',
    supply: {
      reported: null,
      onChain: null,
      at: NOW - 61_000,
      difference: '-7',
      negativeInARow: 2,
      reconciledAt: NOW - 60_000,
      alarm: 'negative twice',
      exit: 'alert',
    },
    exit: { ours: '0', atHand: '51', fromPool: '52', waiting: '53', homeBps: 7_500 },
    webhooks: { port: 1, kept: 6, repeated: 7, lost: 0, refused: { forged: 8 }, bySecret: [6] },
    rails: ROUTES.map((route) => ({
      route,
      tries: 3,
      failures: 2,
      medianMs: null,
      p95Ms: null,
      costBps: null,
      restedUntil: route === 'swap' ? NOW + 1 : null,
    })),
    calendarDaysLeft: -3,
    ...change,
  }
}
