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

/** The feeds with their secrets read and their origins judged. No finding's text holds a secret. */
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
  // Whatever the file says: an answer of the venue's own host is the venue's own word.
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
    return 'what it stands for is no address; https://host/path, without a user, would be right'
  if (!allowPlainHttp && isPlainAway(text))
    return 'http:// away from this machine, where anybody on the way may change the rate; https://, or allowPlainHttp: true, would be right'
  return null
}

/** Labels under which anybody may register: sharing one of them is no kinship. */
const PUBLIC_SECOND_LEVEL = /^(co|com|or|org|net|ac|go|gov|ne|sc|me|mil|info)$/

/**
 * Whether an address is answered by the venue itself: its host, a host below it, or one beside it under the
 * same domain (`api.venue.example` and `rates.venue.example`). A source that is wrongly counted as the venue's
 * costs a voice; one that is wrongly counted as independent lets the venue confirm its own lie. On this machine
 * every process has the same host, so that the port counts there.
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

/** Without the dot that a full name may end in. */
function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '')
}

/** A bare ending such as `com` is no one's, and numbers have no domains. */
function isBelow(host: string, domain: string): boolean {
  return domain.includes('.') && !isAddress(domain) && host.endsWith(`.${domain}`)
}

/** What the venue's host and its siblings are under; null where that may be anybody's. */
function domainOf(host: string): string | null {
  if (isAddress(host)) return null
  const labels = host.split('.').slice(1)
  if (labels.length < 2 || (labels.length === 2 && PUBLIC_SECOND_LEVEL.test(labels[0] ?? ''))) return null
  return labels.join('.')
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.startsWith('[')
}
