import type { Drill } from '../model/drill.ts'
import { holdsSafeQuote, isSignedAnew, SAFE_QUOTE, whyNotAtAll } from './safety.ts'

const LIE_BPS = 500

/** The venue publishes a wrong mid, and a taker who knows the market takes what it gives away. */
export function midLies(): Drill {
  return {
    name: 'mid-lies',
    what: `the venue publishes a mid that is ${LIE_BPS} bps off, and informed takers use it`,
    safeMeans: SAFE_QUOTE,
    whyNot: whyNotAtAll,
    limitMs: () => 90_000,
    mustBeNoticed: true,
    strike: ({ stage }) => stage.market.inject({ jump: { bps: LIE_BPS } }),
    goOn: ({ stage, takerUsd }) => stage.market.exploit(takerUsd),
    isSafe: async (course) => isSignedAnew(course) && (await holdsSafeQuote(course)),
    advise: ({ config }) => {
      const { maxMidStepBps } = config.risk
      if (maxMidStepBps === null || maxMidStepBps >= LIE_BPS)
        return `risk.maxMidStepBps below ${LIE_BPS} (150 is the default) would have kept the mid from being quoted from`
      if (config.feeds.length === 0)
        return 'a reference feed (feeds) with risk.maxReferenceDeviationBps shows a wrong mid by another source; pacing.rateIntervalMs sets how soon it is read'
      return 'pacing.rateIntervalMs sets how soon the mid is read, quote.minRequoteIntervalMs how soon the quote follows'
    },
  }
}
