import { z } from 'zod'
import { SECOND_MS } from '../../../base/time.ts'
import type { Channel, Delivery, Message } from '../message/message.ts'
import { messageText } from '../message/message-text.ts'
import { deliveryOf, postJson, type PostReply } from '../post-json.ts'

type TelegramSettings = {
  /** The token of the bot; it becomes a part of the address. */
  readonly botToken: () => string
  readonly chatId: string
  /** A topic of the chat; null or absent = the chat itself. */
  readonly topicId?: number | null
  readonly apiUrl: string
  readonly timezone: string
  readonly timeoutMs?: number
}

const answerSchema = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  parameters: z
    .object({ retry_after: z.number().min(0).optional(), migrate_to_chat_id: z.int().optional() })
    .optional(),
})

/** Words without digits: no token can be among them. */
const HARMLESS = /^[A-Za-z][A-Za-z ,.:'-]{0,79}$/

/** A chat that a bot writes to: sendMessage of the Bot API, without a parse mode, so that text is text. */
export function telegramChannel(settings: TelegramSettings): Channel {
  const { botToken, topicId = null, apiUrl, timezone, timeoutMs } = settings
  const post = postJson(() => `${apiUrl.replace(/\/$/, '')}/bot${botToken()}/sendMessage`, timeoutMs)
  let { chatId } = settings
  const attempt = (message: Message) => {
    const isMoved = chatId !== settings.chatId
    const moved = isMoved ? `\n\nThis chat has moved: set chatId of notify.telegram to '${chatId}'.` : ''
    return post.send(
      JSON.stringify({
        chat_id: chatId,
        ...(topicId !== null && !isMoved && { message_thread_id: topicId }),
        text: `${messageText(message, timezone)}${moved}`,
        link_preview_options: { is_disabled: true },
        disable_notification: message.severity === 'info',
      }),
    )
  }
  return {
    async send(message) {
      let reply = await attempt(message)
      const movedTo = reply.ok ? parse(reply.value.body)?.parameters?.migrate_to_chat_id : undefined
      if (movedTo !== undefined && String(movedTo) !== chatId) {
        chatId = String(movedTo)
        reply = await attempt(message)
      }
      return reply.ok ? read(reply.value) : { outcome: 'retry', why: reply.error, afterMs: null }
    },
    close: post.close,
  }
}

function read(reply: PostReply): Delivery {
  const answer = parse(reply.body)
  if (reply.status === 200 && answer?.ok === true) return { outcome: 'sent' }
  const described = answer?.description
  const words = described !== undefined && HARMLESS.test(described) ? ` (${described})` : ''
  const seconds = answer?.parameters?.retry_after
  return deliveryOf(
    { ...reply, retryAfterMs: seconds === undefined ? reply.retryAfterMs : seconds * SECOND_MS },
    { words, isContent: null },
  )
}

function parse(body: string): z.output<typeof answerSchema> | null {
  try {
    const parsed = answerSchema.safeParse(JSON.parse(body))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
