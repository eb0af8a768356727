import { errors, type Dispatcher } from 'undici'
import { err, ok, type Result } from '../result.ts'
import type { Ms } from '../time.ts'
import { DialError, lateText } from './dial.ts'
import { triedBy } from './open-pool.ts'
import { runAfter } from '../threads/timing.ts'

export type HttpRequest = {
  /** Scheme, host and port; absent = the pool's origin. */
  readonly origin?: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS'
  /** Including the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

export type HttpLimits = {
  readonly timeoutMs: Ms
  readonly maxBytes: number
  /** What to do with an answer beyond the limit: fail (the default), or cut it. */
  readonly onTooLarge?: 'fail' | 'cut'
  /** Called just before the first byte is sent; false cancels the request. Absent = it is sent. */
  readonly mayStart?: () => boolean
  /** Receives each part of the body as it arrives, for streams; the returned answer still has the whole body. */
  readonly onChunk?: (chunk: Uint8Array, status: number) => void
}

export type HttpAnswer = {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Why there is no complete answer. */
export type Silence = {
  readonly kind: 'timeout' | 'network' | 'too-large'
  /** For the operator: contains the error code, never the address or the content. */
  readonly words: string
  /** The error's code: ECONNREFUSED, UND_ERR_SOCKET ... */
  readonly code: string
  /**
   * False = no byte of the request was handed to a connection, so it certainly never arrived. The connection reports
   * this when it is about to write; it is not inferred from the error.
   */
  readonly wasSent: boolean
  /** The status, if the answer broke off after it. */
  readonly status: number | null
}

/**
 * Sends one request and returns its whole answer as text. One deadline covers everything, including a slow body. Never
 * retries, never sends after the deadline passed while waiting for a connection, never follows redirects or
 * decompresses, and never rejects.
 */
export function exchange(
  pool: Dispatcher,
  request: HttpRequest,
  limits: HttpLimits,
): Promise<Result<HttpAnswer, Silence>> {
  return new Promise((resolve) => {
    const late = (wasSent: boolean) => lateText(limits.timeoutMs, wasSent ? '' : triedBy(pool))
    const handler = createHandler(limits, late, resolve)
    try {
      pool.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler)
    } catch (error) {
      handler.onResponseError(null, error)
    }
  })
}

/** Collects one answer. Ends at the first of: the complete answer, the size limit, the deadline, an error. */
function createHandler(
  { timeoutMs, maxBytes, onTooLarge = 'fail', onChunk, mayStart }: HttpLimits,
  late: (wasSent: boolean) => string,
  resolve: (result: Result<HttpAnswer, Silence>) => void,
) {
  let controller: Dispatcher.DispatchController | null = null
  let isOver = false
  let status: number | null = null
  let headers: HttpAnswer['headers'] = {}
  const body = collectBody(maxBytes)
  const timer = runAfter(() => end(silence('timeout', late(controller !== null))), timeoutMs)

  function silence(kind: Silence['kind'], words: string, code = kind.toUpperCase()): Result<never, Silence> {
    return err({ kind, words, code, wasSent: controller !== null, status })
  }

  const whole = (): HttpAnswer => ({ status: status ?? 0, headers, text: body.text() })

  function end(result: Result<HttpAnswer, Silence>): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    resolve(result)
    if (!result.ok) controller?.abort(new Error(result.error.code))
    else if (body.isTooLarge()) controller?.abort(new Error('TOO_LARGE'))
  }

  return {
    onRequestStart(given: Dispatcher.DispatchController): void {
      if (!isOver && mayStart?.() === false)
        end(silence('network', 'it was cancelled before it was sent', 'BARRED'))
      if (isOver) given.abort(new Error('over'))
      else controller = given
    },
    onResponseStart(
      _: Dispatcher.DispatchController,
      statusCode: number,
      received: HttpAnswer['headers'],
    ): void {
      // A status below 200 precedes the answer.
      if (statusCode < 200) return
      status = statusCode
      headers = received
    },
    onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
      // Data after the deadline is dropped.
      if (!isOver) onChunk?.(chunk, status ?? 0)
      body.add(chunk)
      if (!body.isTooLarge()) return
      const isCut = onTooLarge === 'cut'
      end(isCut ? ok(whole()) : silence('too-large', `the answer is larger than ${maxBytes} bytes`))
    },
    onResponseEnd: () => end(ok(whole())),
    onResponseError(_: unknown, error: unknown): void {
      const { kind, words, code } = howItBroke(error, status)
      end(silence(kind, words, code))
    },
  }
}

/** Advice for codes that do not show the cause. */
const REASON: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER:
    ': the address is https, but the server at this port does not speak TLS; check the port, or use http if that is intended',
  ERR_TLS_CERT_ALTNAME_INVALID: ': the certificate is for another host name',
  CERT_HAS_EXPIRED: ': the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: ': the certificate is self-signed; NODE_EXTRA_CA_CERTS can name its authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    ': the authority of the certificate is unknown; NODE_EXTRA_CA_CERTS can name it',
}

function howItBroke(error: unknown, status: number | null): Pick<Silence, 'kind' | 'words' | 'code'> {
  const code = codeOf(error)
  if (error instanceof DialError)
    return { kind: error.isLate ? 'timeout' : 'network', words: error.message, code }
  // undici reports the status only in its message.
  const refused =
    error instanceof errors.RequestAbortedError && /^Proxy response \((\d+)\)/.exec(error.message)
  if (refused)
    return {
      kind: 'network',
      words: `the proxy of HTTPS_PROXY answered ${refused[1]} and opened no connection: allow the host and the user in its rules, or add the host to NO_PROXY`,
      code: `PROXY_${refused[1]}`,
    }
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return {
      kind: 'timeout',
      words: 'the address was reached, but the TLS handshake did not finish in time',
      code,
    }
  const where = status === null ? 'no answer' : `the answer (${status}) broke off`
  return { kind: 'network', words: `${where} (${code}${REASON[code] ?? ''})`, code }
}

type Body = { add(chunk: Uint8Array): void; isTooLarge(): boolean; text(): string }

/** Holds at most the limit plus one chunk; the text ends at the limit. */
function collectBody(maxBytes: number): Body {
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    add(chunk) {
      size += chunk.byteLength
      chunks.push(chunk)
    },
    isTooLarge: () => size > maxBytes,
    text: () => new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes)),
  }
}

/** Returns only the error's code, because a library's message could quote the request. */
function codeOf(error: unknown): string {
  if (error instanceof errors.UndiciError) return error.code
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return error.code
  }
  return 'UNKNOWN'
}
