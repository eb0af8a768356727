import { createHash, timingSafeEqual } from 'node:crypto'
import { PERMISSIONS, type Permission } from './permissions.ts'

/** The holder of a token. */
export type Operator = {
  readonly name: string
  readonly may: readonly Permission[]
  /** Several people share this token: the name that the sender gives is recorded next to the token's. */
  readonly isShared: boolean
}

export type Credential = Operator & { readonly token: string }

/** The name of `http.token`, and of the token that a loopback daemon makes for its own user. */
const OPERATOR = 'operator'
/** The name of `http.readToken`. */
export const READER = 'reader'

/** Returns the operator of `http.token`, who has every permission except approving their own request. */
export function sharedOperator(token: string): Credential {
  return { name: OPERATOR, may: PERMISSIONS, isShared: true, token }
}

/** Returns the holder of a request's token; null = no token, or a wrong one. */
type FindOperator = (authorization: string | undefined) => Operator | null

/** Compares with every token, using digests of equal length, so that response times reveal nothing about a guess. */
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

/** Returns the token of an Authorization header, with or without `Bearer` and quotes; null = none. */
export function bearerToken(authorization: string | undefined): string | null {
  const given = /^\s*(?:Bearer:?\s+)?(\S+)\s*$/i.exec(authorization ?? '')?.[1]
  return given?.replace(/^(['"])(.+)\1$/, '$2') ?? null
}

/** Returns the author for the journal: the token's name, which a request cannot forge. */
export function whoOf(operator: Operator, claimed: string | null): string {
  return operator.isShared && claimed !== null ? `${operator.name} (${claimed})` : operator.name
}

/** Returns a digest for comparing secrets; its length does not depend on the secret's. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
