import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import type { VenueFailure } from '../model/venue-answer.ts'

/** The consequence of a rejected order for the next ones. */
type RejectionPolicy = {
  /** The time without a new order. */
  readonly pauseMs: Ms
  /** The next order may succeed without a repair. */
  readonly isPassing: boolean
  /** Advice for the operator. */
  readonly remedy: string
}

const AGREE = 'the venue and rfq in the configuration do not agree; compare with GET /mm/rfq/info and reload'
const CLOCK = 'the clocks differ; compare this machine with the venue (NTP), or raise rfq.expiryMs'
const PATH =
  'compare venue.prefix and venue.rfqOrderPath with the venue, and ask whether it has an account for this key'
const SIGNATURE =
  'check rfq.maker, rfq.signer, rfq.chainId and rfq.exchange: the signature is not what the venue expects'

/** The contract's table of order errors. */
const LESSONS: Readonly<Record<string, RejectionPolicy>> = {
  NOT_SELF_CUSTODY: {
    pauseMs: MINUTE_MS,
    isPassing: false,
    remedy: 'signing has stopped: stop the daemon, run `mizani custody enable`, start it',
  },
  pooled_capital_active: { pauseMs: MINUTE_MS, isPassing: false, remedy: 'run `mizani custody enable`' },
  BAD_ORDER: { pauseMs: 5 * MINUTE_MS, isPassing: false, remedy: AGREE },
  BAD_SIGNATURE: { pauseMs: 5 * MINUTE_MS, isPassing: false, remedy: SIGNATURE },
  UNSUPPORTED_CHAIN: { pauseMs: 5 * MINUTE_MS, isPassing: false, remedy: AGREE },
  UNKNOWN_TOKEN: { pauseMs: 5 * MINUTE_MS, isPassing: false, remedy: AGREE },
  SAME_TOKEN: { pauseMs: 5 * MINUTE_MS, isPassing: false, remedy: AGREE },
  NOT_TZS_TOKEN_PAIR: { pauseMs: 5 * MINUTE_MS, isPassing: false, remedy: AGREE },
  WRONG_MAKER: { pauseMs: 5 * MINUTE_MS, isPassing: false, remedy: AGREE },
  WRONG_TAKER: { pauseMs: MINUTE_MS, isPassing: false, remedy: AGREE },
  WRONG_TX_ORIGIN: { pauseMs: MINUTE_MS, isPassing: false, remedy: AGREE },
  NOT_FOUND: { pauseMs: 5 * MINUTE_MS, isPassing: false, remedy: PATH },
  EXPIRES_TOO_SOON: { pauseMs: 30 * SECOND_MS, isPassing: true, remedy: CLOCK },
  EXPIRES_TOO_LATE: { pauseMs: 30 * SECOND_MS, isPassing: true, remedy: CLOCK },
  // This order has ended. If the next one would fail too (a pair cancelled up to a future salt), the chain shows it.
  ORDER_NOT_FILLABLE: {
    pauseMs: 5 * SECOND_MS,
    isPassing: true,
    remedy: 'nothing: the chain shows how it ended',
  },
  CHAIN_UNAVAILABLE: { pauseMs: 5 * SECOND_MS, isPassing: true, remedy: 'nothing: it is retried' },
}

const NOT_SIGNED: RejectionPolicy = {
  pauseMs: 30 * SECOND_MS,
  isPassing: false,
  remedy: "read the signer's message; nothing was signed",
}
const LIMIT = 'it lifts on its own as orders end; the limits are in rfq and change only on restart'
/** Refusals by the signer's policy that have their own pause or remedy. */
const SIGNER_LESSONS: Readonly<Record<string, RejectionPolicy>> = {
  SIGN_OUTSTANDING_LIMIT: { pauseMs: 15 * SECOND_MS, isPassing: true, remedy: LIMIT },
  SIGN_TOO_MANY: { pauseMs: 15 * SECOND_MS, isPassing: true, remedy: LIMIT },
  SIGN_HOURLY_LIMIT: { pauseMs: 5 * MINUTE_MS, isPassing: false, remedy: LIMIT },
  SIGN_DAILY_LIMIT: { pauseMs: 15 * MINUTE_MS, isPassing: false, remedy: LIMIT },
  SIGN_DUPLICATE: { pauseMs: 5 * SECOND_MS, isPassing: true, remedy: 'nothing: the first one is valid' },
  SIGN_STOPPED: {
    pauseMs: 30 * SECOND_MS,
    isPassing: false,
    remedy: '`mizani rfq stop-at never` lets it sign again',
  },
  SIGN_NO_SOLVER: { pauseMs: MINUTE_MS, isPassing: false, remedy: 'run `mizani custody enable`' },
  // Only in journals: the signer no longer needs a cancellation on disk.
  SIGN_NOT_SEALED: { pauseMs: 5 * SECOND_MS, isPassing: true, remedy: 'nothing: this version signs it' },
  SIGN_CHAIN_UNSEEN: {
    pauseMs: 5 * SECOND_MS,
    isPassing: true,
    remedy: 'check rfq.rpc and the clock; the signer reads the chain itself',
  },
}
const UNCLEAR: RejectionPolicy = {
  pauseMs: 5 * SECOND_MS,
  isPassing: true,
  remedy: 'nothing: the order stays outstanding until it expires',
}

export function rejectionPolicy(failure: VenueFailure, stage: 'sign' | 'submit'): RejectionPolicy {
  if (stage === 'sign') return SIGNER_LESSONS[failure.code] ?? NOT_SIGNED
  return LESSONS[failure.code] ?? UNCLEAR
}
