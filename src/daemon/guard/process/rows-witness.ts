import type { Ms } from '../../../base/time.ts'
import { NO_WITNESS, type Watched, type Witness } from '../position/grants.ts'
import type { LeaseRows } from '../position/lease-rows.ts'
import type { VenueLooks } from './look-at-venue.ts'
import type { Report } from '../notices/report.ts'
import type { PositionSettings } from './settings.ts'

type SilenceWatchParts = {
  readonly settings: Pick<PositionSettings, 'name' | 'acts' | 'whenSilent' | 'waitMs'>
  readonly watched: Pick<Watched, 'observed' | 'shown'>
  readonly rows: LeaseRows | null
  readonly looks: Pick<VenueLooks, 'lookForSafe' | 'wasSeenSafe'>
  readonly report: Pick<Report, 'log'>
}

const CUT_OFF =
  "the daemon's renewals do not arrive, but its lease row in PostgreSQL moves: it is alive and cut off only from this guard"
const NO_MORE = 'it renews again, or its row has stopped moving too'

/**
 * During a silence, reads the lease rows. If they show a live daemon, checks the venue for the safe quote. Logs when a cut-off begins and
 * ends.
 */
export function createSilenceWatch({
  settings,
  watched,
  rows,
  looks,
  report,
}: SilenceWatchParts): (now: Ms) => Witness {
  let wasCutOff = false
  return (now) => {
    const witness = witnessOf(rows, watched, settings, { now, wasSeenSafe: looks.wasSeenSafe })
    const isCutOff = witness.holder !== 'silent'
    if (isCutOff && !wasCutOff) report.log('warn', settings.name, CUT_OFF)
    if (!isCutOff && wasCutOff) report.log('info', settings.name, NO_MORE)
    wasCutOff = isCutOff
    if (isCutOff && watched.observed !== null) looks.lookForSafe(watched.observed.changedAt)
    return witness
  }
}

/**
 * The guard does not intervene when a daemon is only cut off and nothing has to be made safe: the guard sends nothing anyway, the daemon
 * continues quoting under `guard.whenSilent`, the position is not in the market, or the venue shows the safe quote. In doubt, or if the
 * rows are unreadable, the daemon counts as dead.
 */
function witnessOf(
  rows: LeaseRows | null,
  { observed, shown }: SilenceWatchParts['watched'],
  { acts, whenSilent, waitMs }: SilenceWatchParts['settings'],
  { now, wasSeenSafe }: { readonly now: Ms; readonly wasSeenSafe: VenueLooks['wasSeenSafe'] },
): Witness {
  if (rows === null || observed === null) return NO_WITNESS
  const hasStandby = rows.hasStandby()
  const isTakenOver = rows.isTakenOver(waitMs, now)
  if (!rows.isCutOff(observed.changedAt, waitMs, now)) return { hasStandby, isTakenOver, holder: 'silent' }
  const isLetBe =
    !acts || whenSilent === 'carry-on' || shown?.isActive === false || wasSeenSafe(observed.changedAt)
  return { hasStandby, isTakenOver, holder: isLetBe ? 'let-be' : 'cut-off' }
}
