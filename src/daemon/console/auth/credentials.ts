import { createHash, timingSafeEqual } from 'node:crypto'
import { PERMISSIONS, type Permission } from './permissions.ts'

/** The holder of a token. */
export type Operator = {
  readonly name: string
  readonly may: readonly Permission[]
  /** Several people hold this token: what they call themselves is kept beside its name. */
  readonly isShared: boolean
}

export type Credential = Operator & { readonly token: string }

/** The name of `http.token`, and of the token that a loopback daemon makes for its own user. */
const OPERATOR = 'operator'
/** The name of `http.readToken`. */
export const READER = 'reader'

/** The one operator of `http.token`, who may do all but approve their own request. */
export function sharedOperator(token: string): Credential {
  return { name: OPERATOR, may: PERMISSIONS, isShared: true, token }
}

/** Finds whose token a request brings; null = no token, or a wrong one. */
type FindOperator = (authorization: string | undefined) => Operator | null

/**
 * Compares with every token, always with all of them and always digests of one length, so that the time of an
 * answer tells nothing about a guess.
 */
export function findOperatorAmong(credentials: readonly Credential[]): FindOperator {
  const known = credentials.map(({ token, name, may, isShared }) => ({
    digest: digestOf(token),
    operator: { name, may, isShared },
  }))
  return (authorization) => {
    const given = bearerToken(authorization)
    if (given === null) return null
    const digest = digestOf(given)
    return known.reduce<Operator | null>(
      (found, one) => (timingSafeEqual(digest, one.digest) ? one.operator : found),
      null,
    )
  }
}

/** The token of an Authorization header, with or without `Bearer` and quotes; null = none. */
export function bearerToken(authorization: string | undefined): string | null {
  const given = /^\s*(?:Bearer:?\s+)?(\S+)\s*$/i.exec(authorization ?? '')?.[1]
  return given?.replace(/^(['"])(.+)\1$/, '$2') ?? null
}

/** Who did it, for the journal: the token's name, which no one can write into a request. */
export function whoOf(operator: Operator, claimed: string | null): string {
  return operator.isShared && claimed !== null ? `${operator.name} (${claimed})` : operator.name
}

/** Returns a digest that a secret is compared by: of one length, whatever the length of the secret. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
