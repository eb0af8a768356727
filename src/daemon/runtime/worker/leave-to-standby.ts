import type { Ms } from '../../../base/time.ts'
import type { ExitReport } from '../../../core/engine/lifecycle/exit-report.ts'
import type { VenuePort } from '../../../venue/perform.ts'
import { openVenueClient } from '../effects/connect-venue.ts'
import { emergencyWiden } from '../effects/emergency-widen.ts'
import { allGates, type PositionHold } from '../lease/position-hold.ts'
import type { PostedStore } from '../../../store/journal/posted-store.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { Custody } from '../effects/custody.ts'
import type { PositionLease } from '../lease/position-lease.ts'
import type { RunningPosition } from '../position/run-position.ts'
import type { Reloader } from './reloader.ts'

export type Left = ExitReport & { readonly isHandedOver: boolean }

type Leaving = {
  readonly position: Pick<RunningPosition, 'handOver'>
  readonly store: Pick<PostedStore, 'handOver'>
  readonly client: Pick<VenuePort, 'close'>
  readonly custody: Pick<Custody, 'close'> | null
  readonly hold: PositionHold | null
  readonly lease: PositionLease | null
  readonly log: Pick<Log, 'fatal'>
  readonly reloader: Pick<Reloader, 'current'>
}

/**
 * Leaves the position as its quote stands to the daemon that stands by, and waits until that one holds it. Where no one takes it, the
 * position is held again and gets the safe quote: no one would watch it. The journal does not have that write, and the next start reads
 * it back.
 */
export async function leaveToStandby(leaving: Leaving, withinMs: Ms): Promise<Left> {
  const { position, store, client, custody, hold, lease } = leaving
  lease?.keepCounting()
  const report = await position.handOver(withinMs)
  hold?.close()
  // Before another daemon may begin: no write of this one is under way then.
  await Promise.all([client.close(), custody?.close()])
  if (await store.handOver()) return { ...report, isHandedOver: true }
  return { ...(await makeSafe(leaving)), isHandedOver: false }
}

async function makeSafe({ hold, lease, log, reloader }: Leaving): Promise<ExitReport> {
  const config = reloader.current()
  const gate = allGates([lease, hold].flatMap((one) => (one === null ? [] : [one.gate])))
  const client = openVenueClient(config, gate === undefined ? {} : { gate })
  const outcome = await emergencyWiden(client, config, log)
  await client.close()
  const notTaken = 'the daemon that stood by did not take the position'
  if (outcome === 'left') return { settled: true, text: `${notTaken}: left as it stands` }
  if (outcome === 'unconfirmed')
    return { settled: false, text: `${notTaken}: NOT confirmed at the safe quote` }
  const isAsked = config.core.quote.onExit !== 'deactivate'
  const text = `${notTaken}: widened to the safe quote, confirmed by the venue`
  return isAsked ? { settled: true, text } : { settled: false, text: `${text}, NOT deactivated` }
}
