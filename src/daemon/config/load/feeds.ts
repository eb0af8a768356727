import type { Feed, FeedSource } from '../../feeds/feed.ts'
import { dirname, resolve } from 'node:path'
import { isLoopback } from '../../../base/loopback.ts'
import { isPlainAway } from '../../../base/outgoing.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { FeedSettings } from '../../../core/market/feeds.ts'
import { RATE_ONE } from '../../../base/money/rate.ts'
import type { PathStep, Finding } from '../source/problem.ts'
import type { ConfigFile } from '../schema/schema.ts'
import { readSecret, Secret, SecretReference, type Env } from '../source/secret.ts'

type FeedFile = ConfigFile['feeds'][number]

const ANY_RATE = { min: RATE_ONE, max: 1_000_000n * RATE_ONE }

/** Reads the feeds with their secrets and classifies their origins. Findings never contain a secret. */
export function readFeeds(
  config: Pick<ConfigFile, 'feeds' | 'venue' | 'risk'>,
  configFile: string,
  env: Env,
): Result<readonly Feed[], readonly Finding[]> {
  const findings: Finding[] = []
  const loaded = config.feeds.flatMap((feed, index): Feed[] => {
    const source = readSource(feed, configFile, env)
    if (!source.ok) {
      for (const { path, message } of source.error)
        findings.push({ path: ['feeds', index, ...path], at: 'value', message })
      return []
    }
    return [{ settings: settingsOf(feed, source.value, config), everyMs: feed.everyMs, source: source.value }]
  })
  return findings.length > 0 ? err(findings) : ok(loaded)
}

function settingsOf(
  feed: FeedFile,
  source: FeedSource,
  { venue, risk }: Pick<ConfigFile, 'venue' | 'risk'>,
): FeedSettings {
  const { name, staleAfterMs, frozenAfterMs, weight } = feed
  const venueUrls = [venue.baseUrl, ...(typeof venue.publicUrl === 'string' ? [venue.publicUrl] : [])]
  // Regardless of the file: a source on the venue's own host repeats the venue and is not independent.
  const isVenues = source.kind === 'http' && isOfVenue(source.url.reveal(), venueUrls)
  return {
    name,
    origin: isVenues ? 'venue' : feed.origin,
    staleAfterMs,
    frozenAfterMs: source.kind === 'fixed' ? null : frozenAfterMs,
    band: feed.band ?? risk.priceCorridor ?? ANY_RATE,
    weight,
  }
}

function readSource(
  { http, csv, file, fixed }: FeedFile,
  configFile: string,
  env: Env,
): Result<FeedSource, readonly { readonly path: readonly PathStep[]; readonly message: string }[]> {
  const near = (path: string) => resolve(dirname(resolve(configFile)), path)
  if (csv !== undefined) return ok({ kind: 'csv', ...csv, file: near(csv.file) })
  if (file !== undefined) return ok({ kind: 'file', ...file, file: near(file.file) })
  if (fixed !== undefined) return ok({ kind: 'fixed', ...fixed })
  if (http === undefined) return err([{ path: ['name'], message: 'no source' }])
  const { path, timePath, timeoutMs, allowPlainHttp } = http
  const problems: { path: readonly PathStep[]; message: string }[] = []
  const url =
    http.url instanceof SecretReference ? readSecret(http.url, configFile, env) : ok(new Secret(http.url))
  if (!url.ok) problems.push({ path: ['http', 'url'], message: url.error })
  else {
    const problem = urlProblem(url.value.reveal(), allowPlainHttp)
    if (problem !== null) problems.push({ path: ['http', 'url'], message: problem })
  }
  const headers: Record<string, Secret> = {}
  for (const [name, reference] of Object.entries(http.headers)) {
    const read = readSecret(reference, configFile, env)
    if (read.ok) headers[name] = read.value
    else problems.push({ path: ['http', 'headers', name], message: read.error })
  }
  if (!url.ok || problems.length > 0) return err(problems)
  return ok({ kind: 'http', url: url.value, path, timePath, headers, timeoutMs })
}

function urlProblem(text: string, allowPlainHttp: boolean): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return 'its value is not an address; expected https://host/path, without a user'
  if (!allowPlainHttp && isPlainAway(text))
    return 'http:// away from this machine, where anybody on the way may change the rate; use https://, or set allowPlainHttp: true'
  return null
}

/** Second-level labels under which anyone may register: sharing one does not relate two hosts. */
const PUBLIC_SECOND_LEVEL = /^(co|com|or|org|net|ac|go|gov|ne|sc|me|mil|info)$/

/**
 * Whether a URL belongs to the venue: its host, a subdomain of it, or a sibling under the same domain (`api.venue.example` and
 * `rates.venue.example`). Wrongly counting a source as the venue's costs one independent rate; wrongly counting it as independent lets the
 * venue confirm its own error. On this machine all processes share a host, so the port is compared there.
 */
export function isOfVenue(address: string, venueUrls: readonly string[]): boolean {
  const feed = URL.parse(address)
  if (feed === null) return false
  return venueUrls.some((text) => {
    const venue = URL.parse(text)
    return venue !== null && isSameOwner(feed, venue)
  })
}

function isSameOwner(feed: URL, venue: URL): boolean {
  const [one, other] = [hostOf(feed), hostOf(venue)]
  if (isLoopback(one) && isLoopback(other)) return feed.port === venue.port
  if (one === other || isBelow(one, other) || isBelow(other, one)) return true
  const domain = domainOf(other)
  return domain !== null && (one === domain || isBelow(one, domain))
}

/** Returns the host without the trailing dot of a fully qualified name. */
function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '')
}

/** A bare top-level domain such as `com` belongs to no one, and IP addresses have no domains. */
function isBelow(host: string, domain: string): boolean {
  return domain.includes('.') && !isAddress(domain) && host.endsWith(`.${domain}`)
}

/** Returns the domain that the venue's host shares with its siblings; null = anyone may register under it. */
function domainOf(host: string): string | null {
  if (isAddress(host)) return null
  const labels = host.split('.').slice(1)
  if (labels.length < 2 || (labels.length === 2 && PUBLIC_SECOND_LEVEL.test(labels[0] ?? ''))) return null
  return labels.join('.')
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.startsWith('[')
}
