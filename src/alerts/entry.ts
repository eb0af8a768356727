export type Severity = 'info' | 'warning' | 'critical'

export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 }

/** One thing that a person may have to hear of. Its code is its key, and docs/runbook.md has an entry for each code. */
export type Entry = {
  readonly severity: Severity
  /** What to do about it, in one sentence; null = nothing. */
  readonly advice: string | null
}

export function info(advice: string | null = null): Entry {
  return { severity: 'info', advice }
}

export function warning(advice: string): Entry {
  return { severity: 'warning', advice }
}

export function critical(advice: string): Entry {
  return { severity: 'critical', advice }
}
