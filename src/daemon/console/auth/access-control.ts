import type { IncomingHttpHeaders } from 'node:http'
import { keepNewest } from '../../../base/bounded-map.ts'
import { isLoopback } from '../../../base/loopback.ts'
import { bearerToken, findOperatorAmong, type Credential, type Operator } from './credentials.ts'
import type { Permission } from './permissions.ts'
import { Refusal } from '../refusal.ts'

/** The parts of a request that identify its sender. */
export type Asker = {
  readonly headers: IncomingHttpHeaders
  /** The sender's address. */
  readonly ip: string
}

export type AccessControl = {
  /** Throws a Refusal if the Host header does not name this server. */
  readonly checkHost: (asker: Asker) => void
  /** Throws a Refusal if a page of another site sent the request. */
  readonly checkSite: (asker: Asker) => void
  /** Throws a Refusal for a client on another machine, or a proxy for one. A client on a Unix socket has no address. */
  readonly checkLocal: (asker: Omit<Asker, 'ip'> & { readonly ip: string | undefined }) => void
  /** Throws a Refusal if reads need a token and the request has none with that permission. */
  readonly checkRead: (asker: Asker) => void
  /** The security of a route with `checkRead`, for the OpenAPI document: a token, or on loopback none. */
  readonly readSecurity: readonly Readonly<Record<string, string[]>>[]
  /** Returns the sender. Throws a Refusal without a token, with a wrong one, or without any of these permissions. */
  readonly checkCommand: (asker: Asker, oneOf: readonly Permission[]) => Operator
  /** Returns the holder of the request's token; null = none, or a wrong one. */
  readonly operatorOf: (asker: Asker) => Operator | null
}

const UNAUTHORIZED =
  'this needs the header "Authorization: Bearer <token>" with http.token of the configuration, or one of ' +
  'http.tokens; the commands of mizani send it, and `mizani console` prints an address that signs a browser in'

const WRONG_TOKEN =
  'this access key is not valid here: unless http.token is configured, each start of the daemon makes a new one. Sign in with ' +
  'the address that `npx mizani console` prints, or give http.token or one of http.tokens of the configuration'

/** A proxy adds a header with one of these in its name; then the address of the connection identifies the proxy. */
const FORWARDED = /forward|via|realip|clientip|userip|remoteaddr|connectingip|externaladdress/i

/**
 * Decides which requests are allowed. On loopback, reads are open, and a foreign Host header is refused: a web page could otherwise point
 * its own name at this machine and read the answers (DNS rebinding). Elsewhere, for requests through a proxy, and with `readsNeedToken`,
 * reads need a token too.
 */
