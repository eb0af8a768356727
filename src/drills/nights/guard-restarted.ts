import { type DrilledPosition, hasGuard } from '../model/drilled-position.ts'
import type { Drill } from '../model/drill.ts'
import { IN_HAND, isInHand, whyNotAtAll } from './safety.ts'

/** What systemd, Docker and Kubernetes take to start a process again after some ends of it. */
const RESTART_MS = 10_000
const MOVE_BPS = 60

/** The guard dies at once (kill -9) while its daemon lives, and a supervisor starts it again. */
export function guardRestarted(): Drill {
  let isBack = false
  return {
    name: 'guard-restarted',
    what: `the guard dies (kill -9) as the market moves by ${MOVE_BPS} bps, and is started again after ${RESTART_MS / 1_000} s`,
    safeMeans: `the guard watches again, and ${IN_HAND}`,
    whyNot: (position) => whyNotAtAll(position) ?? whyNoGuard(position),
    limitMs: ({ config }) => RESTART_MS + 60_000 + 2 * (config.guard?.waitMs ?? 0),
    mustBeNoticed: true,
    async strike({ stage }) {
      await stage.guard()?.kill('SIGKILL')
      stage.market.moveTruth(MOVE_BPS)
    },
    async goOn({ stage, sinceMs, takerUsd }) {
      await stage.market.exploit(takerUsd)
      if (isBack || sinceMs < RESTART_MS) return
      isBack = true
      await stage.market.publishTruth()
      const restarted = await stage.restartGuard()
      if (!restarted.ok) throw new Error(`after its end ${restarted.error}`)
    },
    async isSafe(course) {
      if (!isBack) return false
      const view = await course.stage.view()
      return view?.guard?.watch === 'held' && (await isInHand(course))
    },
    advise: ({ config }) =>
      config.guard?.whenSilent === 'carry-on'
        ? 'guard.whenSilent: safe keeps the safe quote while nobody watches'
        : 'a supervisor that starts the guard at once shortens the time at the safe quote; the daemon needs guard.renewMs and one reconciliation to be back',
  }
}

function whyNoGuard(position: DrilledPosition): string | null {
  return hasGuard(position)
    ? null
    : 'the configuration has no section guard: `guard: {}` in it names the one that `mizani guard` runs on this machine'
}
