import type { AdvisedSetting } from '../model/advice.ts'
import type { Drill } from '../drill.ts'
import { type DrilledPosition, hasGuard } from '../model/drilled-position.ts'
import { holdsSafeQuote, IN_HAND, isInHand, whyNotAtAll } from './safety.ts'

/** What systemd, Docker and Kubernetes take to start a process again after some ends of it. */
const RESTART_MS = 10_000
const MOVE_BPS = 100

/**
 * The daemon dies at once (kill -9) and a supervisor starts it again. Until then its last quote stands, unless a guard is
 * there to make it safe.
 */
export function daemonKilled(): Drill {
  let isBack = false
  return {
    name: 'daemon-killed',
    what: `the daemon dies (kill -9) as the market moves by ${MOVE_BPS} bps, and is started again after ${RESTART_MS / 1_000} s`,
    safeMeans: `the guard has set the safe quote, or after its return ${IN_HAND}`,
    whyNot: whyNotAtAll,
    mustBeNoticed: false,
    async strike({ stage }) {
      await stage.daemon().kill('SIGKILL')
      stage.market.moveTruth(MOVE_BPS)
    },
    async goOn(course) {
      const { stage, sinceMs, takerUsd } = course
      await stage.market.exploit(takerUsd)
      if (isBack || sinceMs < RESTART_MS) return
      isBack = true
      await stage.market.publishTruth()
      const restarted = await stage.restart()
      if (!restarted.ok) throw new Error(`the daemon did not start again: ${restarted.error}`)
    },
    isSafe: async (course) =>
      (hasGuard(course.stage.position) && (await holdsSafeQuote(course))) ||
      (isBack && (await isInHand(course))),
    advise: (position) =>
      hasGuard(position)
        ? {
            settings: soonerGuard(position),
            why: 'lets the guard set the safe quote sooner after the last renewal',
          }
        : {
            settings: [{ path: 'guard', value: {} }],
            why: 'and `mizani guard` beside the daemon set the safe quote within seconds of its death; without one its last quote stands until a supervisor has started it again',
          },
  }
}

/** Between a slow renewal and the deadline. */
const ROOM_MS = 500
/** Clocks whose rates differ by a fifth need so much more than the deadline. */
const WAIT_FACTOR = 1.5
const SHORTEST_MS = 250

/** The shortest terms with these renewals; where the desk has them already, with renewals that are twice as frequent. */
export function soonerGuard({ config }: DrilledPosition): readonly AdvisedSetting[] {
  const { guard, venue } = config
  if (guard === null) return []
  const termsFor = (renewMs: number) => {
    const deadlineMs = renewMs + guard.roundTripMs + venue.writeTimeoutMs + ROOM_MS
    return { renewMs, deadlineMs, waitMs: Math.ceil(deadlineMs * WAIT_FACTOR) }
  }
  const same = termsFor(guard.renewMs)
  const terms =
    same.waitMs < guard.waitMs ? same : termsFor(Math.max(SHORTEST_MS, Math.floor(guard.renewMs / 2)))
  return Object.entries(terms).map(([name, value]) => ({ path: `guard.${name}`, value }))
}
