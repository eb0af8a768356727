import { isAbsolute, resolve } from 'node:path'
import { invariant } from '../../../base/result.ts'
import { SecretReference } from '../../../daemon/config/source/secret.ts'
import { type DrilledPosition, hasGuard } from '../model/drilled-position.ts'
import {
  type DrilledPartner,
  drilledTreasury,
  peopleTokens,
  DRILL_ENV,
  pick,
  type Section,
  section,
} from './drilled-treasury.ts'

/** Where the drilled daemon finds everything, all on this machine and temporary. */
type Surroundings = {
  readonly venueUrl: string
  readonly feedUrl: string
  readonly receiverUrl: string
  readonly storeFolder: string
  /** Null = the desk has no guard. */
  readonly guardPort: number | null
  /** Chain, wallet and tokens of a desk in self-custody, in the form of its rfq section; null = its capital is pooled. */
  readonly rfq: Section | null
  /** Null if the night does not concern the treasury, which is then omitted. */
  readonly partner: DrilledPartner | null
}

/** Settings of the venue's protocol, without address and key. */
const VENUE_MANNERS = [
  'requestsPerMinute',
  'publicRequestsPerMinute',
  'requestTimeoutMs',
  'slowTimeoutMs',
  'writeTimeoutMs',
  'protocolFeeBps',
  'bidFormula',
  'quoteProbeUsd',
  'toleranceBps',
] as const

/** Settings of the guard without addresses, keys or files. */
const GUARD_MANNERS = [
  'whenSilent',
  'handBack',
  'renewMs',
  'roundTripMs',
  'deadlineMs',
  'waitMs',
  'closeSideAfterMs',
  'deactivateAfterMs',
] as const

/** Settings of signed orders without addresses, keys or endpoints. */
const ORDER_MANNERS = [
  'expiryMs',
  'maxLifeMs',
  'refreshMs',
  'replaceThresholdBps',
  'promiseFactor',
  'maxOrders',
  'minOrderUsd',
  'minEdgeBps',
  'confirmations',
  'pollMs',
  'maxChainLagMs',
  'maxClockOffsetMs',
  'cancel',
  'gas',
  'maxOrderUsd',
  'maxOutstandingUsd',
  'maxAtRiskUsdPerHour',
  'maxAtRiskUsdPerDay',
  'maxSignaturesPerMinute',
] as const

/** The desk's own sections that decide and limit. Every other section is replaced or omitted. */
const KEPT = ['name', 'isolate', 'inventory', 'risk', 'quote', 'pacing', 'fairValue'] as const

/**
 * Returns the desk's configuration for a drill: strategy, limits and pacing are its own; venue, key, feeds, store,
 * HTTP and notifications are the drill's. Of the desk's files, only strategy and calibration remain; its addresses
 * and keys are removed.
 */
export function drilledConfig(position: DrilledPosition, around: Surroundings): Section {
  const { data, baseFolder, config } = position
  const near = (path: string) => (isAbsolute(path) ? path : resolve(baseFolder, path))
  const kept = pick(data, KEPT)
  const drilled = {
    ...kept,
    name: config.name,
    mode: 'live',
    activation: 'auto',
    venue: {
      ...pick(section(data['venue']), VENUE_MANNERS),
      baseUrl: around.venueUrl,
      publicUrl: config.venue.publicUrl === null ? null : around.venueUrl,
      apiKey: `!env ${DRILL_ENV.key}`,
      clock: 'virtual',
    },
    strategy: strategyOf(section(data['strategy']), near),
    ...(config.calibration === null ? {} : { calibration: near(config.calibration) }),
    feeds: feedsOf(data['feeds'], around.feedUrl),
    store: { path: around.storeFolder },
    http: {
      host: '127.0.0.1',
      port: 0,
      token: `!env ${DRILL_ENV.token}`,
      ...(around.partner === null ? {} : { tokens: peopleTokens() }),
    },
    log: { level: 'info' },
    notify: notifyOf(config),
    ...(around.partner === null
      ? {}
      : { treasury: drilledTreasury(position, around.partner, { venueUrl: around.venueUrl, near }) }),
    ...(around.rfq === null ? {} : { rfq: { ...pick(section(data['rfq']), ORDER_MANNERS), ...around.rfq } }),
    guard: hasGuard(position)
      ? { ...pick(section(data['guard']), GUARD_MANNERS), port: around.guardPort }
      : null,
  }
  refuseSecrets(drilled)
  return drilled
}

/** Returns the text of the file; `!env` is outside the quotes there. JSON is YAML. */
export function drilledText(drilled: Section): string {
  return JSON.stringify(drilled, null, 2).replaceAll(/"(!env [A-Z_]+)"/g, '$1')
}

/** Resolves the path of a strategy, wrapped ones included, against the folder of the desk's own file. */
function strategyOf(strategy: Section, near: (path: string) => string): Section {
  const place = (value: unknown): unknown => {
    if (typeof value === 'string' && /^\.{1,2}\//.test(value)) return near(value)
    if (Array.isArray(value)) return value.map(place)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, place(inner)]))
  }
  const { use } = strategy
  const isPath = typeof use === 'string' && (use.includes('/') || /\.(ts|js|mjs)$/.test(use))
  return { ...(place(strategy) as Section), ...(isPath ? { use: near(use) } : {}) }
}

/** Returns each feed with the desk's own interval and limits, reading from the simulated market. */
function feedsOf(feeds: unknown, feedUrl: string): readonly Section[] {
  if (!Array.isArray(feeds)) return []
  return (feeds as readonly Section[]).map(
    ({ http: _http, csv: _csv, file: _file, fixed: _fixed, ...rules }) => ({
      ...rules,
      http: { url: feedUrl, path: 'rates.TZS' },
    }),
  )
}

/** Returns one channel with the lowest minimum severity of the desk's channels; without a channel, every warning is sent. */
function notifyOf({ notify }: DrilledPosition['config']): Section {
  const severities = [notify.telegram, notify.slack, notify.webhook].flatMap((channel) =>
    channel === null ? [] : [channel.minSeverity],
  )
  const least =
    (['info', 'warning', 'critical'] as const).find((one) => severities.includes(one)) ?? 'warning'
  return {
    webhook: {
      url: `!env ${DRILL_ENV.receiver}`,
      hmacKey: `!env ${DRILL_ENV.hmac}`,
      minSeverity: least,
      maxPerHour: 1_000,
    },
    groupMs: notify.groupMs,
    summaryAt: null,
  }
}

/** Throws if a section contains a secret. The kept sections have none today, and a future one must not be written to disk. */
function refuseSecrets(value: unknown): void {
  invariant(!(value instanceof SecretReference), 'a drill names no secret of the desk')
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) refuseSecrets(inner)
}
