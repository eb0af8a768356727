import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { ConfigFile } from '../schema/schema.ts'
import type { Finding } from '../source/problem.ts'
import { readSecret, type Env, type Secret } from '../source/secret.ts'

/** How people hear of what this process cannot tell them, with its secrets. */
export type LoadedAlert = {
  /** The outside dead-man service; null = none. */
  readonly heartbeat: {
    readonly url: Secret
    readonly everyMs: Ms
    /** Whether it takes `/start` and `/fail` behind its path. */
    readonly suffixes: boolean
  } | null
}

/** Without a service outside: what is loaded where secrets are not read. */
export const NO_ALERT: LoadedAlert = { heartbeat: null }

/** The secrets of `alert`. No finding's text holds one. */
export function readAlert(
  { heartbeatUrl, heartbeatEveryMs, heartbeatSuffixes }: ConfigFile['alert'],
  configFile: string,
  env: Env,
): Result<LoadedAlert, readonly Finding[]> {
  if (heartbeatUrl === null) return ok(NO_ALERT)
  const read = readSecret(heartbeatUrl, configFile, env)
  const problem = read.ok ? problemOf(read.value.reveal()) : read.error
  if (!read.ok || problem !== null)
    return err([{ path: ['alert', 'heartbeatUrl'], at: 'value', message: problem ?? '' }])
  return ok({ heartbeat: { url: read.value, everyMs: heartbeatEveryMs, suffixes: heartbeatSuffixes } })
}

function problemOf(text: string): string | null {
  return /^https?:\/\/[^\s@/#]+\/[^\s@#]*$/.test(text) && URL.canParse(text)
    ? null
    : 'what it stands for is no address; http(s)://host/path, without a user and a fragment, would be right'
}
