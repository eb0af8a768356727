import { createTask, type ScheduledTask } from 'node-cron'
import { errorText } from '../../../base/result.ts'

/** Time zone of the profit skim. */
export const SKIM_TIMEZONE = 'Africa/Dar_es_Salaam'
/** node-cron also accepts six fields, starting with seconds, but every clock here checks whole minutes. */
const FIELDS = 5

/** Returns a task that decides whether a time matches. Throws if node-cron rejects the expression. */
export function readCron(expression: string, timezone: string): ScheduledTask {
  const task = createTask(expression, () => undefined, { timezone })
  // The library lists every task of the process until it is destroyed; matching needs no list.
  void task.destroy()
  return task
}

/** Returns why node-cron rejects the five fields, or that they never match; null = they are valid. */
export function cronProblem(expression: string, timezone: string): string | null {
  const { length } = expression.trim().split(/\s+/)
  if (length !== FIELDS)
    return `${length} fields where cron has ${FIELDS}; expected five, such as '0 18 * * 5' (Fridays at 18:00)`
  try {
    readCron(expression, timezone).getNextRuns(1)
    return null
  } catch (error) {
    return `node-cron cannot run it: ${errorText(error)}; use numbers, names, lists, ranges and */STEP such as '*/15 8-17 * * 1-5'`
  }
}
