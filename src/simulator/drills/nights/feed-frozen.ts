import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time.ts'
import { shorter } from '../model/advice.ts'
import type { DrilledPosition } from '../model/drilled-position.ts'
import type { Drill } from '../drill.ts'
import type { Stage } from '../stage/stage.ts'
import { holdsSafeQuote, isSignedAnew, SAFE_QUOTE, signedAnewMs, whyNotAtAll } from './safety.ts'

/** Longer than any weekend with holidays beside it: a mid of this age is no mid any longer. */
const LONGEST_MS = 5 * DAY_MS
const USUAL_AGE_MS = 4 * DAY_MS
const STEP_MS = 3 * HOUR_MS
/** The market continues: a usual day's movement. */
const DRIFT_BPS_A_STEP = 4
/** A step of venue time passes in so much of ours. */
const STEP_TAKES_MS = 100
const NOTICED_BY = ['mid-age', 'mid-missing', 'reference-deviation'] as const
/** What a restarted daemon has until the mid is too old. */
const BEFORE_MS = 10_000
const READY_MS = 60_000

/** The mid stops, and days of venue time pass in seconds. What is measured begins at the age that the desk allows. */
export function feedFrozen(): Drill {
  return {
    name: 'feed-frozen',
    what: 'the venue publishes no mid for days of its time, while the market moves on',
    safeMeans: `${SAFE_QUOTE}: counted from the age risk.maxMidAgeMs of the mid, and from five days at the latest`,
    whyNot: whyNotAtAll,
    faultMs: signedAnewMs,
    mustBeNoticed: true,
    // A daemon that was restarted has other things to report first.
    noticedBy: ({ config }) => (config.rfq === null ? null : NOTICED_BY),
    async strike({ stage }) {
      const { market, position } = stage
      const most = ageLimit(position)
      await market.inject({ freeze: true })
      if (market.chain !== null) return passDays(stage, most)
      for (let passed = 0; passed < most; passed += STEP_MS) {
        await market.advance(Math.min(STEP_MS, most - passed))
        market.moveTruth(DRIFT_BPS_A_STEP)
        await pause(STEP_TAKES_MS)
      }
      // The mid was an hour old at the start; one minute more is beyond any rounding.
      await market.advance(MINUTE_MS)
    },
    goOn: ({ stage, takerUsd }) => stage.market.exploit(takerUsd),
    // Orders signed before the fault are filled by takers who gain. The drill judges what the daemon signs from an old mid.
    isSafe: async (course) => isSignedAnew(course) && (await holdsSafeQuote(course)),
    advise: (position, failure) => {
      const { maxMidAgeMs } = position.config.risk
      return maxMidAgeMs === null || maxMidAgeMs > LONGEST_MS
        ? {
            settings: [{ path: 'risk.maxMidAgeMs', value: USUAL_AGE_MS }],
            why: 'ends quoting from a mid that is older than four days, the longest weekend',
          }
        : {
            settings: [shorter(position, failure, 'pacing.rateIntervalMs', 6_000)],
            why: 'shows the age of the mid sooner; a reference feed (feeds) shows the movement of the market itself',
          }
    },
  }
}

/**
 * Orders expire on the chain's clock, so that days pass for everybody at once, while the daemon is down. It is back before the
 * mid is too old, and signs from it until then.
 */
async function passDays(stage: Stage, most: number): Promise<void> {
  const left = most - (await ageOf(stage))
  stage.market.moveTruth(DRIFT_BPS_A_STEP * Math.floor(left / STEP_MS))
  await stage.passTime(Math.max(0, left - BEFORE_MS))
  const until = performance.now() + READY_MS
  while ((await ageOf(stage)) <= most) {
    if (performance.now() > until) throw new Error('the daemon read no mid after the days had passed')
    await pause(STEP_TAKES_MS)
  }
}

async function ageOf(stage: Stage): Promise<number> {
  return (await stage.view())?.midAgeMs ?? 0
}

function ageLimit({ config }: DrilledPosition): number {
  return Math.min(config.risk.maxMidAgeMs ?? LONGEST_MS, LONGEST_MS)
}
