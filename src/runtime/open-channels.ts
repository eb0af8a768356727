import type { LoadedNotify } from '../config/loaded-notify.ts'
import type { ChannelPlan } from '../notify/delivery/notifier.ts'
import { slackChannel } from '../notify/channels/slack.ts'
import { telegramChannel } from '../notify/channels/telegram.ts'
import { webhookChannel } from '../notify/channels/webhook.ts'

/** The channels that the configuration names. Their secrets are read with each message and copied nowhere. */
export function openChannels({ telegram, slack, webhook, timezone }: LoadedNotify): readonly ChannelPlan[] {
  const plans: ChannelPlan[] = []
  if (telegram !== null) {
    const { botToken, chatId, apiUrl, minSeverity, maxPerHour, summary } = telegram
    const channel = telegramChannel({ botToken: () => botToken.reveal(), chatId, apiUrl, timezone })
    plans.push({ name: 'telegram', channel, minSeverity, maxPerHour, summary })
  }
  if (slack !== null) {
    const { webhookUrl, minSeverity, maxPerHour, summary } = slack
    const channel = slackChannel({ webhookUrl: () => webhookUrl.reveal(), timezone })
    plans.push({ name: 'slack', channel, minSeverity, maxPerHour, summary })
  }
  if (webhook !== null) {
    const { url, hmacKey, minSeverity, maxPerHour, summary } = webhook
    const channel = webhookChannel({ url: () => url.reveal(), hmacKey: () => hmacKey.reveal(), timezone })
    plans.push({ name: 'webhook', channel, minSeverity, maxPerHour, summary })
  }
  return plans
}
