export type Severity = 'info' | 'warning' | 'critical'

export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 }

/** One thing that a person may be notified of. Its code is its key, and docs/runbook.md has an entry for each code. */
export type Entry = {
  readonly severity: Severity
  /** What happened, in words. */
  readonly title: string
  /** The steps to take, separated by `; `; a command is in backticks, without its `--config`. Null = no step. */
  readonly advice: string | null
  /** What mizani does about it, apart from what the trading state shows; true whatever the venue answers. */
  readonly did?: string
}

export function info(title: string, advice: string | null = null): Entry {
  return { severity: 'info', title, advice }
}

export function warning(title: string, advice: string, did?: string): Entry {
  return { severity: 'warning', title, advice, ...(did === undefined ? {} : { did }) }
}

export function critical(title: string, advice: string, did?: string): Entry {
  return { severity: 'critical', title, advice, ...(did === undefined ? {} : { did }) }
}
