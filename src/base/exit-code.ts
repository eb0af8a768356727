/** The exit codes of all commands; scripts depend on them. */
export const EXIT_CODE = {
  ok: 0,
  failed: 1,
  /** The command line or the configuration is wrong; nothing was started. */
  usage: 2,
  /** A risk rule or the current state refuses it; the answer gives the reason. */
  refused: 3,
  /** The venue has not confirmed it: no answer, a rejected key, or no end shown yet. */
  unconfirmed: 4,
  /** Money may have moved and no answer shows whether it did. A retry under another key could move it twice. */
  unknown: 5,
} as const

/** The exit codes as a sentence for `--help`. */
export const EXIT_CODES =
  'Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 refused by risk, 4 not confirmed by the venue (unreachable included), 5 outcome of a payment unknown.'
