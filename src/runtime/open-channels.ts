import type { LoadedNotify } from '../config/loaded-notify.ts'
import type { ChannelPlan } from '../notify/create-notifier.ts'
import { openSlack } from '../notify/open-slack.ts'
import { openTelegram } from '../notify/open-telegram.ts'
import { openWebhook } from '../notify/open-webhook.ts'

/** The channels that the configuration names. Their secrets are read with each message and copied nowhere. */
export function openChannels({ telegram, slack, webhook, timezone }: LoadedNotify): readonly ChannelPlan[] {
  const plans: ChannelPlan[] = []
  if (telegram !== null) {
    const { botToken, chatId, apiUrl, minSeverity, maxPerHour, summary } = telegram
    const channel = openTelegram({ botToken: () => botToken.reveal(), chatId, apiUrl, timezone })
    plans.push({ name: 'telegram', channel, minSeverity, maxPerHour, summary })
  }
  if (slack !== null) {
    const { webhookUrl, minSeverity, maxPerHour, summary } = slack
    const channel = openSlack({ webhookUrl: () => webhookUrl.reveal(), timezone })
    plans.push({ name: 'slack', channel, minSeverity, maxPerHour, summary })
  }
  if (webhook !== null) {
    const { url, hmacKey, minSeverity, maxPerHour, summary } = webhook
    const channel = openWebhook({ url: () => url.reveal(), hmacKey: () => hmacKey.reveal(), timezone })
    plans.push({ name: 'webhook', channel, minSeverity, maxPerHour, summary })
  }
  return plans
}
