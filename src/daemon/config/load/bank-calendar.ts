import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseDocument } from 'yaml'
import { err, type Result } from '../../../base/result.ts'
import type { BankCalendar } from '../../../treasury/model/config.ts'
import { readCalendar } from '../../../treasury/policy/calendar/read-calendar.ts'

/** Beside the sources, or beside the bundle. */
const SHIPPED = import.meta.url.endsWith('.ts')
  ? '../../../../config/calendar/tz.yaml'
  : './config/calendar/tz.yaml'

/** The absolute path of the calendar that a configuration names; null = the one that ships. */
export function bankCalendarFile(written: string | null, configFile: string): string {
  if (written !== null) return resolve(dirname(resolve(configFile)), written)
  return fileURLToPath(new URL(SHIPPED, import.meta.url))
}

/** Reads days on which banks do not work. Errors are sentences that name the file and what to do. */
export function readBankCalendar(file: string): Result<BankCalendar, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    const { code = 'unreadable' } = thrown as NodeJS.ErrnoException
    return err(`the calendar ${file} cannot be read (${code}); leave the key out for the one that ships`)
  }
  const document = parseDocument(text, { logLevel: 'silent' })
  const [problem] = document.errors
  if (problem !== undefined) return err(`the calendar ${file} is not YAML: ${problem.message.split('\n')[0]}`)
  const read = readCalendar(document.toJS({ maxAliasCount: 0 }))
  return read.ok ? read : err(`${file} is no bank calendar: ${read.error.join('; ')}`)
}
