import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { isLoopback } from '../../base/loopback.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { PathStep, Finding } from '../source/problem.ts'
import { field } from '../schema/field.ts'
import { readSecret, type Secret, SecretReference, type Env } from '../source/secret.ts'

/** Guessing at 6000 requests a minute from each of many addresses must not succeed. */
const SHORTEST_TOKEN = 24
/** The names of http.token and http.readToken in the journal. */
const TAKEN_NAMES = ['operator', 'reader']

const permission = z.enum(['read', 'operate', 'withdraw', 'approve'])

/** A token with the name under which the journal records its commands. */
const namedToken = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
      'not a name; letters, digits, dots, dashes (at most 63) would be right',
    )
    .refine((name) => !TAKEN_NAMES.includes(name), 'the name of http.token or http.readToken; take another')
    .describe('The name of the operator in the journal.'),
  token: field.secret,
  may: z
    .array(permission)
    .min(1)
    .describe('read, operate, withdraw (request withdrawals), approve (withdrawals that others requested).'),
})

/** The HTTP server: its address, and the permissions of each token. */
export const httpSection = z
  .strictObject({
    host: field.text.default('127.0.0.1'),
    port: z.int().min(0).max(65_535).default(9_464).describe('0 takes any free port.'),
    token: field.secret
      .nullable()
      .default(null)
      .describe(
        'The token of one operator with every permission, except to approve a withdrawal of his own. Without any token POSTs are rejected.',
      ),
    readToken: field.secret
      .nullable()
      .default(null)
      .describe('A read-only token, for Prometheus and dashboards.'),
    readsNeedToken: z
      .boolean()
      .default(false)
      .describe(
        'Reads on loopback need a token too: set it where a proxy passes requests to this port. Away from loopback they always do.',
      ),
    tokens: z
      .array(namedToken)
      .max(50)
      .default([])
      .describe('Named tokens: the journal records the name of the token with each command.'),
  })
  .refine(({ tokens }) => new Set(tokens.map(({ name }) => name)).size === tokens.length, {
    path: ['tokens'],
    message: 'two tokens have one name; the journal identifies people by it',
  })

type HttpSection = z.output<typeof httpSection>

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
    readonly may: readonly z.output<typeof permission>[]
  }[]
}

/** Reads the tokens; away from loopback each must be long enough, and no two may be equal. */
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

/** The section where no secret is looked for. */
export function httpWithoutSecrets({ host, port, readsNeedToken }: HttpSection): LoadedHttp {
  return { host, port, token: null, readToken: null, readsNeedToken, tokens: [] }
}

/** The absolute paths of the files that tokens stand in. */
export function tokenFiles(section: HttpSection, configFile: string): readonly string[] {
  const references = [section.token, section.readToken, ...section.tokens.map(({ token }) => token)]
  return references.flatMap((reference) =>
    reference instanceof SecretReference && reference.kind === 'file'
      ? [resolve(dirname(resolve(configFile)), reference.where)]
      : [],
  )
}

function problemOf(token: string, host: string, seen: Set<string>): string | null {
  if (seen.has(token)) return 'the same token as another one; the journal could not tell who did it'
  seen.add(token)
  return shortTokenProblem(token, host)
}

/** Why a token is too short for where its server listens; null = it is not. */
export function shortTokenProblem(token: string, host: string): string | null {
  if (token.length >= SHORTEST_TOKEN || isLoopback(host)) return null
  return `the token has fewer than ${SHORTEST_TOKEN} characters, and ${host} is reached from other machines; \`openssl rand -hex 32\` makes one`
}
