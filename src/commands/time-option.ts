import { InvalidArgumentError } from 'commander'
import type { Ms } from '../base/time.ts'

/** Reads an option's moment in ISO 8601; anything else is refused with what would be right. */
export function timeOption(text: string): Ms {
  const at = Date.parse(text)
  if (/^\d{4}-\d\d-\d\d/.test(text) && Number.isFinite(at)) return at
  throw new InvalidArgumentError('A time like 2026-11-18T06:40:00Z would be right.')
}
