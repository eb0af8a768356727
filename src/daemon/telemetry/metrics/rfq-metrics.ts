import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { absentGauge } from './optional-gauge.ts'

export type RfqMetrics = {
  readonly rfqOpen: Gauge<'side'>
  readonly rfqPromised: Gauge<'token'>
  readonly rfqFree: Gauge<'token'>
  readonly rfqSigned: Counter
  readonly rfqFills: Counter
  readonly rfqRejected: Counter<'code'>
  readonly rfqSignSeconds: Histogram
  readonly gasSpentEth: Counter
  readonly chainLagSeconds: Gauge
}

const MICROSECOND = 1e-6
/** From a key in this process (50 us) to a remote signer that is slow (seconds). */
const SIGN_BUCKETS = [
  20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 250_000, 1_000_000, 5_000_000,
].map((microseconds) => Number((microseconds * MICROSECOND).toPrecision(6)))

/** Signed orders: which are outstanding, what became of them, and what the chain costs. */
export function rfqMetrics(registry: Registry): RfqMetrics {
  return { ...promiseMetrics(registry), ...orderMetrics(registry), ...chainMetrics(registry) }
}

function promiseMetrics(registry: Registry) {
  const registers = [registry]
  return {
    rfqOpen: new Gauge({
      name: 'mizani_rfq_open',
      help: 'Outstanding signed orders: a taker may fill them, or their end is not final yet. bid: we buy shillings; ask: we sell them. Absent without self-custody.',
      labelNames: ['side'],
      registers,
    }),
    rfqPromised: new Gauge({
      name: 'mizani_rfq_promised',
      help: 'Amount that takers may still take through those orders (committed), in whole tokens. Absent without self-custody.',
      labelNames: ['token'],
      registers,
    }),
    rfqFree: new Gauge({
      name: 'mizani_rfq_free',
      help: 'Available for new orders: the configured part of balance or allowance, whichever is less, minus what orders commit. Below 0 orders are overcommitted. Absent before the chain was read.',
      labelNames: ['token'],
      registers,
    }),
  }
}

function orderMetrics(registry: Registry) {
  const registers = [registry]
  const rfqRejected = new Counter({
    name: 'mizani_rfq_rejected_total',
    help: "Orders that were not signed, or that the venue did not accept, by code: the venue's own, or the signer's. Orders that were certainly never signed are void; all others stay outstanding.",
    labelNames: ['code'],
    registers,
  })
  for (const code of ORDER_CODES) rfqRejected.inc({ code }, 0)
  return {
    rfqSigned: new Counter({
      name: 'mizani_rfq_signed_total',
      help: 'Orders that were signed and sent, whatever the venue answered.',
      registers,
    }),
    rfqFills: new Counter({
      name: 'mizani_rfq_fills_total',
      help: 'Fills of orders seen on the chain, parts counted one by one. A fill that a reorganisation reverses stays counted.',
      registers,
    }),
    rfqRejected,
    rfqSignSeconds: new Histogram({
      name: 'mizani_rfq_sign_seconds',
      help: 'Time from an order to its signature, including hash, checks and the wait for a remote signer.',
      buckets: SIGN_BUCKETS,
      registers,
    }),
  }
}

function chainMetrics(registry: Registry) {
  return {
    gasSpentEth: new Counter({
      name: 'mizani_gas_spent_eth_total',
      help: 'Gas paid for our own transactions (cancellations, approvals), in ether, since this process started.',
      registers: [registry],
    }),
    chainLagSeconds: absentGauge(
      registry,
      'mizani_chain_lag_seconds',
      'Age of the newest block that was read. Beyond rfq.maxChainLagMs no new order is signed. Absent before the first reading.',
    ),
  }
}

/** Codes with which orders are refused, as the venue's contract and the signer name them. */
export const ORDER_CODES = [
  'pooled_capital_active',
  'NOT_SELF_CUSTODY',
  'BAD_ORDER',
  'BAD_SIGNATURE',
  'UNSUPPORTED_CHAIN',
  'UNKNOWN_TOKEN',
  'SAME_TOKEN',
  'NOT_TZS_TOKEN_PAIR',
  'WRONG_MAKER',
  'WRONG_TAKER',
  'WRONG_TX_ORIGIN',
  'EXPIRES_TOO_SOON',
  'EXPIRES_TOO_LATE',
  'ORDER_NOT_FILLABLE',
  'CHAIN_UNAVAILABLE',
  'RATE_LIMIT',
  'INTERNAL_ERROR',
  'TIMEOUT',
  'NETWORK',
  'MALFORMED',
  'NOT_JSON',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'HASH_MISMATCH',
  'SIGN_BAD_AMOUNT',
  'SIGN_CHAIN_UNSEEN',
  'SIGN_CLOCK',
  'SIGN_DAILY_LIMIT',
  'SIGN_DUPLICATE',
  'SIGN_EXPIRED',
  'SIGN_EXPIRES_TOO_LATE',
  'SIGN_FAILED',
  'SIGN_HOURLY_LIMIT',
  'SIGN_MALFORMED',
  'SIGN_NOT_HELD',
  'SIGN_NO_CORRIDOR',
  'SIGN_NO_SOLVER',
  'SIGN_ORDER_TOO_LARGE',
  'SIGN_OUTSIDE_CORRIDOR',
  'SIGN_OUTSTANDING_LIMIT',
  'SIGN_REMOTE_FAILED',
  'SIGN_REMOTE_GARBAGE',
  'SIGN_REMOTE_REFUSED',
  'SIGN_REMOTE_TIMEOUT',
  'SIGN_REMOTE_UNREACHABLE',
  'SIGN_REMOTE_WRONG_KEY',
  'SIGN_SALT_REUSED',
  'SIGN_STATE_FAILED',
  'SIGN_STOPPED',
  'SIGN_TOO_MANY',
  'SIGN_WRONG_DOMAIN',
  'SIGN_WRONG_MAKER',
  'SIGN_WRONG_SOLVER',
  'SIGN_WRONG_TOKEN',
] as const
