import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Log } from '../../telemetry/log/log.ts'
import { createRenewals, type Renewals } from '../lease/renew-leases.ts'
import type { ProcessCredentials } from '../operator-token.ts'

/** The renewals of a process. One guard watches all of its positions; their configurations agree on it. */
export type HostRenewals = {
  /** Returns the renewals for this position; null = it is a dry run, or no guard is configured. */
  readonly of: (config: Pick<LoadedConfig, 'core' | 'guard'>) => Renewals | null
  /** Ends the renewals of positions that have left. */
  readonly leave: (names: readonly string[]) => Promise<void>
}

/** Renewals start with the first position that has a guard, because a fleet may start without one. */
export function createHostRenewals(
  { all, made }: Pick<ProcessCredentials, 'all' | 'made'>,
  log: Pick<Log, 'info' | 'warn'>,
  open: typeof createRenewals = createRenewals,
): HostRenewals {
  let renewals: Renewals | null = null
  return {
    of({ core, guard }) {
      if (core.mode === 'dry-run' || guard === null || guard.url === null) return null
      const shared = guard.token?.reveal() ?? made ?? all.find(({ isShared }) => isShared)?.token ?? null
      if (shared === null) return null
      renewals ??= open({ guard: { ...guard, url: guard.url }, token: () => shared, log })
      return renewals
    },
    leave: async (names) => renewals?.leave(names),
  }
}
