import type { JsonValue } from './variant.ts'

/** A value for people: drawn numbers have more digits than anybody reads. */
export function valueText(value: JsonValue): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(6)))
  return typeof value === 'string' ? value : JSON.stringify(value)
}
