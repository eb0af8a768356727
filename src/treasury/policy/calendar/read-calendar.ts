import { err, ok, type Result } from '../../../base/result.ts'
import { isRecord } from '../../../base/record.ts'
import type { BankCalendar } from '../../model/config.ts'
import { parseDay } from './civil-day.ts'

const TZS = 10n ** 18n
const MOST_DAYS = 1_000
const MOST_PEAKS = 50
const DAY_MINUTES = 1_440
/** Published tariffs of banks in Tanzania: transfers until 13:00 arrive the same day, up to 20,000,000 TZS each. */
const DEFAULT_EFT = { opensMinute: 8 * 60 + 30, cutOffMinute: 13 * 60, mostALot: 20_000_000n * TZS }

/**
 * Reads the calendar of a parsed YAML or JSON file. Every problem is a sentence with its path and the expected value;
 * no content throws. Ignores the keys meant for readers (source, names, timezone).
 */
export function readCalendar(data: unknown): Result<BankCalendar, readonly string[]> {
  if (!isRecord(data))
    return err(['the calendar is not a mapping; expected confirmedUntil and a list of holidays'])
  const problems: string[] = []
  const confirmedUntil = readDay(data['confirmedUntil'], 'confirmedUntil', problems)
  const holidays = listAt(data['holidays'], 'holidays', MOST_DAYS, problems).map((entry, index) =>
    readDay(isRecord(entry) ? entry['date'] : entry, `holidays[${index}]`, problems),
  )
  const timezone = data['timezone'] ?? 'Africa/Dar_es_Salaam'
  if (timezone !== 'Africa/Dar_es_Salaam')
    problems.push('timezone: days are counted in East Africa Time; expected Africa/Dar_es_Salaam')
  const eft = readEft(data['eft'], problems)
  const peaks = listAt(data['peaks'] ?? [], 'peaks', MOST_PEAKS, problems).map((entry, index) =>
    readPeak(entry, `peaks[${index}]`, problems),
  )
  if (problems.length > 0) return err(problems)
  return ok({ confirmedUntil, holidays: [...new Set(holidays)].sort(), eft, peaks })
}

function readEft(value: unknown, problems: string[]): BankCalendar['eft'] {
  const nothing = { opensMinute: 0, cutOffMinute: 0, mostALot: 0n }
  if (value === undefined) return DEFAULT_EFT
  if (!isRecord(value)) {
    problems.push(
      "eft: not a mapping; expected a form such as { opens: '08:30', cutOff: '13:00', mostALotTzs: 20000000 }",
    )
    return nothing
  }
  const opensMinute = readMinute(value['opens'], 'eft.opens', problems)
  const cutOffMinute = readMinute(value['cutOff'], 'eft.cutOff', problems)
  if (cutOffMinute <= opensMinute) problems.push('eft.cutOff: not after eft.opens')
  const most = value['mostALotTzs']
  if (typeof most !== 'number' || !Number.isSafeInteger(most) || most < 500) {
    problems.push('eft.mostALotTzs: not whole shillings from 500 on; expected a number such as 20000000')
    return nothing
  }
  return { opensMinute, cutOffMinute, mostALot: BigInt(most) * TZS }
}

function readPeak(value: unknown, path: string, problems: string[]): BankCalendar['peaks'][number] {
  const nothing = { name: '', daysOfMonth: [] }
  if (!isRecord(value) || typeof value['name'] !== 'string' || value['name'].trim() === '') {
    problems.push(`${path}: missing name; expected a form such as { name: pay-day, daysOfMonth: [25] }`)
    return nothing
  }
  const days = listAt(value['daysOfMonth'], `${path}.daysOfMonth`, 31, problems)
  const isDay = (day: unknown): day is number =>
    typeof day === 'number' && Number.isInteger(day) && day !== 0 && day >= -31 && day <= 31
  const daysOfMonth = days.filter(isDay)
  if (daysOfMonth.length < days.length)
    problems.push(`${path}.daysOfMonth: days are 1 to 31, or -1 (the last one) to -31`)
  return { name: value['name'], daysOfMonth }
}

function readDay(value: unknown, path: string, problems: string[]): string {
  if (typeof value === 'string' && parseDay(value) !== null) return value
  const isWritten = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
  const what = isWritten ? 'a day that does not exist' : 'not a day'
  problems.push(`${path}: ${what}; expected a day such as '2026-12-25' in quotes`)
  return ''
}

function readMinute(value: unknown, path: string, problems: string[]): number {
  const match = typeof value === 'string' ? /^(\d{2}):(\d{2})$/.exec(value) : null
  const [hours, minutes] = [Number(match?.[1] ?? 24), Number(match?.[2] ?? 0)]
  if (hours * 60 + minutes < DAY_MINUTES && minutes < 60) return hours * 60 + minutes
  problems.push(`${path}: not a time; expected a time such as '13:00' in quotes`)
  return 0
}

function listAt(value: unknown, path: string, most: number, problems: string[]): readonly unknown[] {
  if (Array.isArray(value) && value.length <= most) return value as readonly unknown[]
  problems.push(`${path}: not a list of at most ${most} entries`)
  return []
}
