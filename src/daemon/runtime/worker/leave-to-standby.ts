import type { Ms } from '../../../base/time.ts'
import type { ExitReport } from '../../../core/engine/lifecycle/exit-report.ts'
import type { VenuePort } from '../../../venue/port.ts'
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
 * Hands the position to the standby with its quote unchanged, and waits until the standby holds it. If it does not, this daemon takes the
 * position back and sets the safe quote, because otherwise no daemon would manage it. That write is not journalled; the next start reads it back.
 */
export async function leaveToStandby(leaving: Leaving, withinMs: Ms): Promise<Left> {
  const { position, store, client, custody, hold, lease } = leaving
  lease?.keepCounting()
  const report = await position.handOver(withinMs)
  hold?.close()
  // Close the clients first: none of our writes may be in flight when another daemon begins.
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
  const notTaken = 'the standby daemon did not take the position'
  if (outcome === 'left') return { settled: true, text: `${notTaken}: left unchanged` }
  if (outcome === 'unconfirmed')
    return { settled: false, text: `${notTaken}: NOT confirmed at the safe quote` }
  const isAsked = config.core.quote.onExit !== 'deactivate'
  const text = `${notTaken}: widened to the safe quote, confirmed by the venue`
  return isAsked ? { settled: true, text } : { settled: false, text: `${text}, NOT deactivated` }
}
