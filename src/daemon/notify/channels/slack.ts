import type { Channel } from '../message/message.ts'
import { messageText } from '../message/message-text.ts'
import { deliveryOf, postJson } from '../post-json.ts'
import { refusalOf } from './refusals.ts'

type SlackSettings = {
  /** The URL of the incoming webhook: anyone who has it can write to the channel. */
  readonly webhookUrl: () => string
  readonly timezone: string
  readonly timeoutMs?: number
}

/** A Slack channel behind an incoming webhook. Markup is off and what Slack would still read is escaped. */
export function slackChannel({ webhookUrl, timezone, timeoutMs }: SlackSettings): Channel {
  const post = postJson(webhookUrl, timeoutMs)
  return {
    async send(message) {
      const text = escaped(messageText(message, timezone))
      const reply = await post.send(
        JSON.stringify({ text, mrkdwn: false, link_names: 0, unfurl_links: false, unfurl_media: false }),
      )
      if (!reply.ok) return { outcome: 'retry', why: reply.error, afterMs: null }
      const { status, body, shown } = reply.value
      if (status === 200 && body.trim() === 'ok') return { outcome: 'sent' }
      return deliveryOf(reply.value, refusalOf('slack', status, shown))
    },
    close: post.close,
  }
}

/** Escapes the three special characters of Slack's text; mentions and links begin with one of them. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
