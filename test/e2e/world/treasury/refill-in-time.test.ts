import { expect, test } from 'vitest'
import { drawNormal, seededRandom } from '../../../../src/base/random.ts'
import { HOUR_MS } from '../../../../src/base/time.ts'
import {
  civilOf,
  civilDayOf,
  minuteOf,
  weekdayOf,
} from '../../../../src/treasury/policy/calendar/civil-day.ts'
import { addFlow, NO_FLOW } from '../../../../src/treasury/model/flow-history.ts'
import { plan } from '../../../../src/treasury/policy/plan.ts'
import { CONFIG, eat, holding, input, TZS } from '../../../unit/treasury/policy/plan-world.ts'

const BAND = { target: 60_000_000n * TZS, refillBelow: 8_000_000n * TZS, skimAbove: 10n ** 30n }
const POLICY = { ...CONFIG.policy, routes: ['bank-deposit'], bands: { NTZS: BAND } }
const CALENDAR = { ...CONFIG.calendar, peaks: [{ name: 'pay-day', daysOfMonth: [25] }] }

/** Shillings that takers want in an hour: by day more than by night, at weekends less, on pay-days two and a half times as much. */
function wanted(t: number, noise: number): number {
  const [hour, day] = [Math.floor(minuteOf(t) / 60), civilDayOf(t)]
  const byDay = hour >= 8 && hour < 20 ? 1 : 0.2
  const byWeek = weekdayOf(day) >= 5 ? 0.7 : 1
  const byMonth = civilOf(day).day === 25 ? 2.5 : 1
  return Math.max(0, byDay * byWeek * byMonth * (900_000 + 500_000 * noise))
}

/** The share of what takers wanted that an empty pool could not pay, over five weeks after five weeks of history. */
function unservedShare(hasForecast: boolean): number {
  const random = seededRandom(11, 'takers')
  const [start, measured] = [eat('2026-07-06T00:00:00'), eat('2026-08-10T00:00:00')]
  let [pool, lost, asked, history] = [60_000_000, 0, 0, NO_FLOW]
  let arriving: readonly { readonly at: number; readonly amount: number }[] = []
  for (let t = start; t < eat('2026-09-14T00:00:00'); t += HOUR_MS) {
    for (const { at, amount } of arriving) if (at <= t) pool += amount
    arriving = arriving.filter(({ at }) => at > t)
    const want = wanted(t, drawNormal(random))
    const served = Math.min(pool, want)
    pool -= served
    if (t >= measured) {
      asked += want
      lost += want - served
    }
    history = addFlow(history, t, { NTZS: -BigInt(Math.round(served)) * TZS, USDC: 0n, USDT: 0n })
    const transit = arriving.reduce((sum, { amount }) => sum + amount, 0)
    const { steps } = plan(
      input({
        now: t + HOUR_MS,
        config: { ...CONFIG, policy: POLICY, calendar: CALENDAR },
        holdings: holding({ NTZS: BigInt(Math.round(pool)) * TZS }),
        flow: hasForecast ? history : NO_FLOW,
        inTransit: { NTZS: BigInt(transit) * TZS, USDC: 0n, USDT: 0n },
        active: transit > 0 ? [{ rule: 'refill', asset: 'NTZS', direction: 'in' }] : [],
      }),
    )
    arriving = [
      ...arriving,
      ...steps.map(({ arrivesAt, mostSpent }) => ({ at: arrivesAt, amount: Number(mostSpent / TZS) })),
    ]
  }
  return lost / asked
}

test('over weekends and pay-days the forecast keeps the side on that a band alone lets run dry', () => {
  expect(unservedShare(false)).toBeGreaterThan(0.03)
  expect(unservedShare(true)).toBeLessThan(0.002)
}, 600_000)
