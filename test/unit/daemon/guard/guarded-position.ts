import type { PositionSettings } from '../../../../src/daemon/guard/process/settings.ts'
import type { PositionRenewal } from '../../../../src/daemon/guard/protocol/renewal.ts'

const spread = (change: object = {}) => ({
  method: 'PATCH',
  path: '/api/v1/mm/spread',
  body: JSON.stringify({ bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true, ...change }),
})
const read = (path: string) => ({ method: 'GET', path: `/api/v1/mm/${path}`, body: null })

/** The requests of a position as `venue/endpoints.ts` would make them. */
export const PREPARED: PositionSettings['requests'] = {
  safe: spread(),
  'bid-off': spread({ quoteBid: false }),
  'ask-off': spread({ quoteAsk: false }),
  readBid: read('quote?side=bid'),
  readAsk: read('quote?side=ask'),
  deactivate: { method: 'POST', path: '/api/v1/mm/activate', body: '{"active":false}' },
  account: read('account'),
}

/** A position that a guard watches, with the defaults of the configuration. */
export const POSITION: PositionSettings = {
  name: 'desk',
  configFile: '/etc/mizani/desk.yaml',
  acts: true,
  actsNot: null,
  waitMs: 4_500,
  renewMs: 1_000,
  handBack: 'auto',
  safeBps: 500,
  closeSideAfterMs: 60_000,
  deactivateAfterMs: 900_000,
  origin: 'https://venue.example',
  apiKey: { kind: 'env', where: 'MIZANI_API_KEY' },
  writeTimeoutMs: 1_000,
  slowTimeoutMs: 90_000,
  requestsPerMinute: 60,
  venueKind: 'lp',
  requests: PREPARED,
  hasNotify: true,
  alert: { repeatMs: null, escalateAfterMs: [] },
  whenSilent: 'safe',
  database: null,
}

/** What the daemon renews with while all is well. */
export function renewalOf(count: number, change: Partial<PositionRenewal> = {}): PositionRenewal {
  return {
    name: 'desk',
    count,
    fence: null,
    quote: { bidBps: 60, askBps: 70 },
    isActive: true,
    worse: 'ask',
    isReconciled: true,
    isLeaving: false,
    ...change,
  }
}
