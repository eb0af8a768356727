import { createHmac } from 'node:crypto'
import { SECOND_MS } from '../../../base/time.ts'
import type { Channel, Message } from '../message/message.ts'
import { messageText, textLines } from '../message/message-text.ts'
import { createRedactor } from '../../../base/http/redactor.ts'
import { deliveryOf, postJson } from '../post-json.ts'
import { refusalOf } from './refusals.ts'

type WebhookSettings = {
  readonly url: () => string
  readonly hmacKey: () => string
  readonly timezone: string
  readonly timeoutMs?: number
}

/** Receivers ignore unknown fields; the version increases when an existing field changes its meaning. */
const VERSION = 1

/**
 * A webhook on any server: one signed JSON document per message. `x-mizani-signature` is `sha256=` and, in hex, the HMAC-SHA256 of
 * `x-mizani-timestamp` (Unix seconds), a full stop and the body. Any 2xx means accepted.
 */
export function webhookChannel({ url, hmacKey, timezone, timeoutMs }: WebhookSettings): Channel {
  const post = postJson(url, timeoutMs)
  return {
    async send(message) {
      const body = JSON.stringify(documentOf(message, timezone))
      const timestamp = String(Math.floor(Date.now() / SECOND_MS))
      const signature = createHmac('sha256', hmacKey()).update(`${timestamp}.${body}`).digest('hex')
      const reply = await post.send(body, {
        'x-mizani-timestamp': timestamp,
        'x-mizani-signature': `sha256=${signature}`,
      })
      if (!reply.ok) return { outcome: 'retry', why: reply.error, afterMs: null }
      const { status, shown } = reply.value
      if (status >= 200 && status < 300) return { outcome: 'sent' }
      return deliveryOf(reply.value, refusalOf('webhook', status, createRedactor([hmacKey()])(shown)))
    },
    close: post.close,
  }
}

function documentOf(message: Message, timezone: string): Readonly<Record<string, unknown>> {
  const { kind, first, last, since, also, ...rest } = message
  return {
    version: VERSION,
    ...rest,
    kind,
    what: textLines(kind, last.text).join('\n'),
    firstWhat: textLines(kind, first.text).join('\n'),
    also: also.flatMap(({ text }) => textLines(kind, text)),
    firstAt: iso(first.t),
    lastAt: iso(last.t),
    since: iso(since ?? first.t),
    text: messageText(message, timezone),
  }
}

function iso(t: number): string {
  return new Date(t).toISOString()
}
