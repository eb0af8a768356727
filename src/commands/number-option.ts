import { InvalidArgumentError } from 'commander'

export type NumberRange = { readonly whole?: boolean; readonly min: number; readonly max: number }

/** Any seed that survives being written as a number. */
export const ANY_SEED: NumberRange = {
  whole: true,
  min: Number.MIN_SAFE_INTEGER,
  max: Number.MAX_SAFE_INTEGER,
}

/** Reads an option's number; anything else, or out of range, is refused with what would be right. */
export function numberOption({ whole = false, min, max }: NumberRange): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    const fits =
      (whole ? Number.isSafeInteger(value) : Number.isFinite(value)) && value >= min && value <= max
    if (fits) return value
    const upTo = max === Number.MAX_SAFE_INTEGER ? `from ${min} up` : `from ${min} to ${max}`
    throw new InvalidArgumentError(`A ${whole ? 'whole number' : 'number'} ${upTo} would be right.`)
  }
}
