import type { LoadedConfig } from '../../../config/load/loaded-config.ts'
import type { PositionView } from '../../../view/position-view.ts'
import type { TreasuryReading } from '../../../view/treasury-reading.ts'
import type { Log } from '../../../telemetry/log/log.ts'
import type { PositionNotifier } from './position-notifier.ts'

/** The notifiers by position. A position whose configuration names no channel has none. */
type HostNotifiers = ReadonlyMap<string, PositionNotifier>

type HostNotifiersParts = {
  readonly version: string
  readonly log: Log
  readonly look: (position: string) => Promise<PositionView | null>
  /** Asked of positions that have a treasury. */
  readonly treasury: (position: string) => Promise<TreasuryReading | null>
}

/** Their code is loaded only where a channel is configured. */
export async function hostNotifiers(
  configs: readonly LoadedConfig[],
  { version, log, look, treasury }: HostNotifiersParts,
): Promise<HostNotifiers> {
  const notifiers = new Map<string, PositionNotifier>()
  for (const config of configs) {
    const { notify } = config
    const { name } = config.core
    if (notify === null) continue
    const { notifyPosition } = await import('./position-notifier.ts')
    notifiers.set(
      name,
      notifyPosition({
        config,
        notify,
        version,
        look: () => look(name),
        ...(config.treasury === null ? {} : { treasury: () => treasury(name) }),
        log: log.child({ position: name }),
      }),
    )
  }
  return notifiers
}
