const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * Exact decimal text for reading: rounded to `digits` after the point (half away from zero), thousands
 * grouped, with a true minus. No float on the way; what is no decimal is shown as it came.
 */
export function decimalText(text: string | null | undefined, digits: number, sign = false): string {
  if (text === null || text === undefined) return '–'
  const [, minus, whole = '', fraction = ''] = DECIMAL.exec(text) ?? []
  if (minus === undefined) return text
  const kept = fraction.padEnd(digits + 1, '0')
  const roundsUp = (kept[digits] ?? '0') >= '5' ? 1n : 0n
  const scaled = (BigInt(whole + kept.slice(0, digits)) + roundsUp).toString().padStart(digits + 1, '0')
  const head = scaled.slice(0, scaled.length - digits)
  const tail = digits === 0 ? '' : `.${scaled.slice(-digits)}`
  const isZero = /^0*$/.test(scaled)
  const mark = isZero ? '' : minus === '-' ? '−' : sign ? '+' : ''
  return `${mark}${grouped(head)}${tail}`
}

/** '1234567' is '1,234,567'. */
export function grouped(whole: string): string {
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
