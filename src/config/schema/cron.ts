import { createTask, type ScheduledTask } from 'node-cron'
import { errorText } from '../../base/result.ts'

/** Time zone of the skim of profits. */
export const SKIM_TIMEZONE = 'Africa/Dar_es_Salaam'
/** node-cron also runs six fields, of which the first are seconds: every clock here looks at whole minutes. */
const FIELDS = 5

/** Returns what tells whether a moment matches. Throws for what node-cron cannot run. */
export function readCron(expression: string, timezone: string): ScheduledTask {
  return createTask(expression, () => undefined, { timezone })
}

/** Returns why node-cron cannot run five fields of cron, or why they never match, in a sentence; null = they match some day. */
export function cronProblem(expression: string, timezone: string): string | null {
  const { length } = expression.trim().split(/\s+/)
  if (length !== FIELDS)
    return `${length} fields where cron has ${FIELDS}; '0 18 * * 5' (Fridays at 18:00) would be right`
  try {
    const task = readCron(expression, timezone)
    task.getNextRuns(1)
    // node-cron keeps every task until then.
    void task.destroy()
    return null
  } catch (error) {
    return `node-cron cannot run it: ${errorText(error)}; numbers, names, lists, ranges and */STEP such as '*/15 8-17 * * 1-5' would be right`
  }
}