export function createAccessControl(
  host: string,
  credentials: readonly Credential[],
  readsNeedToken = false,
): AccessControl {
  const loopback = isLoopback(host)
  const areReadsOpen = loopback && !readsNeedToken
  const find = findOperatorAmong(credentials)
  const failed = createFailedTokens()

  /** The right token always works; a wrong one is slowed down by address. */
  function authenticate({ headers, ip }: Asker): Operator {
    const operator = find(headers.authorization)
    if (operator !== null) return operator
    if (bearerToken(headers.authorization) === null) throw new Refusal(401, 'unauthorized', UNAUTHORIZED)
    failed.check(ip)
    failed.note(ip)
    throw new Refusal(401, 'unauthorized', WRONG_TOKEN)
  }

  function authorise(asker: Asker, oneOf: readonly Permission[], what: string): Operator {
    if (credentials.length === 0) throw noToken(what)
    const operator = authenticate(asker)
    if (operator.isShared && oneOf.every((one) => one === 'approve')) refuseBesidePeople(credentials)
    if (oneOf.some((permission) => operator.may.includes(permission))) return operator
    const message = `the token of ${operator.name} may ${operator.may.join(', ')}, and this needs ${oneOf.join(' or ')}`
    throw new Refusal(403, 'not-permitted', message)
  }

  return {
    checkHost({ headers }) {
      if (!loopback || isLoopback(nameOf(headers.host ?? ''))) return
      const message = `this server listens on ${host} only; use that name in the URL, not another one`
      throw new Refusal(421, 'wrong-host', message)
    },
    checkSite({ headers }) {
      const site = headers['sec-fetch-site'] ?? 'none'
      if (site === 'same-origin' || (site === 'none' && isOwnOrigin(headers))) return
      // A person may follow a link. A page cannot read what it requests itself, but thousands of requests lock out this address.
      if (headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document') return
      const message = 'a page of another site sent this request from your browser; it was refused'
      throw new Refusal(403, 'other-site', message)
    },
    checkLocal(asker) {
      if ((asker.ip === undefined || isLoopback(asker.ip)) && !isForwarded(asker)) return
      const message =
        'only a browser on the machine of the daemon signs in with a key; give the token on the page instead'
      throw new Refusal(403, 'not-local', message)
    },
    checkRead(asker) {
      if (areReadsOpen && !isForwarded(asker)) return
      authorise(asker, ['read'], 'reading from another machine')
    },
    readSecurity: areReadsOpen ? [{}, { token: [] }] : [{ token: [] }],
    checkCommand: (asker, oneOf) => authorise(asker, oneOf, 'commanding over HTTP'),
    operatorOf: ({ headers }) => find(headers.authorization),
  }
}

/** Whoever requests on the daemon's machine could approve with the shared token that lies there. */
function refuseBesidePeople(credentials: readonly Credential[]): void {
  const people = credentials.filter(({ isShared, may }) => !isShared && may.includes('approve'))
  if (people.length === 0) return
  const names = people.map(({ name }) => name).join(' or ')
  const message = `http.token is shared and shows no second person: the token of ${names} can approve`
  throw new Refusal(403, 'not-permitted', message)
}

function isForwarded({ headers }: Pick<Asker, 'headers'>): boolean {
  return Object.keys(headers).some((name) => FORWARDED.test(name.replaceAll(/[^a-z0-9]/gi, '')))
}

/** Browsers send Sec-Fetch-Site only to https and loopback; elsewhere the Origin header reveals a foreign page. */
function isOwnOrigin({
  origin,
  host = '',
  'x-forwarded-host': forwarded = '',
}: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true
  const own = [host, ...String(forwarded).split(',')].map((name) => nameOf(name.trim().toLowerCase()))
  return own.includes(nameOf(origin.toLowerCase().replace(/^https?:\/\//, '')))
}

function noToken(what: string): Refusal {
  const message = `${what} is off: set http.token in the configuration, e.g. token: !env MIZANI_HTTP_TOKEN, and start again`
  return new Refusal(403, 'no-token-configured', message)
}

/** The name in a Host header, without the port. */
function nameOf(hostHeader: string): string {
  return hostHeader.replace(/:\d+$/, '')
}

/** Counts wrong tokens by address, so that guessing is slow. Right tokens are not counted. */
type FailedTokens = {
  /** Throws a Refusal if the address has recently sent too many wrong tokens. */
  readonly check: (ip: string) => void
  readonly note: (ip: string) => void
}

const PER_MINUTE = 20
const MINUTE_MS = 60_000
/** Maximum number of addresses; beyond it the oldest are forgotten. */
const MAX_ADDRESSES = 10_000

type Count = { readonly since: number; failures: number }

export function createFailedTokens(): FailedTokens {
  const counts = new Map<string, Count>()
  return {
    check(ip) {
      const count = counts.get(ip)
      if (count === undefined) return
      if (performance.now() - count.since >= MINUTE_MS) return void counts.delete(ip)
      if (count.failures < PER_MINUTE) return
      throw new Refusal(429, 'too-many-tokens', 'too many wrong tokens came from this address; wait a minute')
    },
    note(ip) {
      const count = counts.get(ip)
      if (count !== undefined) return void (count.failures += 1)
      keepNewest(counts, ip, { since: performance.now(), failures: 1 }, MAX_ADDRESSES)
    },
  }
}
