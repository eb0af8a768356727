import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { err, ok, type Result } from '../../base/result.ts'
import type { TreasuryConfig } from '../../treasury/model/config.ts'

/** Beside the sources, or beside the bundle. */
const SHIPPED = import.meta.url.endsWith('.ts')
  ? '../../../config/calendar/tz.yaml'
  : './config/calendar/tz.yaml'

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, "not a day; '2026-12-25' in quotes would be right")
  .refine((text) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`)), 'a day that no month has')

/** Other keys (a source, a currency, cut-offs) are for people and for the policy's own reader. */
const calendar = z.looseObject({
  confirmedUntil: day,
  holidays: z.array(z.union([day, z.looseObject({ date: day })])).max(1_000),
})

/** The absolute path of the calendar that a configuration names; null = the one that ships. */
export function bankCalendarFile(written: string | null, configFile: string): string {
  if (written !== null) return resolve(dirname(resolve(configFile)), written)
  return fileURLToPath(new URL(SHIPPED, import.meta.url))
}

/** Reads days on which banks do not work. Errors are sentences that name the file and what to do. */
export function readBankCalendar(file: string): Result<TreasuryConfig['calendar'], string> {
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
  const parsed = calendar.safeParse(document.toJS({ maxAliasCount: 0 }))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return err(
      `${file} is no bank calendar (${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unknown'}); confirmedUntil and a list of holidays would be right`,
    )
  }
  const holidays = parsed.data.holidays.map((one) => (typeof one === 'string' ? one : one.date))
  return ok({ holidays: [...new Set(holidays)].sort(), confirmedUntil: parsed.data.confirmedUntil })
}
