import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseDocument } from 'yaml'
import { err, type Result } from '../../../base/result.ts'
import type { BankCalendar } from '../../../treasury/model/config.ts'
import { readCalendar } from '../../../treasury/policy/calendar/read-calendar.ts'

/** Next to the sources, or next to the bundle. */
const SHIPPED = import.meta.url.endsWith('.ts')
  ? '../../../../config/calendar/tz.yaml'
  : './config/calendar/tz.yaml'

/** Returns the absolute path of the configured calendar; null = the bundled one. */
export function bankCalendarFile(written: string | null, configFile: string): string {
  if (written !== null) return resolve(dirname(resolve(configFile)), written)
  return fileURLToPath(new URL(SHIPPED, import.meta.url))
}

/** Reads the days on which banks do not work. Errors are sentences that name the file and the remedy. */
export function readBankCalendar(file: string): Result<BankCalendar, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    const { code = 'unreadable' } = thrown as NodeJS.ErrnoException
    return err(`the calendar ${file} cannot be read (${code}); omit the key to use the bundled calendar`)
  }
  const document = parseDocument(text, { logLevel: 'silent' })
  const [problem] = document.errors
  if (problem !== undefined) return err(`the calendar ${file} is not YAML: ${problem.message.split('\n')[0]}`)
  const read = readCalendar(document.toJS({ maxAliasCount: 0 }))
  return read.ok ? read : err(`${file} is not a bank calendar: ${read.error.join('; ')}`)
}
