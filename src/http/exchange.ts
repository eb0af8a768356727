import { errors, type Dispatcher, type Pool } from 'undici'
import { err, ok, type Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export type HttpLimits = {
  readonly timeoutMs: Ms
  readonly maxBytes: number
  /** What becomes of a longer answer: it counts as none (the default), or its beginning is the answer. */
  readonly onTooLarge?: 'fail' | 'cut'
}

export type HttpAnswer = {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Why there is no whole answer. */
export type Silence = {
  readonly kind: 'timeout' | 'network' | 'too-large'
  /** For people; names a code and never what was sent or where. */
  readonly words: string
  /** The error's code: ECONNREFUSED, UND_ERR_SOCKET ... */
  readonly code: string
  /**
   * False = no byte of the request was handed to a connection, so that it certainly never arrived. This is
   * observed, not inferred from the error: the connection reports that the request is about to be written.
   */
  readonly wasSent: boolean
  /** The status, where the answer broke off after it. */
  readonly status: number | null
}

/**
 * One request and its whole answer as text, within one deadline for everything: a body that drips is as
 * late as one that never comes. Nothing is sent twice, and a request whose deadline passes while it waits
 * for a connection is not sent at all. Redirects are not followed, and nothing is decompressed. Never rejects.
 */
export function exchange(
  pool: Pool,
  request: HttpRequest,
  limits: HttpLimits,
): Promise<Result<HttpAnswer, Silence>> {
  return new Promise((resolve) => {
    const handler = createHandler(limits, resolve)
    try {
      pool.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler)
    } catch (error) {
      handler.onResponseError(null, error)
    }
  })
}

/** Collects one answer. The first end counts: the whole answer, its size, the deadline, or an error. */
function createHandler(
  { timeoutMs, maxBytes, onTooLarge = 'fail' }: HttpLimits,
  resolve: (result: Result<HttpAnswer, Silence>) => void,
) {
  let controller: Dispatcher.DispatchController | null = null
  let isOver = false
  let status: number | null = null
  let headers: HttpAnswer['headers'] = {}
  const chunks: Uint8Array[] = []
  let size = 0
  const timer = setTimeout(() => end(silence('timeout', `no whole answer within ${timeoutMs} ms`)), timeoutMs)

  function silence(kind: Silence['kind'], words: string, code = kind.toUpperCase()): Result<never, Silence> {
    return err({ kind, words, code, wasSent: controller !== null, status })
  }

  function whole(): HttpAnswer {
    const bytes = Buffer.concat(chunks).subarray(0, maxBytes)
    return { status: status ?? 0, headers, text: new TextDecoder().decode(bytes) }
  }

  function end(result: Result<HttpAnswer, Silence>): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    resolve(result)
    if (!result.ok) controller?.abort(new Error(result.error.code))
    else if (size > maxBytes) controller?.abort(new Error('TOO_LARGE'))
  }

  return {
    onRequestStart(given: Dispatcher.DispatchController): void {
      if (isOver) given.abort(new Error('over'))
      else controller = given
    },
    onResponseStart(
      _: Dispatcher.DispatchController,
      statusCode: number,
      received: HttpAnswer['headers'],
    ): void {
      // Below 200 it is not the answer yet.
      if (statusCode < 200) return
      status = statusCode
      headers = received
    },
    onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
      size += chunk.byteLength
      if (size <= maxBytes || onTooLarge === 'cut') chunks.push(chunk)
      if (size <= maxBytes) return
      end(
        onTooLarge === 'cut'
          ? ok(whole())
          : silence('too-large', `the answer is larger than ${maxBytes} bytes`),
      )
    },
    onResponseEnd(): void {
      end(ok(whole()))
    },
    onResponseError(_: unknown, error: unknown): void {
      const code = codeOf(error)
      const where = status === null ? 'no answer' : `the answer (${status}) broke off`
      end(
        code === 'UND_ERR_CONNECT_TIMEOUT'
          ? silence('timeout', `no connection within ${timeoutMs} ms`, code)
          : silence('network', `${where} (${code})`, code),
      )
    },
  }
}

/** Only the error's code is given out: a library's message could hold what was sent. */
function codeOf(error: unknown): string {
  if (error instanceof errors.UndiciError) return error.code
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return error.code
  }
  return 'UNKNOWN'
}
