import type { CommandAnswer } from '../../console/position-port.ts'
import type { PositionNotifier } from './notifications/position-notifier.ts'
import type { Supervisor } from './supervisor.ts'

type Parts = {
  readonly supervisor: Pick<Supervisor, 'command'>
  /** Null where no alert is repeated. */
  readonly alerts: PositionNotifier['alerts']
  readonly who: string
  readonly why: string
}

const NOT_REPEATED =
  'no alert is repeated here: neither alert.repeatMinutes nor alert.escalation is set, or notify names no channel'

/**
 * Takes open alerts in hand: one by its code, or all (null). The journal of the position has who did it first. Where the
 * position does not answer, people are spared the reminders all the same, and the answer reports that the journal lacks it.
 */
export async function acknowledgeAlerts(
  code: string | null,
  { supervisor, alerts, who, why }: Parts,
): Promise<CommandAnswer> {
  if (alerts === null) return { accepted: false, answer: NOT_REPEATED }
  const open = alerts.list()
  const wanted = open.filter((alert) => code === null || alert.code === code)
  if (code !== null && wanted.length === 0)
    return { accepted: false, answer: `no alert ${code} is open; open: ${namesOf(open) || 'none'}` }
  const codes = wanted.filter(({ ack }) => ack === null).map((alert) => alert.code)
  if (codes.length === 0) {
    const answer = open.length === 0 ? 'no critical alert is open' : `acknowledged before: ${namesOf(wanted)}`
    return { accepted: true, answer }
  }
  const journalled = await supervisor.command({ name: 'ack', codes }, who, why)
  const taken = await alerts.acknowledge(codes, who, why)
  const answer = `acknowledged: ${taken.join(', ')}`
  if (journalled?.accepted === true) return { accepted: true, answer }
  return { accepted: true, answer: `${answer}; the position does not answer, so its journal lacks this` }
}

function namesOf(alerts: readonly { readonly code: string }[]): string {
  return alerts.map(({ code }) => code).join(', ')
}
