import type { Ms } from '../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { elapsedMs, mayStartWrite } from '../../lease/holder.ts'
import { countingSide, createSharedRenewal } from '../../lease/shared-renewal.ts'
import type { LeaseTerms } from '../../lease/terms.ts'
import { postgresLease } from '../../store/postgres/terms.ts'
import { SYSTEM_TIMING, type Timing } from '../../threads/timing.ts'
import type { WriteGate } from '../../venue/client.ts'
import type { RunningPosition } from '../position/run-position.ts'

/** A position that several daemons may take: what the rows in PostgreSQL allow this one to write. */
export type PositionHold = {
  readonly terms: LeaseTerms
  /** For the thread that renews. */
  readonly buffer: SharedArrayBuffer
  readonly gate: WriteGate
  /** From now on signs of life are sent only while the position's loop decides and its journal takes it. */
  readonly attach: (position: Pick<RunningPosition, 'isAlive'>) => void
  readonly close: () => void
}

const COUNT_MS: Ms = 200

/** Null where the store is a folder: its lock on this machine is enough. */
export function openPositionHold({
  store,
  venue,
}: Pick<LoadedConfig, 'store' | 'venue'>): PositionHold | null {
  return typeof store.place === 'string' ? null : createPositionHold(postgresLease(venue.writeTimeoutMs))
}

export function createPositionHold(terms: LeaseTerms, timing: Timing = SYSTEM_TIMING): PositionHold {
  const buffer = createSharedRenewal()
  const { count, renewed } = countingSide(buffer)
  let stop = (): void => undefined
  return {
    terms,
    buffer,
    gate: {
      mayStart() {
        const { fence, sentAt } = renewed()
        return fence > 0 && mayStartWrite(terms, elapsedMs(sentAt, timing.moment()))
      },
      spreadTimeoutMs: () => terms.writeTimeoutMs,
    },
    attach(position) {
      count()
      stop = timing.every(COUNT_MS, () => {
        if (position.isAlive()) count()
      })
    },
    close: () => stop(),
  }
}

/** What every one of them allows; undefined = there is none. */
export function allGates(gates: readonly WriteGate[]): WriteGate | undefined {
  if (gates.length === 0) return undefined
  return {
    mayStart: (write) => gates.every((gate) => gate.mayStart(write)),
    spreadTimeoutMs() {
      const limits = gates.map((gate) => gate.spreadTimeoutMs()).filter((limit) => limit !== null)
      return limits.length === 0 ? null : Math.min(...limits)
    },
  }
}
