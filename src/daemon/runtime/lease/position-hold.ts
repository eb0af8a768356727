import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { elapsedMs, mayStartWrite } from '../../../core/lease/holder.ts'
import { countingSide, createSharedRenewal } from '../../../core/lease/shared-renewal.ts'
import type { LeaseTerms } from '../../../core/lease/terms.ts'
import type { StoreOptions } from '../../../store/journal/open-store.ts'
import { holdTerms } from '../../../store/postgres/terms.ts'
import { SYSTEM_TIMING, type Timing } from '../../../base/threads/timing.ts'
import type { WriteGate } from '../../../venue/port.ts'
import type { RunningPosition } from '../position/run-position.ts'

/** This daemon's hold on a position that several daemons may run: the lease rows in PostgreSQL decide what it may write. */
export type PositionHold = {
  readonly terms: LeaseTerms
  /** Shared with the renewing thread. */
  readonly buffer: SharedArrayBuffer
  readonly gate: WriteGate
  /** Reports progress of the start. After a minute without progress it counts as hung, and another daemon may take over the position. */
  readonly starting: () => void
  /** The number of the last confirmed grant; 0 before the first. */
  readonly fence: () => number
  /** From now on, sends signs of life only while the position's loop decides and its journal accepts writes. */
  readonly attach: (position: Pick<RunningPosition, 'isAlive'>) => void
  readonly close: () => void
}

const COUNT_MS: Ms = 200

/** Returns null if the store is a folder: its lock on this machine is enough. */
export function openPositionHold({ store }: Pick<LoadedConfig, 'store'>): PositionHold | null {
  return store.terms === null ? null : createPositionHold(store.terms)
}

/** Returns the options for opening a store that this process may have to hold. */
export function storeOptions(hold: PositionHold | null): Pick<StoreOptions, 'terms' | 'lease'> {
  return hold === null ? {} : { terms: holdTerms(hold.terms), lease: hold.buffer }
}

export function createPositionHold(terms: LeaseTerms, timing: Timing = SYSTEM_TIMING): PositionHold {
  const buffer = createSharedRenewal()
  const { count, step, renewed } = countingSide(buffer)
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
    starting: step,
    fence: () => renewed().fence,
    attach(position) {
      count()
      stop = timing.every(COUNT_MS, () => {
        if (position.isAlive()) count()
      })
    },
    close: () => stop(),
  }
}

/** Combines gates into one that allows a write only if every gate does; undefined = no gates. */
export function allGates(gates: readonly WriteGate[]): WriteGate | undefined {
  if (gates.length === 0) return undefined
  return {
    mayStart: (sets) => gates.every((gate) => gate.mayStart(sets)),
    spreadTimeoutMs() {
      const limits = gates.map((gate) => gate.spreadTimeoutMs()).filter((limit) => limit !== null)
      return limits.length === 0 ? null : Math.min(...limits)
    },
  }
}
