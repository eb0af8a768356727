import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { ConfigFile } from '../schema/schema.ts'
import type { Finding } from '../source/problem.ts'
import { readSecret, type Env, type Secret, type SecretReference } from '../source/secret.ts'
import { isAnyChannel, readChannels, type LoadedChannels } from './channels.ts'

/** How an unacknowledged alert is escalated, and who notices a process that cannot send alerts; includes secrets. */
export type LoadedAlert = {
  /** The external dead-man service; null = not configured. */
  readonly heartbeat: {
    readonly url: Secret
    readonly everyMs: Ms
    /** Whether the service accepts `/start` and `/fail` appended to its path. */
    readonly suffixes: boolean
  } | null
  /** Null = a critical alert is not repeated. */
  readonly repeatMs: Ms | null
  /** The channels that an unacknowledged alert escalates to, and how long after it was raised. */
  readonly escalation: readonly { readonly afterMs: Ms; readonly channels: LoadedChannels }[]
}

/** No external service and no repetition, for callers that read no secrets. */
export const NO_ALERT: LoadedAlert = { heartbeat: null, repeatMs: null, escalation: [] }

/** Reads the secrets of `alert`. Findings never contain a secret. */
export function readAlert(
  { alert, notify }: Pick<ConfigFile, 'alert' | 'notify'>,
  configFile: string,
  env: Env,
): Result<LoadedAlert, readonly Finding[]> {
  const findings: Finding[] = []
  const { heartbeatUrl, heartbeatEveryMs, heartbeatSuffixes } = alert
  const url = heartbeatUrl === null ? null : readUrl(heartbeatUrl, configFile, env, findings)
  const escalation = escalationSteps(alert).flatMap(({ afterMs, index, ...step }) => {
    const channels = readChannels(step, ['alert', 'escalation', index], configFile, env)
    if (!channels.ok) findings.push(...channels.error)
    return channels.ok ? [{ afterMs, channels: channels.value }] : []
  })
  if (!isAnyChannel(notify) && alert.escalation.length > 0) {
    const message = 'an alert is escalated after it was sent, and notify has no channel: name one in notify'
    findings.push({ path: ['alert', 'escalation'], at: 'value', message })
  }
  if (findings.length > 0) return err(findings)
  return ok({
    heartbeat: url === null ? null : { url, everyMs: heartbeatEveryMs, suffixes: heartbeatSuffixes },
    repeatMs: repeatMsOf(alert),
    escalation,
  })
}

/** Null = a critical alert is not repeated. */
export function repeatMsOf({ repeatMinutes }: Pick<ConfigFile['alert'], 'repeatMinutes'>): Ms | null {
  return repeatMinutes === null ? null : Math.round(repeatMinutes * MINUTE_MS)
}

/** Returns the steps ordered by minutes; `index`: the step's place in the file. */
export function escalationSteps({ escalation }: Pick<ConfigFile['alert'], 'escalation'>) {
  return escalation
    .map(({ afterMinutes, ...step }, index) => ({ ...step, index, afterMs: afterMinutes * MINUTE_MS }))
    .toSorted((a, b) => a.afterMs - b.afterMs)
}

function readUrl(
  reference: SecretReference,
  configFile: string,
  env: Env,
  findings: Finding[],
): Secret | null {
  const read = readSecret(reference, configFile, env)
  const problem = read.ok ? heartbeatProblem(read.value.reveal()) : read.error
  if (problem !== null) findings.push({ path: ['alert', 'heartbeatUrl'], at: 'value', message: problem })
  return read.ok ? read.value : null
}

/** Returns why the URL of an external dead-man service is invalid; null = it is valid. Never contains the URL. */
export function heartbeatProblem(text: string): string | null {
  return /^https?:\/\/[^\s@/#]+\/[^\s@#]*$/.test(text) && URL.canParse(text)
    ? null
    : 'its value is not an address; expected http(s)://host/path, without a user and a fragment'
}
