import type { Drill } from '../model/drill.ts'

const STALE_BPS = 10
const MOVE_BPS = 60

/** A write of a dead process arrives late: a narrow quote stands that nobody wants any more. */
export function zombieWrite(): Drill {
  return {
    name: 'zombie-write',
    what: `a write of a dead process arrives late and leaves ${STALE_BPS} bps on both sides; the market moves by ${MOVE_BPS} bps`,
    safeMeans: 'the venue holds what the daemon wants, or the safe quote',
    whyNot: ({ config }) =>
      config.rfq === null
        ? null
        : 'no quote stands at the venue (rfq): an order that arrives late was journalled before it was signed, and counts as open until it expires',
    limitMs: ({ config }) => Math.min(360_000, config.pacing.quoteCheckIntervalMs + 45_000),
    mustBeNoticed: true,
    async strike({ stage: { market } }) {
      const status = await market.asStranger('PATCH', '/api/v1/mm/spread', {
        bidBps: STALE_BPS,
        askBps: STALE_BPS,
      })
      if (status !== 200) throw new Error(`the late write was answered with ${status}`)
      market.moveTruth(MOVE_BPS)
    },
    goOn: ({ stage, takerUsd }) => stage.market.exploit(takerUsd),
    async isSafe({ stage }) {
      const { isActive, bidBps, askBps } = await stage.market.quote()
      return !isActive || (bidBps !== STALE_BPS && askBps !== STALE_BPS)
    },
    advise: ({ config }) =>
      `lower pacing.quoteCheckIntervalMs (${config.pacing.quoteCheckIntervalMs}): it sets how long a foreign quote may stand; venue.publicUrl lets the daemon see its quote as takers do`,
  }
}
