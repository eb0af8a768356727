import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isLoopback } from '../../base/loopback.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { heartbeatProblem } from '../../config/load/alert.ts'
import { readGuard } from '../../config/load/guard.ts'
import { readHttp } from '../../config/load/http.ts'
import { parseConfig, type ParsedConfig } from '../../config/load/parse-config.ts'
import { longestLifeMs, sealsCancels } from '../../config/schema/rfq.ts'
import { formatProblem, type Finding } from '../../config/source/problem.ts'
import { type Env, readSecret } from '../../config/source/secret.ts'
import type { LoadedGuard } from '../../config/load/guard.ts'
import type { GuardSettings, PositionSettings, PreparedRequest } from '../../guard/process/settings.ts'
import { SEALED_FILE } from '../../rfq/sealed/sealed-cancels.ts'
import type { Spread } from '../../engine/model/effect.ts'
import { tokenFileOf } from '../../runtime/host/operator-token.ts'
import { createCalls } from '../../venue/endpoints.ts'
import { quoteProbe } from '../../venue/lp/quote.ts'
import { venueSettingsSchema } from '../../venue/settings.ts'
import type { VenueRequest } from '../../venue/call.ts'

/** A configuration as far as the guard needs it: no strategy is loaded, so that a broken one cannot keep the guard away. */
export type GuardedConfig = {
  readonly path: string
  readonly parsed: ParsedConfig
  readonly guard: LoadedGuard
}

/** Reads one configuration; the error is every problem with its place. */
export function readGuardedConfig(path: string, env: Env): Result<GuardedConfig, string> {
  const parsed = parseConfig(path, {})
  if (!parsed.ok) return err(parsed.error.map(formatProblem).join('\n'))
  const { file, place } = parsed.value
  const guard = readGuard(file, path, env)
  const http = readHttp(file.http, path, env)
  const key = readSecret(file.venue.apiKey, path, env)
  const ofKey: readonly Finding[] = key.ok
    ? []
    : [{ path: ['venue', 'apiKey'], at: 'value', message: key.error }]
  const findings = [
    ...(guard.ok ? [] : guard.error),
    ...(http.ok ? [] : http.error),
    ...ofKey,
    ...heartbeatFindings(file, path, env),
  ]
  if (!guard.ok || findings.length > 0)
    return err(findings.map((one) => formatProblem(place(one))).join('\n'))
  if (guard.value === null) return err(`${path}: guard is null: this configuration wants none`)
  return ok({ path, parsed: parsed.value, guard: guard.value })
}

function heartbeatFindings({ guard }: ParsedConfig['file'], path: string, env: Env): readonly Finding[] {
  const url = guard?.heartbeatUrl ?? null
  if (url === null) return []
  const read = readSecret(url, path, env)
  const message = read.ok ? heartbeatProblem(read.value.reveal()) : read.error
  return message === null ? [] : [{ path: ['guard', 'heartbeatUrl'], at: 'value', message }]
}

/** The files of a fleet's folder, and every other path as it is. */
export function configFiles(paths: readonly string[]): Result<readonly string[], string> {
  try {
    return ok(
      paths.flatMap((path) =>
        // What is not there is told as every command tells it, by who reads it.
        statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
          ? readdirSync(path)
              .filter((name) => name.endsWith('.yaml') && name !== 'defaults.yaml')
              .toSorted()
              .map((name) => join(path, name))
          : [path],
      ),
    )
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  }
}

export type ProgramPlace = Pick<GuardSettings, 'program' | 'arguments' | 'version'>

