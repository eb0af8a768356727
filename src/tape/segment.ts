import type { Ms } from '../base/time.ts'
import type { TapeBatch } from './tape-batch.ts'

/** A stretch of one file that is read in one go. */
export type Segment = {
  /** No row of it is older. */
  readonly startsAt: Ms
  readonly file: string
  /** 'row group 3', or 'text'. */
  readonly at: string
  /** Its rows in the order of a tape; what cannot be read has been told and is not among them. Never throws. */
  readonly load: () => TapeBatch
}
