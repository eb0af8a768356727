import type { Ms } from '../../src/base/time.ts'
import { REQUEST_FAULTS } from '../../src/simulator/sandbox/faults.ts'
import type { SandboxOptionsInput } from '../../src/simulator/sandbox/options.ts'
import { SCENARIO_NAMES } from '../../src/research/scenarios/scenario.ts'
import { createDice, type Dice } from './dice.ts'

const ROUTES = [
  '*',
  'GET *',
  'GET /fills',
  'GET /balances',
  'GET /account',
  'GET /quote',
  'GET /rate',
  'GET /swap/rate',
  'PATCH /spread',
  'POST /activate',
]

/** A venue: its scenario, its ways with formulas and fees, and all that goes wrong with it. */
export function drawVenue(
  dice: Dice,
  seed: number,
  startMs: Ms,
  requestsPerMinute: number,
): SandboxOptionsInput {
  // No option uses this draw; it keeps the draws that follow as they were.
  dice.pick([0, 1])
  return {
    seed,
    startMs,
    // Every scenario in turn: 200 seeds see each of them with many faces.
    scenario: SCENARIO_NAMES[seed % SCENARIO_NAMES.length] ?? 'normal',
    // A day that is worth checking has hundreds of fills.
    retailFactor: 20,
    requestsPerMinute,
    protocolFeeBps: dice.pick([0, 10, 20, 30]),
    feeFrom: dice.pick(['position', 'position', 'pool']),
    bidFormula: dice.pick(['divide', 'multiply']),
    toleranceBps: dice.pick([0, 5]),
    paysSlippageFloor: dice.happens(0.15),
    isActive: dice.happens(0.3),
    deactivateInactive: dice.pick(['ok', 'refuse']),
    spread: { bidBps: dice.between(10, 500), askBps: dice.between(10, 500) },
    activationDelayMs: dice.pick([200, 4_000, 40_000]),
    withdrawalDelayMs: dice.pick([100, 1_500]),
    opening: {
      NTZS: dice.pick(['40000000', '400000000.000000000000000001', '0']),
      USDC: dice.pick(['12000', '150000.000001']),
      USDT: dice.pick(['4000', '0', '60000.5']),
      'USDT.bnb': dice.pick(['0', '0', '123.000000000000000007']),
    },
    faults: { ...drawFaults(dice), ...drawBookFaults(seed) },
  }
}

/** From dice of their own, so that every other world stays the one it was. */
function drawBookFaults(
  seed: number,
): Pick<NonNullable<SandboxOptionsInput['faults']>, 'leakBps' | 'debitedFeeBps'> {
  const dice = createDice(seed, 'books')
  return {
    leakBps: dice.happens(0.08) ? dice.pick([1, 10]) : 0,
    debitedFeeBps: dice.happens(0.08) ? dice.pick([0, 20, 30]) : null,
  }
}

function drawFaults(dice: Dice): NonNullable<SandboxOptionsInput['faults']> {
  if (dice.happens(0.12)) return {}
  const often = dice.pick([0.002, 0.01, 0.04])
  const maybe = (chance: number, most: number) => (dice.happens(chance) ? dice.next() * most : 0)
  const routes = Array.from({ length: dice.between(0, 4) }, () => {
    const kinds = Array.from({ length: dice.between(1, 4) }, () => dice.pick(REQUEST_FAULTS))
    return {
      route: dice.pick(ROUTES),
      chance: Object.fromEntries(kinds.map((kind) => [kind, dice.next() * 2 * often])),
    }
  })
  return {
    latency: { meanMs: dice.pick([0, 20, 300]) },
    routes,
    fills: {
      duplicate: maybe(0.4, 0.3),
      // A row that never shows is a gap, a halt and a call for an operator: rare, or nothing else happens.
      missing: maybe(0.15, 0.004),
      late: maybe(0.4, 0.2),
      lateMeanMs: dice.pick([5_000, 20_000, 90_000]),
      reordered: maybe(0.4, 0.3),
    },
    frozenMid: dice.happens(0.05),
    jumpedMid: { chance: maybe(0.2, 0.5), bps: dice.pick([-400, -40, 40, 1_000]) },
    slowPatch: { chance: maybe(0.3, 0.3), delayMs: dice.pick([800, 5_000, 25_000]) },
    lostPatch: { chance: maybe(0.3, 0.2), applied: dice.next() },
    partialDeactivation: maybe(0.3, 0.8),
    busyActivation: maybe(0.3, 0.5),
    ambiguousWithdraw: { chance: maybe(0.4, 1), applied: dice.next() },
  }
}
