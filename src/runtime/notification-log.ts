import type { Outcome } from '../notify/channel-queue.ts'
import type { Log } from '../telemetry/create-log.ts'

type Told = (channel: string, outcome: Outcome, messages: number, why: string | null) => void

/** Logs what becomes of messages: a channel that fails is said once, and once when it takes messages again. */
export function notificationLog(log: Log): Told {
  const said = new Map<string, string>()
  return (channel, outcome, messages, why) => {
    const line = { event: 'notification', channel, outcome, messages }
    if (outcome === 'sent') {
      if (said.delete(channel)) log.info(line, `${channel} takes messages again`)
      return
    }
    const text = TEXTS[outcome](channel, messages, why ?? '')
    const key = `${outcome} ${why}`
    if (outcome !== 'lost' && said.get(channel) === key) return
    said.set(channel, key)
    log.warn(line, text)
  }
}

const TEXTS: Readonly<
  Record<Exclude<Outcome, 'sent'>, (channel: string, messages: number, why: string) => string>
> = {
  retry: (channel, _messages, why) => `${channel} did not take a message: ${why}; it is tried again`,
  refused: (channel, _messages, why) => `${channel} refuses messages: ${why}; mend the section notify`,
  failed: (channel, _messages, why) =>
    `${channel} takes no messages: ${why}; they come as a summary when it does`,
  held: (channel) => `${channel} has had its share of messages; what comes now is told as a summary`,
  lost: (channel, messages) => `${messages} messages to ${channel} were not told: the process ended`,
}
