import { createRedactor } from '../base/http/redactor.ts'
import type { VenueRequest } from './call.ts'

/** Routes that are off unless the configuration turns them on: money can leave through them to any address. */
const DANGEROUS = ['POST /withdraw'] as const
export type DangerousRoute = (typeof DANGEROUS)[number]

/** The one holder of the venue's key: it puts the key on requests that it lets pass, and never gives it out. */
export type KeyHolder = {
  /** The headers of a request to one of the routes in use; null = this route is off, and nothing may be sent. */
  readonly headersFor: (request: Pick<VenueRequest, 'path'>) => Readonly<Record<string, string>> | null
  /** Takes every key it has held out of what the venue sent. */
  readonly redact: (text: string) => string
  /** From the next request on another key of the same account. */
  readonly exchange: (apiKey: string) => void
}

/** The key lives in this function's scope and nowhere else. */
export function createKeyHolder(apiKey: string, allowed: readonly DangerousRoute[]): KeyHolder {
  let authorization = `Bearer ${apiKey}`
  const keys = [apiKey]
  let redact = createRedactor(keys)
  return {
    headersFor: (request) => (isOff(request, allowed) ? null : { authorization }),
    redact: (text) => redact(text),
    exchange(next) {
      authorization = `Bearer ${next}`
      keys.push(next)
      redact = createRedactor(keys)
    },
  }
}

/** By what is sent, whatever it is called: no other spelling of the path gets through. */
function isOff({ path }: Pick<VenueRequest, 'path'>, allowed: readonly string[]): boolean {
  const plain = decodeURI(path).toLowerCase().replace(/\/+$/, '')
  return DANGEROUS.some(
    (dangerous) => plain.endsWith(dangerous.split(' ')[1] ?? '') && !allowed.includes(dangerous),
  )
}
