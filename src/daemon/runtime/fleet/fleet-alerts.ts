import { join } from 'node:path'
import type { Ms } from '../../../base/time.ts'
import { POSITION_NOTICES, type PositionNotice } from '../../../core/alerts/position-notices.ts'
import type { LoadedNotify } from '../../config/load/loaded-config.ts'
import { createNotifier, type Notifier } from '../../notify/delivery/notifier.ts'
import { liftedNotice, positionNotice } from '../../notify/notice.ts'
import type { Log } from '../../telemetry/log/log.ts'
import { notificationLog, openChannels } from '../host/notifications/channels.ts'

/** Alerts about the whole fleet, for its log and its notifications. */
export type FleetAlerts = {
  /** The alert stays raised until it is lifted. It is reported once per `cause`; the default is the text. */
  readonly raise: (code: FleetAlert, text: string, cause?: string) => void
  readonly lift: (code: FleetAlert) => void
  readonly close: (withinMs: Ms) => Promise<void>
}

export type FleetAlert = Extract<PositionNotice, `fleet-${string}`>

/** The sender of notifications that concern no single position. */
const NAME = 'fleet'

/** `notify` null = log only: the defaults of the fleet name no channel. */
export function createFleetAlerts(notify: LoadedNotify | null, folder: string, log: Log): FleetAlerts {
  const notifier = notify === null ? null : openNotifier(notify, folder, log)
  const raised = new Map<FleetAlert, string>()
  return {
    raise(code, text, cause = text) {
      if (raised.get(code) === cause) return
      raised.set(code, cause)
      const isCritical = POSITION_NOTICES[code].severity === 'critical'
      log[isCritical ? 'error' : 'warn']({ event: 'alert', code }, text)
      notifier?.tell(positionNotice(code, text))
    },
    lift(code) {
      const cause = raised.get(code)
      if (cause === undefined) return
      raised.delete(code)
      log.info({ event: 'alert', code }, 'over')
      notifier?.tell(liftedNotice(Date.now(), code, `over: ${cause}`))
    },
    close: async (withinMs) => notifier?.close(withinMs),
  }
}

function openNotifier(notify: LoadedNotify, folder: string, log: Log): Notifier {
  const channels = openChannels(notify)
  return createNotifier({
    ...notify,
    position: NAME,
    mode: 'live',
    configFile: join(folder, 'defaults.yaml'),
    channels,
    onOutcome: notificationLog(log),
  })
}
