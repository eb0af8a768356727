import { dirname, join, resolve } from 'node:path'
import { isLoopback } from '../../../base/loopback.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { escalationSteps, repeatMsOf } from '../../config/load/alert.ts'
import { isAnyChannel } from '../../config/load/channels.ts'
import { guardDifference, type LoadedGuard } from '../../config/load/guard.ts'
import type { ParsedConfig } from '../../config/load/parse-config.ts'
import { longestLifeMs } from '../../config/schema/rfq.ts'
import type { GuardSettings, PositionSettings } from '../../guard/process/settings.ts'
import { tokenFileOf } from '../operator-token.ts'
import { VENUES } from '../../../venue/venues.ts'
import type { GuardedConfig, GuardedConfigs } from '../../guard/process/guarded-configs.ts'

type ProgramPlace = Pick<GuardSettings, 'program' | 'arguments' | 'version'>

/** Returns the settings of the guard's process. All positions share its server and token, so their configurations must agree on them. */
export function guardSettings(
  { configs, unwatched }: GuardedConfigs,
  place: ProgramPlace,
): Result<GuardSettings, string> {
  const [first] = configs
  if (first === undefined) return err('there is no position to watch')
  const { guard } = first
  if (guard.port === null)
    return err(`${first.path}: http.port is ${first.parsed.file.http.port}, so guard.port has to be set`)
  const names = configs.map(({ parsed }) => parsed.file.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    return err(`two configurations are named ${twice}; each position needs its own name`)
  const listener = configs.find(({ parsed }) => isListenedOn(parsed.file, guard))
  if (listener !== undefined)
    return err(
      `${listener.path}: treasury.webhooks listens on port ${guard.port}, which the guard of ${first.path} would use; set a different guard.port`,
    )
  const other = configs.find((config) => serverDifference(config.guard, guard) !== null)
  if (other !== undefined)
    return err(
      `${other.path}: ${serverDifference(other.guard, guard)} differs from ${first.path}; one guard watches all positions of a process`,
    )
  const token = tokenOf(configs)
  if (token === null)
    return err(`${first.path}: http.tokens names people, so the guard needs its own token; set guard.token`)
  return ok({
    ...place,
    host: guard.host,
    port: guard.port,
    tls: guard.tls,
    token,
    folder: resolve(guard.path ?? join(first.parsed.file.store.path, 'guard')),
    heartbeats: heartbeatsOf(configs),
    positions: configs.map(positionSettings),
    unwatched,
  })
}

/** Returns the first key whose difference would require a second guard process; null = one guard can watch both. */
function serverDifference(one: LoadedGuard, other: LoadedGuard): string | null {
  if (one.host !== other.host) return 'guard.host'
  if (JSON.stringify(one.tls) !== JSON.stringify(other.tls)) return 'guard.tls'
  return guardDifference(one, other)
}

/**
 * Whether a webhook listener occupies the guard's port. In a fleet it may be another position's; a guard on another machine has no
 * conflict.
 */
function isListenedOn({ treasury }: ParsedConfig['file'], { port, url }: LoadedGuard): boolean {
  const isHere = url === null || isLoopback(new URL(url).hostname)
  return isHere && port !== null && treasury?.webhooks?.port === port
}

/** Returns one heartbeat per service, at the shortest interval that any of its positions configures. */
function heartbeatsOf(configs: readonly GuardedConfig[]): GuardSettings['heartbeats'] {
  const named = configs.flatMap(({ path, parsed: { file } }) => {
    const place = file.guard?.heartbeatUrl ?? null
    const { heartbeatEveryMs: everyMs, heartbeatSuffixes: suffixes } = file.alert
    const heartbeat = { configFile: resolve(path), everyMs, suffixes }
    return place === null ? [] : [{ place: { kind: place.kind, where: place.where }, ...heartbeat }]
  })
  const keyOf = ({ place, configFile }: (typeof named)[number]) =>
    place.kind === 'env' ? place.where : resolve(dirname(configFile), place.where)
  const groups = [...Map.groupBy(named, keyOf).values()]
  return groups.flatMap((group) => group.toSorted((a, b) => a.everyMs - b.everyMs).slice(0, 1))
}

function tokenOf(configs: readonly GuardedConfig[]): GuardSettings['token'] | null {
  const [first] = configs
  if (first === undefined) return null
  const { http } = first.parsed.file
  const named = first.guard.tokenPlace ?? http.token
  if (named !== null) return { kind: named.kind, where: named.where }
  if (http.tokens.length > 0) return null
  return { kind: 'made', files: configs.map(({ parsed }) => resolve(tokenFileOf(parsed.file.store.path))) }
}

function positionSettings({ path, parsed: { file }, guard }: GuardedConfig): PositionSettings {
  const { terms, handBack, closeSideAfterMs, deactivateAfterMs, whenSilent } = guard
  const { venue, quote, notify, alert, mode, rfq } = file
  const { postgres } = file.store
  const actsNot =
    mode === 'dry-run' ? 'it is a dry run, so nothing is sent' : rfq !== null ? custodyWords(rfq) : null
  return {
    name: file.name,
    configFile: resolve(path),
    acts: actsNot === null,
    actsNot,
    waitMs: terms.waitMs,
    renewMs: terms.renewMs,
    handBack,
    closeSideAfterMs,
    deactivateAfterMs,
    safeBps: quote.safeBps,
    origin: new URL(venue.baseUrl).origin,
    apiKey: { kind: venue.apiKey.kind, where: venue.apiKey.where },
    writeTimeoutMs: terms.writeTimeoutMs,
    slowTimeoutMs: venue.slowTimeoutMs,
    requestsPerMinute: venue.requestsPerMinute,
    venueKind: venue.kind,
    requests: VENUES[venue.kind].guardRequests(venue, quote),
    whenSilent,
    allowPlainDatabase: file.store.allowPlain,
    database:
      postgres === null || typeof postgres === 'string'
        ? postgres
        : { kind: postgres.kind, where: postgres.where },
    hasNotify: isAnyChannel(notify),
    alert: {
      repeatMs: repeatMsOf(alert),
      escalateAfterMs: escalationSteps(alert).map(({ afterMs }) => afterMs),
    },
  }
}

type RfqFile = NonNullable<ParsedConfig['file']['rfq']>

function custodyWords(rfq: RfqFile): string {
  return `signed orders end by themselves, within rfq.maxLifeMs (${longestLifeMs(rfq, true) / 1_000} s)`
}
