import { withDocumentedNames } from '../../base/http/documented-names.ts'
import { MAX_SPREAD_BPS } from '../../base/money/bps.ts'
import { readDeactivation } from './activation.ts'
import { LP_ALIASES } from './aliases.ts'
import { asFlag, asWhole } from './fields.ts'

/** A request that the venue module prepares, so that the guard sends it without the client's code. */
export type PreparedRequest = {
  readonly method: string
  /** Includes the venue's base path and the query. */
  readonly path: string
  /** JSON text; null = no body. */
  readonly body: string | null
}

/** Every request that the guard sends; the quotes are `safe`, and the safe quote with one side closed. */
export type GuardRequests = Readonly<
  Record<'safe' | 'bid-off' | 'ask-off' | 'readBid' | 'readAsk' | 'deactivate' | 'account', PreparedRequest>
>

type Fields = Readonly<Record<string, unknown>>

/** What the guard needs of the LP API besides its requests. Another venue has another record with these members. */
export const LP_GUARD = {
  keyHeaders: (apiKey: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${apiKey}` }),

  /** Returns the code of a refusal; null = it names none. */
  codeOf({ code, error }: Fields): string | null {
    const named = typeof code === 'string' ? code : error
    return typeof named === 'string' && /^[A-Z_]{1,40}$/.test(named) ? named : null
  },

  /** Returns the spread of a quote in bps; null = it states none. */
  spreadOf(quote: Fields): number | null {
    const bps = asWhole(quote['spreadBps'])
    return Number.isInteger(bps) ? (bps as number) : null
  },

  /** Returns whether the account is active; null = it is not stated. */
  isActive(account: Fields): boolean | null {
    const named = withDocumentedNames(account, LP_ALIASES.account)
    const isActive = named.ok ? asFlag(named.value['isActive']) : null
    return typeof isActive === 'boolean' ? isActive : null
  },

  readDeactivation,

  /**
   * Returns whether an answer confirms the requested quote. It may omit the pairs, and the flag of a side that the request opens. A
   * side that the request closes is confirmed by its flag or by the widest spread: a venue without flags cannot close it.
   */
  confirms(answer: Fields, asked: Fields): boolean {
    const isSideHeld = (bps: string, flag: string) => {
      if (asWhole(answer[bps]) !== asked[bps]) return false
      const stated = asFlag(answer[flag] ?? null)
      return (
        stated === asked[flag] || (stated === null && (asked[flag] === true || asked[bps] === MAX_SPREAD_BPS))
      )
    }
    return isSideHeld('bidBps', 'quoteBid') && isSideHeld('askBps', 'quoteAsk')
  },

  /** Returns whether an answer states that a side is closed. */
  isClosed: (answer: Fields, side: 'bid' | 'ask'): boolean =>
    asFlag(answer[side === 'bid' ? 'quoteBid' : 'quoteAsk'] ?? null) === false,
}
