import { ROUTES } from '../../../../src/treasury/model/plan-types.ts'
import type { TreasuryFigures } from '../../../../src/daemon/view/treasury/treasury-figures.ts'

const PLACES = ['pool', 'lpWallet', 'treasury', 'platform', 'float'] as const
const TOKENS = ['NTZS', 'USDC', 'USDT'] as const

/** Figures of a treasury of which everything is known, and nothing is equal to something else by chance. */
export function exampleTreasury(change: Partial<TreasuryFigures> = {}): TreasuryFigures {
  return {
    isStopped: false,
    readingAgeSeconds: 12.5,
    onHand: PLACES.flatMap((place, row) =>
      TOKENS.map((token, column) => ({ place, token, held: 100 * row + column + 0.5 })),
    ),
    tokens: TOKENS.map((token) => ({
      token,
      inTransit: 31,
      reserved: 32,
      claimed: 33,
      dryInSeconds: 3_600,
      band: { refillBelow: 41, target: 42, skimAbove: 43 },
      counted: 44,
    })),
    openByStage: {
      awaiting_approval: 1,
      approved: 0,
      held: 0,
      waiting_for_funds: 0,
      planned: 0,
      quoted: 0,
      sending: 0,
      silent: 2,
      known: 0,
      in_transit: 3,
    },
    late: 4,
    claims: 5,
    approvals: { waiting: 1, oldestSeconds: 90 },
    residualTzs: 0,
    supply: { isAlarm: true, differenceTzs: -7, reconciledAgeSeconds: 60, ageSeconds: 61 },
    exit: { share: 0.75, tzs: { atHand: 51, fromPool: 52, waiting: 53 } },
    webhooks: { port: 1, kept: 6, repeated: 7, lost: 0, refused: { forged: 8 }, bySecret: [6] },
    rails: ROUTES.map((route) => ({ route, failures: 2, isRested: route === 'swap' })),
    calendarDaysLeft: -3,
    ...change,
  }
}
