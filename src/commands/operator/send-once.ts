import type { LoadedConfig, LoadedNotify } from '../../config/load/loaded-config.ts'
import type { MessagePlace } from '../../notify/message/compose-message.ts'
import type { Delivery, Message } from '../../notify/message/message.ts'
import type { ChannelPlan } from '../../notify/delivery/notifier.ts'
import { openChannels } from '../../runtime/host/notifications/channels.ts'

/** What became of one message on one channel. `why` never holds a secret. */
export type SentOnce = {
  readonly channel: string
  readonly outcome: Delivery['outcome']
  readonly why: string | null
}

/** Where a message of a command comes from and leads to. */
export function placeOf({ core, file }: LoadedConfig, notify: LoadedNotify): MessagePlace {
  return { ...notify, position: core.name, mode: core.mode, configFile: file }
}

/** Sends `message` once to each channel that `wants` it, and closes the channels. Never rejects. */
export async function sendOnce(
  notify: LoadedNotify,
  message: Message,
  wants: (plan: ChannelPlan) => boolean = () => true,
): Promise<readonly SentOnce[]> {
  return Promise.all(openChannels(notify).flatMap((plan) => (wants(plan) ? [sendTo(plan, message)] : [])))
}

async function sendTo({ name, channel }: ChannelPlan, message: Message): Promise<SentOnce> {
  const delivery = await channel.send(message)
  await channel.close()
  const { outcome } = delivery
  return { channel: name, outcome, why: outcome === 'sent' ? null : delivery.why }
}

/** One line for a terminal. */
export function sentLine({ channel, outcome, why }: SentOnce): string {
  const what =
    outcome === 'sent'
      ? 'sent; check that it arrived'
      : outcome === 'refused'
        ? `refused: ${why}`
        : `not sent: ${why}; the daemon would retry`
  return `${channel.padEnd(9)} ${what}`
}
