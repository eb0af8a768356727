import { err, type Result } from '../../base/result.ts'
import { addressOf, openHttpClient } from '../../base/http/client.ts'
import type { Silence } from '../../base/http/exchange.ts'
import type { FeedReader, FeedSource } from './feed.ts'
import { figureInJson } from './read-figure.ts'

/** Larger than any list of rates. */
const MOST_BYTES = 256 * 1_024

/**
 * Opens a JSON document over HTTP, with one deadline, a bounded answer and no redirects, which could lead anywhere.
 * The URL is revealed on opening, and errors never contain it.
 */
export function openHttp({ url, headers, ...rest }: Extract<FeedSource, { kind: 'http' }>): FeedReader {
  const { path, timePath, timeoutMs } = rest
  const address = addressOf(url.reveal())
  const http = openHttpClient({ connections: 1, timeoutMs, maxBytes: MOST_BYTES, mayUseProxy: true })
  return {
    async read() {
      const revealed = Object.entries(headers).map(([name, value]) => [name, value.reveal()] as const)
      const answer = await http.send({
        ...address,
        method: 'GET',
        headers: { accept: 'application/json', 'user-agent': 'mizani', ...Object.fromEntries(revealed) },
        body: null,
      })
      if (!answer.ok) return withoutFigure(answer.error)
      const { status, text } = answer.value
      return status === 200
        ? figureInJson(text, { path, timePath })
        : err(`it answered ${statusText(status)}`)
    },
    close: http.close,
  }
}

/** If an answer breaks off, reports its status rather than how it ended. */
function withoutFigure({ status, words }: Silence): Result<never, string> {
  return err(status === null || status === 200 ? words : `it answered ${statusText(status)}`)
}

function statusText(status: number): string {
  return status >= 300 && status < 400 ? `${status}, a redirect, which is not followed` : `${status}`
}
