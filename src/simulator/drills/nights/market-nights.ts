import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time.ts'
import type { Drill } from '../drill.ts'
import { shorter, shorterRun } from '../model/advice.ts'
import type { DrilledPosition } from '../model/drilled-position.ts'
import type { Stage } from '../stage/stage.ts'
import {
  boundCostOrReadSooner,
  holdsSafeQuote,
  IN_HAND,
  isInHand,
  isSignedAnew,
  night,
  SAFE_QUOTE,
  signedAnewMs,
} from './safety.ts'

const LIE_BPS = 500
const USUAL_STEP_BPS = 150

/** The venue publishes a wrong mid, and informed takers profit from it. */
export function midLies(): Drill {
  return night({
    what: `the venue publishes a mid that is ${LIE_BPS} bps off, and informed takers use it`,
    safeMeans: SAFE_QUOTE,
    faultMs: signedAnewMs,
    disrupt: ({ stage }) => stage.market.inject({ jump: { bps: LIE_BPS } }),
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
  })
}

/** Longer than any weekend with adjacent holidays: a mid of this age is useless. */
const LONGEST_MS = 5 * DAY_MS
const USUAL_AGE_MS = 4 * DAY_MS
const STEP_MS = 3 * HOUR_MS
/** The market continues: a usual day's movement. */
const DRIFT_BPS_A_STEP = 4
/** The real time of one step of venue time. */
const STEP_TAKES_MS = 100
const AGE_NOTICES = ['mid-age', 'mid-missing', 'reference-deviation'] as const
/** The time of a restarted daemon until the mid is too old. */
const BEFORE_MS = 10_000
const READY_MS = 60_000

/** The mid stops, and days of venue time pass in seconds. The measurement begins at the age that the desk allows. */
export function feedFrozen(): Drill {
  return night({
    what: 'the venue publishes no mid for days of its time, while the market moves on',
    safeMeans: `${SAFE_QUOTE}: counted from the age risk.maxMidAgeMs of the mid, and from five days at the latest`,
    faultMs: signedAnewMs,
    // A restarted daemon has other things to report first.
    noticedBy: ({ config }) => (config.rfq === null ? null : AGE_NOTICES),
    async disrupt({ stage }) {
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
    // Takers fill orders that were signed before the fault. The drill judges the orders that the daemon signs from an old mid.
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
  })
}

/**
 * Orders expire on the chain's clock, so days pass for every process at once, while the daemon is down. It returns before the
 * mid is too old, and signs orders from it until then.
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

/** The takers of the rush know the mid that the venue publishes tomorrow. */
const RUSH_BPS = 250

/** Time in which a filled ladder is signed again, if at all. */
const LADDER_SIGNED_MS = 10_000

/** Takers who know of a fall buy dollars from the position, one after another, at a mid that does not move. */
export function oneSidedRush(): Drill {
  /** When an order could last be filled at a loss. */
  let paidAtMs = 0
  return night({
    what: `the market moves by ${RUSH_BPS} bps, the mid does not, and every taker comes for the same side`,
    safeMeans: `that side is off or at the safe spread, or the position is out of the market; with signed orders: for ${LADDER_SIGNED_MS / 1_000} s none of them can be filled at a loss`,
    faultMs: ({ config }) => (config.rfq === null ? 0 : LADDER_SIGNED_MS),
    mustBeNoticed: false,
    async disrupt({ stage }) {
      stage.market.moveTruth(RUSH_BPS)
    },
    async eachSecond({ stage, takerUsd }) {
      // Each taker checks the quote: a taker who no longer gains goes away.
      await stage.market.exploit(takerUsd)
      await stage.market.exploit(takerUsd)
    },
    async isSafe({ stage, sinceMs }) {
      const { chain } = stage.market
      if (chain !== null) {
        if ((await chain.paying()).length > 0) paidAtMs = sinceMs
        return sinceMs - paidAtMs > LADDER_SIGNED_MS
      }
      const { safeBps } = stage.position.config.quote
      const { isActive, bidBps } = await stage.market.quote()
      return !isActive || bidBps === null || bidBps >= Math.min(safeBps, RUSH_BPS)
    },
    advise: shorterRun,
  })
}

const BURST_MS = 30_000
const TIMES = 2

/**
 * Twice the busiest minute of the desk's own journal, by messages and by volume (RTS 6, article 10). Requests of someone else with its
 * key double those of the desk, within the key's limit.
 */
export function doublePeak(): Drill {
  let sent = 0
  let asked = 0
  return night({
    what: "twice the peak of fills, volume and requests with the key in the desk's own journal, for half a minute",
    safeMeans: `when it is over ${IN_HAND}`,
    faultMs: () => BURST_MS,
    mustBeNoticed: false,
    async disrupt() {},
    async eachSecond({ stage, sinceMs }) {
      const { fillsPerMinute, usdPerMinute } = stage.position.peak
      const minutes = Math.min(sinceMs, BURST_MS) / 60_000
      for (; sent < minutes * TIMES * fillsPerMinute; sent += 1)
        await stage.market.take(sent % 2 === 0 ? 'ask' : 'bid', usdPerMinute / fillsPerMinute)
      for (; asked < minutes * moreRequests(stage.position); asked += 1) await stage.market.askWithKey()
    },
    isSafe: async (course) => course.sinceMs >= BURST_MS && (await isInHand(course)),
    advise: boundCostOrReadSooner('reads fills and balances sooner: the venue shows its last 100 fills only'),
  })
}

/** Returns how many requests to add per minute: as many as the desk sends in its busiest minute, up to the key's limit. */
export function moreRequests({ peak, config }: Pick<DrilledPosition, 'peak' | 'config'>): number {
  const { requestsPerMinute } = peak
  const left = config.venue.requestsPerMinute - requestsPerMinute
  return Math.max(0, Math.min((TIMES - 1) * requestsPerMinute, left))
}

const STALE_BPS = 10
const STALE_MOVE_BPS = 60

/** A late write of a dead process arrives: a narrow quote is live that no running process decided. */
export function zombieWrite(): Drill {
  return night({
    what: `a write of a dead process arrives late and leaves ${STALE_BPS} bps on both sides; the market moves by ${STALE_MOVE_BPS} bps`,
    safeMeans: 'the venue holds what the daemon wants, or the safe quote',
    whyUnplayable: ({ config }) =>
      config.rfq === null
        ? null
        : 'no quote stands at the venue (rfq): an order that arrives late was journalled before it was signed, and counts as open until it expires',
    async disrupt({ stage: { market } }) {
      const quote = { bidBps: STALE_BPS, askBps: STALE_BPS }
      const status = await market.asStranger('PATCH', '/api/v1/mm/spread', quote)
      if (status !== 200) throw new Error(`the late write was answered with ${status}`)
      market.moveTruth(STALE_MOVE_BPS)
    },
    async isSafe({ stage }) {
      const { isActive, bidBps, askBps } = await stage.market.quote()
      return !isActive || (bidBps !== STALE_BPS && askBps !== STALE_BPS)
    },
    advise: ({ config }, { kind, allowed, actual }) => {
      const now = config.pacing.quoteCheckIntervalMs
      // In proportion to the time, or to the cost, that must shrink.
      const share = actual === null || kind === 'notice' ? 1 : allowed / actual
      const most = kind === 'cost' ? now * share : Math.min(now, allowed)
      return {
        settings: [{ path: 'pacing.quoteCheckIntervalMs', value: Math.max(1_000, Math.floor(most / 2)) }],
        why: 'bounds how long a foreign quote may stand; venue.publicUrl lets the daemon see its quote as takers do',
      }
    },
  })
}
