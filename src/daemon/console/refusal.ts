/** An error answer: one sentence that names the problem and a valid request. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: string
  /** The time after which the request may be sent again, in seconds; sent with a 429 only. */
  readonly retryAfterS: number

  constructor(status: number, code: string, message: string, retryAfterS = 60) {
    // No one reads the stack of a refusal, and creating it costs more than the rest, which matters in a flood of requests.
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
