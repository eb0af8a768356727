/** What a calibration cannot know from a tape. */
export type CalibrationSettings = {
  /** Within so many bps of the best the venue takes turns. */
  readonly toleranceBps: number
  /** Of everything drawn. */
  readonly seed: number
  /** For fills whose row does not carry the fee; 10 by default, as in the configuration. */
  readonly protocolFeeBps?: number
  /** The reference source that is the fair value; by default the first one on the tape. */
  readonly fairValue?: string | null
}
