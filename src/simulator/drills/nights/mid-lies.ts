import { shorter } from '../model/advice.ts'
import type { Drill } from '../drill.ts'
import { holdsSafeQuote, isSignedAnew, SAFE_QUOTE, signedAnewMs, whyNotAtAll } from './safety.ts'

const LIE_BPS = 500
const USUAL_STEP_BPS = 150

/** The venue publishes a wrong mid, and a taker who knows the market takes what it gives away. */
export function midLies(): Drill {
  return {
    name: 'mid-lies',
    what: `the venue publishes a mid that is ${LIE_BPS} bps off, and informed takers use it`,
    safeMeans: SAFE_QUOTE,
    whyNot: whyNotAtAll,
    faultMs: signedAnewMs,
    mustBeNoticed: true,
    strike: ({ stage }) => stage.market.inject({ jump: { bps: LIE_BPS } }),
    goOn: ({ stage, takerUsd }) => stage.market.exploit(takerUsd),
    isSafe: async (course) => isSignedAnew(course) && (await holdsSafeQuote(course)),
    advise: (position, failure) => {
      const { maxMidStepBps } = position.config.risk
      if (maxMidStepBps === null || maxMidStepBps >= LIE_BPS)
        return {
          settings: [{ path: 'risk.maxMidStepBps', value: USUAL_STEP_BPS }],
          why: 'keeps a mid that steps further from being quoted from',
        }
      return {
        settings: [
          shorter(position, failure, 'pacing.rateIntervalMs', 6_000),
          shorter(position, failure, 'quote.minRequoteIntervalMs', 2_000),
        ],
        why: 'shows a wrong mid sooner, and lets the quote follow sooner',
      }
    },
  }
}
