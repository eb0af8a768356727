import { MINUTE_MS, SECOND_MS, type Ms } from '../base/time.ts'
import type { Severity } from './observation.ts'
import type { VenueFailure } from './venue-failure.ts'

/** What a rejected order means for the ones after it. */
export type Lesson = {
  /** No order for so long. */
  readonly pauseMs: Ms
  readonly severity: Severity
  /** What a person can do about it. */
  readonly cure: string
}

const AGREE = 'the venue and rfq in the configuration do not agree; compare with GET /mm/rfq/info and reload'
const CLOCK = 'the clocks differ; compare this machine with the venue (NTP), or raise rfq.expiryMs'
const PATH =
  'compare venue.prefix and venue.rfqOrderPath with the venue, and whether it has an account for this key'
const SIGNATURE =
  'check rfq.maker, rfq.signer, rfq.chainId and rfq.exchange: the signature is not what the venue expects'

/** The contract's table of order errors, and what each says about the next order. */
const LESSONS: Readonly<Record<string, Lesson>> = {
  NOT_SELF_CUSTODY: {
    pauseMs: MINUTE_MS,
    severity: 'critical',
    cure: 'nothing is signed any more: stop the daemon, run `mizani custody enable`, start it',
  },
  pooled_capital_active: { pauseMs: MINUTE_MS, severity: 'critical', cure: 'run `mizani custody enable`' },
  BAD_ORDER: { pauseMs: 5 * MINUTE_MS, severity: 'critical', cure: AGREE },
  BAD_SIGNATURE: { pauseMs: 5 * MINUTE_MS, severity: 'critical', cure: SIGNATURE },
  UNSUPPORTED_CHAIN: { pauseMs: 5 * MINUTE_MS, severity: 'critical', cure: AGREE },
  UNKNOWN_TOKEN: { pauseMs: 5 * MINUTE_MS, severity: 'critical', cure: AGREE },
  SAME_TOKEN: { pauseMs: 5 * MINUTE_MS, severity: 'critical', cure: AGREE },
  NOT_TZS_TOKEN_PAIR: { pauseMs: 5 * MINUTE_MS, severity: 'critical', cure: AGREE },
  WRONG_MAKER: { pauseMs: 5 * MINUTE_MS, severity: 'critical', cure: AGREE },
  WRONG_TAKER: { pauseMs: MINUTE_MS, severity: 'critical', cure: AGREE },
  WRONG_TX_ORIGIN: { pauseMs: MINUTE_MS, severity: 'critical', cure: AGREE },
  NOT_FOUND: { pauseMs: 5 * MINUTE_MS, severity: 'critical', cure: PATH },
  EXPIRES_TOO_SOON: { pauseMs: 30 * SECOND_MS, severity: 'warning', cure: CLOCK },
  EXPIRES_TOO_LATE: { pauseMs: 30 * SECOND_MS, severity: 'warning', cure: CLOCK },
  // One order is over. Where the next one would be too (a pair cancelled up to a salt of the future), the chain says so.
  ORDER_NOT_FILLABLE: {
    pauseMs: 5 * SECOND_MS,
    severity: 'warning',
    cure: 'nothing: the chain tells how it ended',
  },
  CHAIN_UNAVAILABLE: { pauseMs: 5 * SECOND_MS, severity: 'warning', cure: 'nothing: it is tried again' },
}

const NOT_SIGNED: Lesson = {
  pauseMs: 30 * SECOND_MS,
  severity: 'critical',
  cure: 'see what the signer says; nothing was signed',
}
const LIMIT = 'it lifts by itself as orders end; the limits are in rfq and change by restart only'
/** Refusals of the signer's own policy that ask for another pause or another cure. */
const SIGNER_LESSONS: Readonly<Record<string, Lesson>> = {
  SIGN_OUTSTANDING_LIMIT: { pauseMs: 15 * SECOND_MS, severity: 'warning', cure: LIMIT },
  SIGN_TOO_MANY: { pauseMs: 15 * SECOND_MS, severity: 'warning', cure: LIMIT },
  SIGN_HOURLY_LIMIT: { pauseMs: 5 * MINUTE_MS, severity: 'critical', cure: LIMIT },
  SIGN_DAILY_LIMIT: { pauseMs: 15 * MINUTE_MS, severity: 'critical', cure: LIMIT },
  SIGN_DUPLICATE: { pauseMs: 5 * SECOND_MS, severity: 'warning', cure: 'nothing: the first one stands' },
  SIGN_STOPPED: {
    pauseMs: 30 * SECOND_MS,
    severity: 'critical',
    cure: '`mizani rfq stop-at never` lets it sign again',
  },
  SIGN_NO_SOLVER: { pauseMs: MINUTE_MS, severity: 'critical', cure: 'run `mizani custody enable`' },
  SIGN_CHAIN_UNSEEN: {
    pauseMs: 5 * SECOND_MS,
    severity: 'warning',
    cure: 'look at rfq.rpc and at the clock; the signer reads the chain by itself',
  },
}
const UNCLEAR: Lesson = {
  pauseMs: 5 * SECOND_MS,
  severity: 'warning',
  cure: 'nothing: the order stays owed until it expires',
}

export function afterRejection(failure: VenueFailure, stage: 'sign' | 'submit'): Lesson {
  if (stage === 'sign') return SIGNER_LESSONS[failure.code] ?? NOT_SIGNED
  return LESSONS[failure.code] ?? UNCLEAR
}
