import type { Ms } from '../../base/time.ts'
import type { Side } from '../../money/side.ts'

/**
 * What went out with this key: by this process, by the one before it, by a command that ran without a daemon. A
 * request without an answer may take effect late, so it counts for an hour.
 */
export type OwnWrites = {
  /** When each spread was last sent, by side and bps. */
  spreads: Record<Side, Record<string, Ms>>
  /** Deactivations without a clear answer yet, by request. */
  deactivations: Record<string, Ms>
}
