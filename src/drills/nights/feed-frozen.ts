import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts'
import type { DrilledPosition } from '../model/drilled-position.ts'
import type { Drill } from '../model/drill.ts'
import { holdsSafeQuote, SAFE_QUOTE, whyNotPooled } from './safety.ts'

/** Longer than any weekend with holidays beside it: a mid of this age is no mid any more. */
const LONGEST_MS = 5 * DAY_MS
const STEP_MS = 3 * HOUR_MS
/** The market goes on: a usual day's movement. */
const DRIFT_BPS_A_STEP = 4
/** A step of venue time passes in so much of ours. */
const STEP_TAKES_MS = 100

/** The mid stops, and days of venue time pass in seconds. What is measured begins at the age that the desk allows. */
export function feedFrozen(): Drill {
  return {
    name: 'feed-frozen',
    what: 'the venue publishes no mid for days of its time, while the market moves on',
    safeMeans: `${SAFE_QUOTE}: counted from the age risk.maxMidAgeMs of the mid, and from five days at the latest`,
    whyNot: whyNotPooled,
    limitMs: ({ config }) => 60_000 + 2 * config.pacing.rateIntervalMs,
    mustBeNoticed: true,
    async strike({ stage: { market, position } }) {
      await market.inject({ freeze: true })
      const most = ageLimit(position)
      for (let passed = 0; passed < most; passed += STEP_MS) {
        await market.advance(Math.min(STEP_MS, most - passed))
        market.moveTruth(DRIFT_BPS_A_STEP)
        await pause(STEP_TAKES_MS)
      }
      // The mid was an hour old at the start; one minute more is beyond any rounding.
      await market.advance(MINUTE_MS)
    },
    goOn: ({ stage, takerUsd }) => stage.market.exploit(takerUsd),
    isSafe: holdsSafeQuote,
    advise: ({ config }) =>
      config.risk.maxMidAgeMs === null || config.risk.maxMidAgeMs > LONGEST_MS
        ? `risk.maxMidAgeMs of at most ${LONGEST_MS} (${LONGEST_MS / DAY_MS} days; four are the default) would have ended it`
        : 'lower pacing.rateIntervalMs: it sets how soon the age is seen; a reference feed (feeds) shows the movement of the market itself',
  }
}

function ageLimit({ config }: DrilledPosition): number {
  return Math.min(config.risk.maxMidAgeMs ?? LONGEST_MS, LONGEST_MS)
}
