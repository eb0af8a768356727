import { HOUR_MS } from '../../../base/time.ts'
import type { Drill } from '../drill.ts'
import type { AdvisedSetting } from '../model/advice.ts'
import { type DrilledPosition, hasGuard } from '../model/drilled-position.ts'
import { fillDisk, whyNoSmallDisk } from '../stage/disk.ts'
import {
  boundCostOr,
  boundCostOrReadSooner,
  holdsSafeQuote,
  IN_HAND,
  isInHand,
  isOutOfMarket,
  night,
  OUT_OF_MARKET,
  tradeBothSides,
  whyUnplayableAtAll,
} from './safety.ts'

/** The time that systemd, Docker and Kubernetes take to restart a process that has ended several times. */
const RESTART_MS = 10_000

/** Kills a process and restarts it later, once the venue publishes the market's rate. */
function killed(moveBps: number, kill: Drill['disrupt'], restart: Drill['eachSecond']) {
  let isBack = false
  const parts: Pick<Drill, 'disrupt' | 'eachSecond'> = {
    async disrupt(course) {
      await kill(course)
      course.stage.market.moveTruth(moveBps)
    },
    async eachSecond(course) {
      const { stage, sinceMs, takerUsd } = course
      await stage.market.exploit(takerUsd)
      if (isBack || sinceMs < RESTART_MS) return
      isBack = true
      await stage.market.publishTruth()
      await restart(course)
    },
  }
  return { parts, isBack: () => isBack }
}

const DAEMON_MOVE_BPS = 100

/**
 * The daemon dies at once (kill -9) and a supervisor restarts it. Until then its last quote is live, unless a guard sets the
 * safe one.
 */
export function daemonKilled(): Drill {
  const { parts, isBack } = killed(
    DAEMON_MOVE_BPS,
    ({ stage }) => stage.daemon().kill('SIGKILL'),
    async ({ stage }) => {
      const restarted = await stage.restart()
      if (!restarted.ok) throw new Error(`the daemon did not start again: ${restarted.error}`)
    },
  )
  return night({
    what: `the daemon dies (kill -9) as the market moves by ${DAEMON_MOVE_BPS} bps, and is started again after ${RESTART_MS / 1_000} s`,
    safeMeans: `the guard has set the safe quote, or after its return ${IN_HAND}`,
    mustBeNoticed: false,
    ...parts,
    isSafe: async (course) =>
      (hasGuard(course.stage.position) && (await holdsSafeQuote(course))) ||
      (isBack() && (await isInHand(course))),
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
  })
}

/** Between a slow renewal and the deadline. */
const ROOM_MS = 500
/** The wait exceeds the deadline by this factor: the rates of two clocks may differ by a fifth. */
const WAIT_FACTOR = 1.5
const SHORTEST_MS = 250

/** The shortest terms with these renewals; if the desk has them already, those with twice as frequent renewals. */
function soonerGuard({ config }: DrilledPosition): readonly AdvisedSetting[] {
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

const GUARD_MOVE_BPS = 60

/** The guard dies at once (kill -9) while its daemon lives, and a supervisor restarts it. */
export function guardRestarted(): Drill {
  const { parts, isBack } = killed(
    GUARD_MOVE_BPS,
    ({ stage }) => stage.guard()?.kill('SIGKILL') ?? Promise.resolve(),
    async ({ stage }) => {
      const restarted = await stage.restartGuard()
      if (!restarted.ok) throw new Error(`after its end ${restarted.error}`)
    },
  )
  return night({
    what: `the guard dies (kill -9) as the market moves by ${GUARD_MOVE_BPS} bps, and is started again after ${RESTART_MS / 1_000} s`,
    safeMeans: `the guard watches again, and ${IN_HAND}`,
    whyUnplayable: (position) =>
      whyUnplayableAtAll(position) ??
      (hasGuard(position)
        ? null
        : 'the configuration has no section guard: `guard: {}` in it names the one that `mizani guard` runs on this machine'),
    faultMs: () => RESTART_MS,
    ...parts,
    async isSafe(course) {
      if (!isBack()) return false
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
      return boundCostOr(() => ({
        settings: soonerGuard(position),
        why: 'lets daemon and guard find each other again sooner',
      }))(position, failure)
    },
  })
}

/** Signed orders do not change: the market moves, so that they can be filled at a loss. */
const DISK_MOVE_BPS = 100

/** The disk of the store is full: nothing can be journalled, so the daemon can only leave the market. */
export function diskFull(): Drill {
  return night({
    what: `the disk of the store is full; with signed orders the market moves by ${DISK_MOVE_BPS} bps as well`,
    safeMeans: OUT_OF_MARKET,
    whyUnplayable: (position) => whyUnplayableAtAll(position) ?? whyNoSmallDisk(),
    stage: { hasSmallDisk: true },
    async disrupt({ stage }) {
      fillDisk(stage.daemon().pid, stage.storeFolder)
      if (stage.market.chain !== null) stage.market.moveTruth(DISK_MOVE_BPS)
    },
    eachSecond: (course) =>
      course.stage.market.chain === null
        ? tradeBothSides(course)
        : course.stage.market.exploit(course.takerUsd),
    isSafe: isOutOfMarket,
    advise: (position, failure) => {
      if (position.config.quote.onExit === 'keep')
        return {
          settings: [{ path: 'quote.onExit', value: 'widen' }],
          why: 'sets the safe quote before the daemon leaves, which it does when nothing can be journalled',
        }
      if (!hasGuard(position))
        return {
          settings: [{ path: 'guard', value: {} }],
          why: 'and `mizani guard` on another disk set the safe quote where the daemon can no longer do so itself',
        }
      return boundCostOr(() => ({
        settings: [],
        why: 'give store.path a separate disk and watch its free space (the alert of node_exporter in grafana/)',
      }))(position, failure)
    },
  })
}

const JUMP_MS = 2 * HOUR_MS
/** Every poll of the default pacing is made with the wrong clock within this time. */
const WATCHED_MS = 25_000

/** The clock of the machine is two hours ahead at once, as after a suspension or with a wrong time server. */
export function clockJump(): Drill {
  return night({
    what: "the machine's clock jumps two hours ahead while takers trade",
    safeMeans: `${WATCHED_MS / 1_000} s later ${IN_HAND}`,
    faultMs: () => WATCHED_MS,
    async disrupt({ stage }) {
      stage.setClock(JUMP_MS)
    },
    async eachSecond(course) {
      if (course.sinceMs < WATCHED_MS) await tradeBothSides(course)
    },
    isSafe: async (course) => course.sinceMs >= WATCHED_MS && (await isInHand(course)),
    advise: boundCostOrReadSooner(
      'reads fills and balances sooner after the jump; chrony and systemd-timesyncd slew the clock of the machine instead of letting it jump',
    ),
  })
}
