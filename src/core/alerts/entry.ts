export type Severity = 'info' | 'warning' | 'critical'

export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 }

/** An alert or notice. Its code is its key, and docs/runbook.md has an entry for each code. */
export type Entry = {
  readonly severity: Severity
  /** Title: what happened. */
  readonly title: string
  /** The steps to take, separated by `; `; a command is in backticks, without its `--config`. Null = no step. */
  readonly advice: string | null
  /** The daemon's own response, apart from the trading state. Must hold whatever the venue answers. */
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
