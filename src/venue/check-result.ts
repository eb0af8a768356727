/** One line of the check. `hint` names the next step; null = no action needed. */
export type CheckResult = {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly detail: string
  readonly hint: string | null
}

export function good(name: string, detail: string): CheckResult {
  return { name, status: 'ok', detail, hint: null }
}

export function soft(name: string, detail: string, hint: string | null): CheckResult {
  return { name, status: 'warn', detail, hint }
}

export function bad(name: string, detail: string, hint: string | null): CheckResult {
  return { name, status: 'fail', detail, hint }
}
