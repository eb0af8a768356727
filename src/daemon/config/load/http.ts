import { dirname, resolve } from 'node:path'
import { isLoopback } from '../../../base/loopback.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { PathStep, Finding } from '../source/problem.ts'
import type { HttpSection } from '../schema/http.ts'
import { readSecret, type Secret, SecretReference, type Env } from '../source/secret.ts'

/** Guessing at 6000 requests a minute from many addresses must not succeed. */
const SHORTEST_TOKEN = 24

/** The section with its secrets. */
export type LoadedHttp = {
  readonly host: string
  readonly port: number
  readonly token: Secret | null
  readonly readToken: Secret | null
  readonly readsNeedToken: boolean
  readonly tokens: readonly {
    readonly name: string
    readonly token: Secret
    readonly may: Readonly<HttpSection['tokens'][number]['may']>
  }[]
}

/** Reads the tokens; beyond loopback each must be long enough, and all must differ. */
export function readHttp(
  section: HttpSection,
  configFile: string,
  env: Env,
): Result<LoadedHttp, readonly Finding[]> {
  const { host, port, readsNeedToken } = section
  const findings: Finding[] = []
  const seen = new Set<string>()
  const take = (reference: SecretReference | null, path: readonly PathStep[]): Secret | null => {
    if (reference === null) return null
    const read = readSecret(reference, configFile, env)
    const problem = read.ok ? problemOf(read.value.reveal(), host, seen) : read.error
    if (problem !== null) findings.push({ path: ['http', ...path], at: 'value', message: problem })
    return read.ok ? read.value : null
  }
  const token = take(section.token, ['token'])
  const readToken = take(section.readToken, ['readToken'])
  const tokens = section.tokens.flatMap(({ token: reference, name, may }, index) => {
    const secret = take(reference, ['tokens', index, 'token'])
    return secret === null ? [] : [{ name, may, token: secret }]
  })
  return findings.length > 0 ? err(findings) : ok({ host, port, token, readToken, readsNeedToken, tokens })
}

/** Returns the section without reading its secrets. */
export function httpWithoutSecrets({ host, port, readsNeedToken }: HttpSection): LoadedHttp {
  return { host, port, token: null, readToken: null, readsNeedToken, tokens: [] }
}

/** Returns the absolute paths of the files with tokens. */
export function tokenFiles(section: HttpSection, configFile: string): readonly string[] {
  const references = [section.token, section.readToken, ...section.tokens.map(({ token }) => token)]
  return references.flatMap((reference) =>
    reference instanceof SecretReference && reference.kind === 'file'
      ? [resolve(dirname(resolve(configFile)), reference.where)]
      : [],
  )
}

function problemOf(token: string, host: string, seen: Set<string>): string | null {
  if (seen.has(token))
    return 'the same token as another one; the journal could not distinguish their commands'
  seen.add(token)
  return shortTokenProblem(token, host)
}

/** Returns why a token is too short for the server's address; null = it is long enough. */
export function shortTokenProblem(token: string, host: string): string | null {
  if (token.length >= SHORTEST_TOKEN || isLoopback(host)) return null
  return `the token has fewer than ${SHORTEST_TOKEN} characters, and ${host} is reached from other machines; \`openssl rand -hex 32\` makes one`
}
