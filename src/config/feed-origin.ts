import { isLoopback } from '../base/loopback.ts'

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

/** A bare ending such as `com` is nobody's, and numbers have no domains. */
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
