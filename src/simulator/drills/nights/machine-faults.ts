import { boundCost, readSooner } from '../model/advice.ts'
import { hasGuard } from '../model/drilled-position.ts'
import type { Course, Drill } from '../drill.ts'
import { fillDisk, whyNoSmallDisk } from '../stage/disk.ts'
import { IN_HAND, isInHand, isOutOfMarket, OUT_OF_MARKET, tradeBothSides, whyNotAtAll } from './safety.ts'
import { HOUR_MS } from '../../../base/time.ts'

/** Signed orders stay as they were: the market moves, so that they can be filled at a loss. */
const MOVE_BPS = 100

/** The disk of the store is full: nothing can be journalled any longer, so nothing may be done but leave. */
export function diskFull(): Drill {
  return {
    name: 'disk-full',
    what: `the disk of the store is full; with signed orders the market moves by ${MOVE_BPS} bps as well`,
    safeMeans: OUT_OF_MARKET,
    whyNot: (position) => whyNotAtAll(position) ?? whyNoSmallDisk(),
    stage: { hasSmallDisk: true },
    mustBeNoticed: true,
    async strike({ stage }) {
      fillDisk(stage.daemon().pid, stage.storeFolder)
      if (stage.market.chain !== null) stage.market.moveTruth(MOVE_BPS)
    },
    goOn: (course: Course) =>
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
      if (failure.kind === 'cost') return boundCost(position, failure)
      return {
        settings: [],
        why: 'give store.path a disk of its own and watch its room (the alert of node_exporter in grafana/)',
      }
    },
  }
}

const JUMP_MS = 2 * HOUR_MS
/** So that every poll of the default pacing was made with the wrong clock. */
const WATCHED_MS = 25_000

/** The clock of the machine is two hours ahead at once, as after a suspended machine or a wrong time server. */
export function clockJump(): Drill {
  return {
    name: 'clock-jump',
    what: "the machine's clock jumps two hours ahead while takers trade",
    safeMeans: `${WATCHED_MS / 1_000} s later ${IN_HAND}`,
    whyNot: whyNotAtAll,
    faultMs: () => WATCHED_MS,
    mustBeNoticed: true,
    async strike({ stage }) {
      stage.setClock(JUMP_MS)
    },
    async goOn(course) {
      if (course.sinceMs < WATCHED_MS) await tradeBothSides(course)
    },
    isSafe: async (course) => course.sinceMs >= WATCHED_MS && (await isInHand(course)),
    advise: (position, failure) =>
      failure.kind === 'cost'
        ? boundCost(position, failure)
        : {
            settings: readSooner(position, failure),
            why: 'reads fills and balances sooner after the jump; chrony and systemd-timesyncd slew the clock of the machine instead of letting it jump',
          },
  }
}
