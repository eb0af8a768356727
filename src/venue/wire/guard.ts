/** A request that a venue's client prepares, so that the guard sends it without the client's code. */
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

/** How the guard reads the answers of one kind of venue. It loads no client, so each member is pure and small. */
export type GuardDialect = {
  /** Returns the headers that hold the key. */
  readonly keyHeaders: (apiKey: string) => Readonly<Record<string, string>>
  /** Returns the code of a refusal; null = it names none. */
  readonly codeOf: (refusal: Fields) => string | null
  /** Returns the spread of a quote in bps; null = it states none. */
  readonly spreadOf: (quote: Fields) => number | null
  /** Returns whether the account is active; null = it is not stated. */
  readonly isActive: (account: Fields) => boolean | null
  readonly readDeactivation: (status: number, body: unknown) => DeactivationAnswer
  /** Returns whether an answer confirms the quote of the request's body. */
  readonly confirms: (answer: Fields, asked: Fields) => boolean
  /** Returns whether an answer states that a side is closed. */
  readonly isClosed: (answer: Fields, side: 'bid' | 'ask') => boolean
}

/** The result of a deactivation. */
export type DeactivationAnswer =
  /** Everything is out; `returned`: the number of tokens that this call listed as returned. */
  | { readonly kind: 'out'; readonly returned: number }
  | { readonly kind: 'partial'; readonly kept: readonly ListedToken[] }
  /** The venue refuses because the account is inactive. */
  | { readonly kind: 'inactive' }
  | { readonly kind: 'unclear' }

/** A token that a deactivation lists as returned or kept, as the venue words it; null = not stated. */
export type ListedToken = {
  readonly token: string
  readonly amount: string | null
  readonly reason: string
}
