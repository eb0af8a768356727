import { createRedactor } from '../base/http/redactor.ts'
import type { VenueRequest } from './call.ts'

/** Routes that the configuration has to turn on, because they can send money to any address. */
const DANGEROUS = ['POST /withdraw'] as const
export type DangerousRoute = (typeof DANGEROUS)[number]

/** The only holder of the venue's key. It adds the key to permitted requests and never returns it. */
export type KeyHolder = {
  /** Returns the headers of a request; null = its route is off, and nothing may be sent. */
  readonly headersFor: (request: Pick<VenueRequest, 'path'>) => Readonly<Record<string, string>> | null
  /** Redacts every key that it has held from a text of the venue. */
  readonly redact: (text: string) => string
  /** Uses another key of the same account from the next request on. */
  readonly exchange: (apiKey: string) => void
}

export function createKeyHolder(
  apiKey: string,
  allowed: readonly DangerousRoute[],
  headersOf: (apiKey: string) => Readonly<Record<string, string>> = bearerToken,
): KeyHolder {
  let headers = headersOf(apiKey)
  const keys = [apiKey]
  let redact = createRedactor(keys)
  return {
    headersFor: (request) => (isOff(request, allowed) ? null : headers),
    redact: (text) => redact(text),
    exchange(next) {
      headers = headersOf(next)
      keys.push(next)
      redact = createRedactor(keys)
    },
  }
}

function bearerToken(apiKey: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${apiKey}` }
}

/** Compares the decoded path, so that no other spelling gets through. */
function isOff({ path }: Pick<VenueRequest, 'path'>, allowed: readonly string[]): boolean {
  const plain = decodeURI(path).toLowerCase().replace(/\/+$/, '')
  return DANGEROUS.some(
    (dangerous) => plain.endsWith(dangerous.split(' ')[1] ?? '') && !allowed.includes(dangerous),
  )
}
