const UNITS = [
  { from: 1e6, size: 1e6, letter: 'M' },
  { from: 1e4, size: 1e3, letter: 'k' },
]

/** '-1,234.50', as figure-text.ts writes it; a hole is a dash. */
export function numberText(value, digits) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  })
}

/** The labels of an axis with ticks every `step`: as many decimals as tell them apart, k and M where they are short. */
export function tickTexts(ticks, step) {
  const largest = Math.max(...ticks.map(Math.abs))
  const isShort = ({ from, size }) => largest >= from && decimalsOf(step / size) <= 2
  const { size, letter } = UNITS.find(isShort) ?? { size: 1, letter: '' }
  const decimals = decimalsOf(step / size)
  return ticks.map((tick) => (tick === 0 ? '0' : numberText(tick / size, decimals) + letter))
}

function decimalsOf(step) {
  for (let decimals = 0; decimals < 9; decimals++) {
    const scaled = step * 10 ** decimals
    if (Math.abs(scaled - Math.round(scaled)) <= scaled * 1e-6) return decimals
  }
  return 9
}
