import { boundCost } from '../model/advice.ts'
import { type DrilledPosition, hasGuard } from '../model/drilled-position.ts'
import type { Drill } from '../drill.ts'
import { soonerGuard } from './daemon-killed.ts'
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
    faultMs: () => RESTART_MS,
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
    advise: (position, failure) => {
      const { guard } = position.config
      if (guard?.handBack === 'person')
        return {
          settings: [{ path: 'guard.handBack', value: 'auto' }],
          why: 'lets the daemon quote again once it has reconciled, also where no one is awake',
        }
      if (guard?.whenSilent === 'carry-on')
        return {
          settings: [{ path: 'guard.whenSilent', value: 'safe' }],
          why: 'keeps the safe quote while no one watches',
        }
      return failure.kind === 'cost'
        ? boundCost(position, failure)
        : { settings: soonerGuard(position), why: 'lets daemon and guard find each other again sooner' }
    },
  }
}

function whyNoGuard(position: DrilledPosition): string | null {
  return hasGuard(position)
    ? null
    : 'the configuration has no section guard: `guard: {}` in it names the one that `mizani guard` runs on this machine'
}