/** What the guard's process is given; the server and its token are those of the first configuration, as the daemon's are. */
export function guardSettings(
  configs: readonly GuardedConfig[],
  place: ProgramPlace,
): Result<GuardSettings, string> {
  const [first] = configs
  if (first === undefined) return err('there is no position to watch')
  const { guard } = first
  if (guard.port === null)
    return err(`${first.path}: http.port is ${first.parsed.file.http.port}, so guard.port has to be named`)
  const names = configs.map(({ parsed }) => parsed.file.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    return err(`two configurations are named ${twice}; each position needs its own name`)
  const listener = configs.find(({ parsed }) => isListenedOn(parsed.file, guard))
  if (listener !== undefined)
    return err(
      `${listener.path}: treasury.webhooks listens on port ${guard.port}, where the guard of ${first.path} would; name another one in guard.port`,
    )
  const token = tokenOf(configs)
  if (token === null)
    return err(
      `${first.path}: http.tokens names people, so the guard needs a token of its own; name it in guard.token`,
    )
  return ok({
    ...place,
    host: guard.host,
    port: guard.port,
    tls: guard.tls,
    token,
    folder: resolve(guard.path ?? join(first.parsed.file.store.path, 'guard')),
    heartbeats: heartbeatsOf(configs),
    positions: configs.map(positionSettings),
  })
}

/** Of a fleet another position may have the listener for webhooks; a guard on another machine meets none. */
function isListenedOn({ treasury }: ParsedConfig['file'], { port, url }: LoadedGuard): boolean {
  const isHere = url === null || isLoopback(new URL(url).hostname)
  return isHere && port !== null && treasury?.webhooks?.port === port
}

/** One to each service, as often as the most impatient of those that name it wants. */
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
  const { venue, quote, notify, mode, rfq } = file
  const { postgres } = file.store
  const actsNot =
    mode === 'dry-run' ? 'it is a dry run, so nothing is sent' : rfq !== null ? custodyWords(rfq) : null
  return {
    name: file.name,
    configFile: resolve(path),
    acts: actsNot === null,
    actsNot,
    waitMs: terms.waitMs,
    handBack,
    closeSideAfterMs,
    deactivateAfterMs,
    safeBps: quote.safeBps,
    origin: new URL(venue.baseUrl).origin,
    apiKey: { kind: venue.apiKey.kind, where: venue.apiKey.where },
    writeTimeoutMs: terms.writeTimeoutMs,
    slowTimeoutMs: venue.slowTimeoutMs,
    requestsPerMinute: venue.requestsPerMinute,
    requests: requestsOf(venue, quote),
    whenSilent,
    database:
      postgres === null || typeof postgres === 'string'
        ? postgres
        : { kind: postgres.kind, where: postgres.where },
    sealed: mode === 'dry-run' ? null : sealedOf(file),
    hasNotify: notify.telegram !== null || notify.slack !== null || notify.webhook !== null,
  }
}

type RfqFile = NonNullable<ParsedConfig['file']['rfq']>

function custodyWords(rfq: RfqFile): string {
  const lives = `signed orders end by themselves, within rfq.maxLifeMs (${longestLifeMs(rfq, true) / 1_000} s)`
  return sealsCancels(rfq) ? `${lives}; the sealed cancels are sent to end them before` : lives
}

/** Null = the guard sends nothing on chain. */
function sealedOf({ rfq, store }: ParsedConfig['file']): PositionSettings['sealed'] {
  if (rfq === null || !sealsCancels(rfq)) return null
  return {
    file: resolve(join(store.path, SEALED_FILE)),
    maker: rfq.maker,
    maxLifeMs: longestLifeMs(rfq, true),
    urls: rfq.rpc.urls.map((url) => (typeof url === 'string' ? url : { kind: url.kind, where: url.where })),
    quorum: rfq.rpc.quorum,
  }
}

/** Made by the venue room once, so that the guard sends what the daemon would, in every dialect, without its code. */
function requestsOf(
  venue: ParsedConfig['file']['venue'],
  { safeBps, pairs }: ParsedConfig['file']['quote'],
): PositionSettings['requests'] {
  const settings = venueSettingsSchema.parse({ ...venue, publicUrl: null })
  const calls = createCalls(settings)
  const basePath = new URL(settings.baseUrl).pathname.replace(/\/+$/, '')
  const prepare = ({ method, path, query, body }: VenueRequest): PreparedRequest => {
    const text = new URLSearchParams(query).toString()
    return {
      method,
      path: `${basePath}${path}${text === '' ? '' : `?${text}`}`,
      body: body === undefined ? null : JSON.stringify(body),
    }
  }
  const safe: Spread = { bidBps: safeBps, askBps: safeBps, quoteBid: true, quoteAsk: true, quotePairs: pairs }
  return {
    safe: prepare(calls.spread(safe)),
    'bid-off': prepare(calls.spread({ ...safe, quoteBid: false })),
    'ask-off': prepare(calls.spread({ ...safe, quoteAsk: false })),
    readBid: prepare(calls.quote(quoteProbe(settings, 'bid'))),
    readAsk: prepare(calls.quote(quoteProbe(settings, 'ask'))),
    deactivate: prepare(calls.activate(false)),
    account: prepare(calls.account()),
  }
}
