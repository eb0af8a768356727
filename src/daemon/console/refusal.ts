/** An error answer: what is wrong and what would be right, in one sentence. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: string
  /** After which it may be sent again, in seconds; of a 429 only. */
  readonly retryAfterS: number

  constructor(status: number, code: string, message: string, retryAfterS = 60) {
    // The stack of a refusal has no reader, and costs more than the rest of it; floods are refused.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    this.code = code
    this.retryAfterS = retryAfterS
  }

  headers(): Readonly<Record<string, string>> {
    return {
      'content-type': 'application/json; charset=utf-8',
      ...(this.status === 429 ? { 'retry-after': String(this.retryAfterS) } : {}),
      ...(this.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    }
  }

  body(): { readonly error: string; readonly message: string } {
    return { error: this.code, message: this.message }
  }
}
