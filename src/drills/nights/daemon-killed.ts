import type { Drill } from '../model/drill.ts'
import { hasGuard } from '../model/drilled-position.ts'
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
    limitMs: () => RESTART_MS + 60_000,
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
        ? `lower guard.waitMs (${position.config.guard?.waitMs}) with guard.deadlineMs: it sets how soon the guard acts`
        : 'while the daemon is dead its last quote stands: a guard (`mizani guard`, and `guard: {}` in the configuration) sets the safe quote within seconds; a supervisor that restarts at once shortens it, less capital in the pool bounds what it costs',
  }
}
