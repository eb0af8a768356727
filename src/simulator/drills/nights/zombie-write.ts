import type { Drill } from '../drill.ts'

const STALE_BPS = 10
const MOVE_BPS = 60

/** A write of a dead process arrives late: a narrow quote stands that no one wants any longer. */
export function zombieWrite(): Drill {
  return {
    name: 'zombie-write',
    what: `a write of a dead process arrives late and leaves ${STALE_BPS} bps on both sides; the market moves by ${MOVE_BPS} bps`,
    safeMeans: 'the venue holds what the daemon wants, or the safe quote',
    whyNot: ({ config }) =>
      config.rfq === null
        ? null
        : 'no quote stands at the venue (rfq): an order that arrives late was journalled before it was signed, and counts as open until it expires',
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
    advise: ({ config }, { kind, allowed, actual }) => {
      const now = config.pacing.quoteCheckIntervalMs
      // By the time, or by the cost, that has to be cut.
      const share = actual === null || kind === 'notice' ? 1 : allowed / actual
      const most = kind === 'cost' ? now * share : Math.min(now, allowed)
      return {
        settings: [{ path: 'pacing.quoteCheckIntervalMs', value: Math.max(1_000, Math.floor(most / 2)) }],
        why: 'bounds how long a foreign quote may stand; venue.publicUrl lets the daemon see its quote as takers do',
      }
    },
  }
}
