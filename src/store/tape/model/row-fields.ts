import { encodeJson } from '../../../base/codec.ts'
import type { Ms } from '../../../base/time.ts'
import { type Asset, ASSETS, parseAmount } from '../../../base/money/asset.ts'
import { parseRate, type Rate } from '../../../base/money/rate.ts'

/** An invalid field of a line. Thrown by `RowFields`, caught where the line is read. */
export class FieldError extends Error {
  override name = 'FieldError'
}

/** The highest spread that a column of `TapeBatch` can hold. */
const MAX_BPS = 32_767

/**
 * Reads the fields of a JSON object or Parquet row by type; a wrong one throws a `FieldError` that names it. Absent and
 * null fields are equivalent.
 */
export class RowFields {
  readonly #object: Readonly<Record<string, unknown>>

  constructor(object: Readonly<Record<string, unknown>>) {
    this.#object = object
  }

  time(name: string): Ms {
    return this.optionalTime(name) ?? this.#missing(name)
  }

  optionalTime(name: string): Ms | null {
    const value = this.#value(name)
    if (value === null) return null
    // Parquet has its own time type.
    const t = typeof value === 'string' ? parseTime(value) : value instanceof Date ? value.getTime() : null
    return t !== null && t >= 0 && t <= LATEST_TIME
      ? t
      : this.#wrong(name, value, 'an ISO 8601 time with a zone, from 1970 on')
  }

  rate(name: string): Rate {
    const value = this.#value(name) ?? this.#missing(name)
    if (typeof value !== 'string' && typeof value !== 'number') {
      return this.#wrong(name, value, 'a decimal string')
    }
    const rate = parseRate(value)
    return rate.ok ? rate.value : this.#wrong(name, value, 'a rate', rate.error.message)
  }

  asset(name: string): Asset {
    const value = this.#value(name) ?? this.#missing(name)
    return ASSETS.find((asset) => asset === value) ?? this.#wrong(name, value, `one of ${ASSETS.join(', ')}`)
  }

  /** Returns a non-negative book amount of `asset`. */
  amount(name: string, asset: Asset): bigint {
    return this.optionalAmount(name, asset) ?? this.#missing(name)
  }

  optionalAmount(name: string, asset: Asset): bigint | null {
    const value = this.#value(name)
    if (value === null) return null
    if (typeof value !== 'string') return this.#wrong(name, value, 'a decimal string')
    const amount = parseAmount(value)
    if (!amount.ok) return this.#wrong(name, value, `an amount of ${asset}`, amount.error.message)
    return amount.value >= 0n ? amount.value : this.#wrong(name, value, 'an amount of 0 or more')
  }

  bps(name: string): number {
    return this.optionalBps(name) ?? this.#missing(name)
  }

  optionalBps(name: string): number | null {
    const found = this.#value(name)
    if (found === null) return null
    // Other programs write 64-bit integers into Parquet.
    const value = typeof found === 'bigint' ? Number(found) : found
    const isBps = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_BPS
    return isBps ? value : this.#wrong(name, value, `a whole number from 0 to ${MAX_BPS}`)
  }

  flag(name: string): boolean {
    return this.optionalFlag(name) ?? this.#missing(name)
  }

  optionalFlag(name: string): boolean | null {
    const value = this.#value(name)
    if (value === null || typeof value === 'boolean') return value
    return this.#wrong(name, value, 'true or false')
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.#missing(name)
  }

  optionalText(name: string): string | null {
    const value = this.#value(name)
    if (value === null) return null
    return typeof value === 'string' ? value.toWellFormed() : this.#wrong(name, value, 'a text')
  }

  texts(name: string): readonly string[] {
    return this.optionalTexts(name) ?? this.#missing(name)
  }

  optionalTexts(name: string): readonly string[] | null {
    const value = this.#value(name)
    if (value === null) return null
    const isTexts = Array.isArray(value) && value.every((text) => typeof text === 'string')
    return isTexts ? value.map((text) => text.toWellFormed()) : this.#wrong(name, value, 'a list of texts')
  }

  choice<T extends string>(name: string, choices: readonly T[]): T {
    return this.optionalChoice(name, choices) ?? this.#missing(name)
  }

  optionalChoice<T extends string>(name: string, choices: readonly T[]): T | null {
    const value = this.#value(name)
    if (value === null) return null
    return (
      choices.find((choice) => choice === value) ?? this.#wrong(name, value, `one of ${choices.join(', ')}`)
    )
  }

  #value(name: string): unknown {
    return (Object.hasOwn(this.#object, name) ? this.#object[name] : null) ?? null
  }

  #missing(name: string): never {
    throw new FieldError(`${name} is missing`)
  }

  #wrong(name: string, value: unknown, wanted: string, because?: string): never {
    const shown = encodeJson(value).slice(0, 60)
    throw new FieldError(`${name} is ${shown}, not ${wanted}${because === undefined ? '' : `: ${because}`}`)
  }
}

/** The last millisecond with a four-digit year; the earliest time of a tape is 0. */
export const LATEST_TIME: Ms = 253_402_300_799_999

const ISO_TIME = /^(\d{4}-\d\d-\d\dT)(\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):(\d\d))$/
const LATEST_HOUR = 23
const MINUTES_OF_HOUR = 60

/**
 * Parses an ISO 8601 time with date, time of day and zone; null for anything else and for a day that does not exist.
 * Truncates to milliseconds.
 */
export function parseTime(text: string): Ms | null {
  const match = ISO_TIME.exec(text)
  if (match === null) return null
  const [, day = '', minutes = '', seconds = '00', fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] =
    match
  const local = `${day}${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const t = Date.parse(local)
  // Some parsers turn February 30 and 24:00 into the next day, so a time is valid only if it formats back equal.
  if (Number.isNaN(t) || new Date(t).toISOString() !== local) return null
  if (sign === undefined) return t
  const [hours, rest] = [Number(zoneHours), Number(zoneMinutes)]
  if (hours > LATEST_HOUR || rest >= MINUTES_OF_HOUR) return null
  const offset = (hours * MINUTES_OF_HOUR + rest) * 60_000
  return sign === '+' ? t - offset : t + offset
}
