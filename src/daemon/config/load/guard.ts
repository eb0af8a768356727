import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isLoopback } from '../../../base/loopback.ts'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { type LeaseTerms, termsProblems } from '../../../core/lease/terms.ts'
import type { ConfigFile } from '../schema/schema.ts'
import type { Finding } from '../source/problem.ts'
import { type Env, readSecret, type Secret, type SecretReference } from '../source/secret.ts'

/** The `guard` section as the daemon and `mizani guard` use it. */
export type LoadedGuard = {
  /** The URL where the daemon renews; null = no guard: http.port is 0 and no other address is set. */
  readonly url: string | null
  readonly host: string
  /** Null = guard.port is not set and http.port is 0. */
  readonly port: number | null
  /** Null = the token of http, or the one that the daemon generates. */
  readonly token: Secret | null
  readonly tokenPlace: SecretReference | null
  /** Absolute paths. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** PEM. */
  readonly ca: string | null
  readonly path: string | null
  readonly terms: LeaseTerms
  readonly whenSilent: 'safe' | 'carry-on'
  readonly handBack: 'auto' | 'person'
  readonly closeSideAfterMs: number | null
  readonly deactivateAfterMs: number | null
  /** The two values as set in the file; null = the default, which depends on the other listeners on this machine. */
  readonly named: { readonly url: string | null; readonly port: number | null }
}

const SHORTEST_TOKEN = 24

/** Returns null if the configuration has `guard: null`: the daemon then uses no guard. */
export function readGuard(
  config: ConfigFile,
  configFile: string,
  env: Env,
): Result<LoadedGuard | null, readonly Finding[]> {
  const { guard } = config
  if (guard === null) return ok(null)
  // Only the guard's process reads its heartbeat URL: it may be unknown on the daemon's machine.
  const { renewMs, roundTripMs, deadlineMs, waitMs, ca, tls, token, heartbeatUrl: _ofGuard, ...rest } = guard
  const terms = { renewMs, roundTripMs, deadlineMs, waitMs, writeTimeoutMs: config.venue.writeTimeoutMs }
  const problems: Finding[] = termsProblems(terms).map(({ term, message }) => at([term], message))
  const port = guard.port ?? neighbourOf(config)
  const url = guard.url ?? (port === null ? null : `http://127.0.0.1:${port}`)
  const read = token === null ? ok(null) : readSecret(token, configFile, env)
  if (!read.ok) problems.push(at(['token'], read.error))
  const secret = read.ok ? read.value : null
  problems.push(...portProblems(config), ...distanceProblems(config, url, secret))
  const near = (file: string) => resolve(dirname(resolve(configFile)), file)
  const authority = ca === null ? ok(null) : readPem(near(ca))
  if (!authority.ok) problems.push(at(['ca'], authority.error))
  if (problems.length > 0 || !authority.ok) return err(problems)
  return ok({
    ...rest,
    url,
    port,
    named: { url: guard.url, port: guard.port },
    token: secret,
    tokenPlace: token,
    tls: tls === null ? null : { cert: near(tls.cert), key: near(tls.key) },
    ca: authority.value,
    terms,
  })
}

/** Returns the first key whose difference requires two guards; null = one guard suffices. Never reveals a value. */
export function guardDifference(one: LoadedGuard, other: LoadedGuard): string | null {
  const found = SHARED_KEYS.find((key) => SHARED[key](one) !== SHARED[key](other))
  return found === undefined ? null : `guard.${found}`
}

const SHARED = {
  url: ({ named }) => named.url,
  port: ({ named }) => named.port,
  token: ({ token }) => token?.reveal(),
  ca: ({ ca }) => ca,
  renewMs: ({ terms }) => terms.renewMs,
  roundTripMs: ({ terms }) => terms.roundTripMs,
  deadlineMs: ({ terms }) => terms.deadlineMs,
} as const satisfies Readonly<Record<string, (guard: LoadedGuard) => unknown>>
const SHARED_KEYS = Object.keys(SHARED) as (keyof typeof SHARED)[]

/** Returns the port next to the server's, skipping the default of the treasury's webhook listener, which took that port first. */
function neighbourOf({ http, treasury }: ConfigFile): number | null {
  if (http.port === 0) return null
  const port = treasury?.webhooks?.port === http.port + 1 ? http.port + 2 : http.port + 1
  return port > 65_535 ? null : port
}

/** Reports a port that another listener of the same configuration uses on this machine. */
function portProblems({ guard, http, treasury }: ConfigFile): readonly Finding[] {
  if (guard === null || guard.port === null || guard.url !== null) return []
  const others = [
    ['http.port', http.port],
    ['treasury.webhooks.port', treasury?.webhooks?.port],
  ] as const
  return others
    .filter(([, port]) => port === guard.port)
    .map(([name]) => at(['port'], `the same as ${name}, and both are on this machine; use another port`))
}

/** A guard on another machine needs TLS and a dedicated token. */
function distanceProblems(
  { guard, http }: ConfigFile,
  url: string | null,
  token: Secret | null,
): readonly Finding[] {
  const problems: Finding[] = []
  if (guard === null) return problems
  const isFar = url !== null && !isLoopback(new URL(url).hostname)
  const listensFar = !isLoopback(guard.host)
  if (isFar && !url.startsWith('https:'))
    problems.push(at(['url'], 'a guard on another machine is reached over TLS; use https://'))
  if (listensFar && guard.tls === null)
    problems.push(
      at(
        ['tls'],
        `missing, and ${guard.host} is reached from other machines; a certificate and its key are needed`,
      ),
    )
  // The daemon would connect over plain HTTP, but a guard with a certificate answers only over TLS.
  if (guard.tls !== null && guard.url === null)
    problems.push(
      at(
        ['url'],
        `missing, and the guard uses TLS; set it to the address at which the daemon reaches the guard, https://HOST:${guard.port ?? 'PORT'} with a name from its certificate`,
      ),
    )
  if (!isFar && !listensFar) return problems
  if (guard.token === null && http.token === null)
    problems.push(
      at(['token'], 'missing, and the guard is on another machine; `openssl rand -hex 32` makes one'),
    )
  if (token !== null && token.reveal().length < SHORTEST_TOKEN)
    problems.push(
      at(['token'], `fewer than ${SHORTEST_TOKEN} characters; \`openssl rand -hex 32\` makes one`),
    )
  return problems
}

function at(path: readonly string[], message: string): Finding {
  return { path: ['guard', ...path], at: 'value', message }
}

function readPem(file: string): Result<string, string> {
  try {
    const text = readFileSync(file, 'utf8')
    if (!text.includes('-----BEGIN CERTIFICATE-----')) return err(`${file}: no certificate in PEM`)
    // TLS ignores an unreadable certificate and then refuses every connection.
    void new X509Certificate(text)
    return ok(text)
  } catch (error) {
    return err(`${file} cannot be used (${errorText(error)}); expected a file with PEM certificates`)
  }
}
