import type { Ms } from '../base/time.ts'
import type { Severity } from '../engine/model/observation.ts'

/**
 * One thing that a person may want to hear of. `raised` begins, `lifted` ends what has the same code;
 * `reminder` says that it still stands; `summary` and `test` are about nothing that happened.
 */
export type Notice = {
  readonly t: Ms
  readonly kind: 'raised' | 'lifted' | 'reminder' | 'summary' | 'test'
  readonly severity: Severity
  /** What it is about: a rule of risk, the code of an alert, a step in the daemon's life. Never from outside. */
  readonly code: string
  /** One or more lines. May hold what came from outside: it is cleaned before it is sent. */
  readonly text: string
  /** Since when it is so; null = since `t`. */
  readonly since: Ms | null
}

export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 }

/** A notice of now that comes from the shell: a step in the daemon's life, a disk, a thread. */
export function troubleNotice(severity: Notice['severity'], code: string, text: string): Notice {
  return { t: Date.now(), kind: 'raised', severity, code, text, since: null }
}
