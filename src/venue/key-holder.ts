import { createRedactor } from '../base/http/redactor.ts'
import type { VenueCall } from './call.ts'

/** The only holder of the venue's key. It adds the key to permitted requests and never returns it. */
export type KeyHolder = {
  /** Returns the headers of a request; null = it is a payout while payouts are off, and nothing may be sent. */
  readonly headersFor: (
    request: Pick<VenueCall<unknown>, 'paysOut' | 'path'>,
  ) => Readonly<Record<string, string>> | null
  /** Redacts every key that it has held from a text of the venue. */
  readonly redact: (text: string) => string
  /** Uses another key of the same account from the next request on. */
  readonly exchange: (apiKey: string) => void
}

export function createKeyHolder(
  apiKey: string,
  mayPayOut: boolean,
  headersOf: (apiKey: string) => Readonly<Record<string, string>>,
): KeyHolder {
  let headers = headersOf(apiKey)
  const keys = [apiKey]
  let redact = createRedactor(keys)
  return {
    headersFor: (request) => (!mayPayOut && isPayout(request) ? null : headers),
    redact: (text) => redact(text),
    exchange(next) {
      headers = headersOf(next)
      keys.push(next)
      redact = createRedactor(keys)
    },
  }
}

/** A call is a payout if it is declared as one or if its path, decoded, may be the route of withdrawals. */
function isPayout({ paysOut, path }: Pick<VenueCall<unknown>, 'paysOut' | 'path'>): boolean {
  if (paysOut) return true
  try {
    return /\/withdraw\/*$/i.test(decodeURIComponent(path))
  } catch {
    return true
  }
}
