import { isLoopback } from './loopback.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns whether requests to this URL leave this machine unencrypted. */
export function isPlainAway(url: string): boolean {
  const parsed = URL.parse(url)
  // URLs normalise numeric addresses: 127.1 and 0x7f000001 are 127.0.0.1 here.
  return (
    parsed?.protocol === 'http:' && !isLoopback(parsed.hostname) && !parsed.hostname.endsWith('.localhost')
  )
}

/** Returns why a process with this environment would not verify certificates; null = it verifies them. */
export function unverifiedProblem(environment: Environment): string | null {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return null
  return 'NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so any certificate is accepted and anyone on the network path can impersonate the server; unset it, and name a private authority with NODE_EXTRA_CA_CERTS'
}

/**
 * Returns why a PostgreSQL URL must not be used; null = its host is this machine or a Unix socket, or the client
 * verifies the server's certificate and host name. Reads the URL and PGHOST like `pg`, and never repeats the URL.
 */
export function databaseProblem(url: string, allowPlain: boolean, environment: Environment): string | null {
  const parsed = URL.parse(url)
  if (allowPlain || parsed === null) return null
  // `pg` encodes such a URL again and so changes its parameters.
  if (/ |%(?![0-9a-f]{2})/i.test(url))
    return 'the URL of PostgreSQL has a space, or a percent sign outside an escape; write %20 and %25'
  // `pg` reads the last value of a repeated parameter.
  const last = (name: string) => parsed.searchParams.getAll(name).at(-1) ?? ''
  const host = last('host') || decodeHost(parsed.hostname) || environment['PGHOST'] || 'localhost'
  if (host.startsWith('/') || isLoopback(host)) return null
  const mode = last('sslmode')
  if (mode === 'verify-full') return unverifiedProblem(environment)
  return `PostgreSQL on another machine with ${mode === '' ? 'no sslmode' : 'an sslmode that is not verify-full'}: others on the network can read the password and the journal, or impersonate the server; end the URL with sslmode=verify-full (and sslrootcert=FILE for a private authority), or, where the network itself is private, set store.allowPlain: true, or allowPlain=true in the URL of an option`
}

function decodeHost(hostname: string): string {
  try {
    return decodeURIComponent(hostname)
  } catch {
    // Left as it is: no local host name contains a percent sign.
    return hostname
  }
}
