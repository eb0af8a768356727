import { fillDisk, whyNoSmallDisk } from '../stage/disk.ts'
import type { Drill } from '../model/drill.ts'
import { IN_HAND, isInHand, isOutOfMarket, OUT_OF_MARKET, tradeBothSides, whyNotAtAll } from './safety.ts'
import { HOUR_MS } from '../../base/time.ts'

/** The disk of the store is full: nothing can be journalled any more, so nothing may be done but leave. */
export function diskFull(): Drill {
  return {
    name: 'disk-full',
    what: 'the disk of the store is full',
    safeMeans: OUT_OF_MARKET,
    whyNot: (position) => whyNotAtAll(position) ?? whyNoSmallDisk(),
    stage: { hasSmallDisk: true },
    limitMs: () => 60_000,
    mustBeNoticed: true,
    async strike({ stage }) {
      fillDisk(stage.daemon().pid, stage.storeFolder)
    },
    goOn: tradeBothSides,
    isSafe: isOutOfMarket,
    advise: () =>
      'give store.path a disk of its own and watch its room (the alert of node_exporter in grafana/)',
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
    limitMs: () => WATCHED_MS + 45_000,
    mustBeNoticed: true,
    async strike({ stage }) {
      stage.setClock(JUMP_MS)
    },
    async goOn(course) {
      if (course.sinceMs < WATCHED_MS) await tradeBothSides(course)
    },
    isSafe: async (course) => course.sinceMs >= WATCHED_MS && (await isInHand(course)),
    advise: () =>
      'keep the time of the machine with chrony or systemd-timesyncd, which slew instead of jumping',
  }
}
