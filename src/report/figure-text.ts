const formats = new Map<number, Intl.NumberFormat>()

/** '-1,234.50' with so many decimals; a figure that is not finite is 'unknown'. Never '-0'. */
export function figureText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return 'unknown'
  let format = formats.get(digits)
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      signDisplay: 'negative',
    })
    formats.set(digits, format)
  }
  return format.format(value)
}
