import type { Ms } from '../../base/time.ts'

const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/**
 * A timestamp of the contract (ISO 8601 with its zone) or null. A date without a zone would be read on
 * this machine's clock and a bare number in a guessed unit, so neither is taken.
 */
export function momentOf(value: unknown): Ms | null {
  if (typeof value !== 'string' || value.length > 40 || !ISO_8601.test(value)) return null
  const at = Date.parse(value)
  return Number.isFinite(at) ? at : null
}
