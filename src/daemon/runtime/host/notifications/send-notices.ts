import { POSITION_NOTICES } from '../../../../core/alerts/position-notices.ts'
import { SEVERITY_RANK } from '../../../../core/alerts/entry.ts'
import { err, ok, type Result } from '../../../../base/result.ts'
import { escalationSteps } from '../../../config/load/alert.ts'
import { readChannels } from '../../../config/load/channels.ts'
import type { LoadedNotify } from '../../../config/load/loaded-config.ts'
import { readNotify } from '../../../config/load/notify.ts'
import { parseConfig, type ParsedConfig } from '../../../config/load/parse-config.ts'
import { type Finding, formatProblem } from '../../../config/source/problem.ts'
import type { Env } from '../../../config/source/secret.ts'
import { channelKey, type OutgoingNotice } from '../../../guard/notices/notice.ts'
import type { ChannelPlan } from '../../../notify/delivery/notifier.ts'
import { createSharedChannels } from '../../../notify/delivery/shared-channel.ts'
import { composeMessage } from '../../../notify/message/compose-message.ts'
import type { Message } from '../../../notify/message/message.ts'
import { openChannels } from './channels.ts'
import { asStep } from './open-notifiers.ts'
import type { SentOnce } from './send-once.ts'

/** The outcome of a notice on each of its channels; `key` as in `OutgoingNotice.only`. */
type SentNotice = {
  readonly position: string
  readonly channels: readonly (SentOnce & { readonly key: string })[]
}

/** Sends notices of many positions. Notices to the same channel are combined, so a fleet sends one message. */
type NoticeSender = {
  /** Sends the notice once to each channel that wants it. The error describes an unreadable configuration. Never rejects. */
  readonly send: (notice: OutgoingNotice) => Promise<Result<SentNotice, string>>
  readonly close: () => Promise<void>
}

/** A process that sends once needs no protection against message storms. */
const SHARING = { collectMs: 250, stormMs: 0 }

type Way = { readonly key: string; readonly plan: ChannelPlan; last: Promise<unknown> }
type Target = {
  readonly parsed: ParsedConfig
  readonly notify: LoadedNotify
  readonly ways: ReadonlyMap<number, readonly Way[]>
}

export function createNoticeSender(env: Env): NoticeSender {
  const shared = createSharedChannels(SHARING)
  const targets = new Map<string, Result<Target, string>>()

  function targetOf(file: string): Result<Target, string> {
    const known = targets.get(file) ?? openTarget(file, env, shared)
    targets.set(file, known)
    return known
  }

  return {
    async send(notice) {
      const target = targetOf(notice.configFile)
      if (!target.ok) return target
      const { parsed, notify, ways } = target.value
      const message = messageOf(notice, parsed, notify)
      const chosen = notice.audience.flatMap((audience) => ways.get(audience) ?? [])
      const wanted = chosen.filter((way) => wants(way, notice))
      return ok({
        position: message.position,
        channels: await Promise.all(wanted.map((way) => sendInOrder(way, message))),
      })
    },
    async close() {
      const all = [...targets.values()].flatMap((one) => (one.ok ? [...one.value.ways.values()].flat() : []))
      await Promise.all(all.map(({ plan }) => plan.channel.close()))
    },
  }
}

function openTarget(
  file: string,
  env: Env,
  shared: ReturnType<typeof createSharedChannels>,
): Result<Target, string> {
  const parsed = parseConfig(file, {})
  if (!parsed.ok) return err(parsed.error.map(formatProblem).join('\n'))
  const { file: config, place } = parsed.value
  const placed = (findings: readonly Finding[]) =>
    err(findings.map((one) => formatProblem(place(one))).join('\n'))
  const notify = readNotify(config.notify, file, env)
  if (!notify.ok) return placed(notify.error)
  if (notify.value === null) return err('notify names no channel')
  const ways = new Map([[0, waysOf(0, openChannels(notify.value, shared))]])
  for (const [at, { index, ...step }] of escalationSteps(config.alert).entries()) {
    const channels = readChannels(step, ['alert', 'escalation', index], file, env)
    if (!channels.ok) return placed(channels.error)
    ways.set(at + 1, waysOf(at + 1, openChannels(asStep(notify.value, channels.value), shared)))
  }
  return ok({ parsed: parsed.value, notify: notify.value, ways })
}

function waysOf(audience: number, plans: readonly ChannelPlan[]): readonly Way[] {
  return plans.map((plan) => ({ key: channelKey(audience, plan.name), plan, last: Promise.resolve() }))
}

/** Ends and acknowledgements go to everyone who was notified of the beginning. */
function wants({ key, plan }: Way, { code, isEnd, only }: OutgoingNotice): boolean {
  if (only !== null && !only.includes(key) && !only.includes('*')) return false
  return isEnd || SEVERITY_RANK[POSITION_NOTICES[code].severity] >= SEVERITY_RANK[plan.minSeverity]
}

/** Messages to one channel are serialized, so that an end never arrives before its beginning. */
async function sendInOrder(way: Way, message: Message): Promise<SentOnce & { readonly key: string }> {
  const { key, plan } = way
  const sending = way.last.then(() => plan.channel.send(message))
  way.last = sending
  const delivery = await sending
  const { outcome } = delivery
  return { key, channel: plan.name, outcome, why: outcome === 'sent' ? null : delivery.why }
}

function messageOf(
  { id, kind, code, count, first, last, since, configFile }: OutgoingNotice,
  { file: { name: position, mode } }: ParsedConfig,
  notify: LoadedNotify,
): Message {
  const { severity } = POSITION_NOTICES[code]
  const isOpen = kind === 'raised' || kind === 'reminder'
  const subject = { id, kind, severity: isOpen ? severity : 'info', code, count, first, last, since } as const
  return composeMessage({ ...notify, position, mode, configFile }, subject)
}
