import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import type { VenueFailure } from '../../../../src/core/engine/model/venue-answer.ts'
import type { Fill } from '../../../../src/core/ledger/fills/fill.ts'
import { createLog } from '../../../../src/daemon/telemetry/log/log.ts'
import { createMetrics } from '../../../../src/daemon/telemetry/metrics/metrics.ts'
import { createObserver } from '../../../../src/daemon/telemetry/observer.ts'

export const EXAMPLE_T = 1_700_000_000_000

const EXAMPLE_FILL: Fill = {
  id: 'f-1',
  side: 'ask',
  inAsset: 'USDC',
  amountIn: 100n * 10n ** 18n,
  outAsset: 'NTZS',
  amountOut: 258_700_123456789012345678n,
  fee: null,
  earnedText: null,
  txHash: null,
  createdAt: EXAMPLE_T,
  raw: '{}',
}
export const EXAMPLE_FAILURE: VenueFailure = {
  kind: 'timeout',
  code: 'TIMEOUT',
  status: null,
  route: 'PATCH /spread',
  message: 'no answer in 5 s',
  retriable: true,
  outcome: 'unknown',
  retryAfterMs: null,
}
export const EXAMPLE_POSTED = {
  type: 'fillPosted',
  t: EXAMPLE_T,
  fill: EXAMPLE_FILL,
  fee: 258700n * 10n ** 15n,
  feeSource: 'computed',
  midAtFill: 2600n * 10n ** 18n,
  formula: 'ask',
  volumeUsd: 100n * 10n ** 18n,
} as const
export const EXAMPLE_SPREAD = { bidBps: 40, askBps: 60, quoteBid: true, quoteAsk: false, quotePairs: null }
export const EXAMPLE_ENTRY = {
  number: 7,
  t: EXAMPLE_T,
  kind: 'deposit',
  reason: 'own transfer',
  fillId: null,
  postings: [
    { account: 'external', asset: 'USDC', amount: -15n * 10n ** 17n },
    { account: 'wallet', asset: 'USDC', amount: 15n * 10n ** 17n },
  ],
} as const

export const EXAMPLE_RESERVED = {
  type: 'orderReserved',
  t: EXAMPLE_T,
  salt: 7n,
  side: 'ask',
  stable: 'USDC',
  usd: 2005n * 10n ** 17n,
  priceTzs: 2587n * 10n ** 18n,
  expiry: EXAMPLE_T + 120_000,
} as const
export const EXAMPLE_REJECTED = {
  type: 'orderRejected',
  t: EXAMPLE_T,
  salt: 7n,
  stage: 'submit',
  code: 'WRONG_TAKER',
  isVoid: false,
  message: 'the taker is another',
} as const

/** What the log and the counters of a position have of these observations. */
export function observed(...observations: readonly Observation[]) {
  const written: string[] = []
  const log = createLog({ position: 'p', level: 'trace', to: { write: (line) => void written.push(line) } })
  const metrics = createMetrics('p')
  const observe = createObserver(log, metrics)
  for (const observation of observations) observe(observation)
  return { lines: written.map((line) => JSON.parse(line) as Record<string, unknown>), metrics }
}
