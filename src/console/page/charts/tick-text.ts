import { numberText } from '../text/number-text.ts'

const UNITS = [
  { from: 1e9, size: 1e9, letter: 'G' },
  { from: 1e6, size: 1e6, letter: 'M' },
  { from: 1e4, size: 1e3, letter: 'k' },
] as const

/** A value on an axis whose ticks are `step` apart: no more digits than tell them apart. */
export function tickText(value: number, step: number): string {
  const { size, letter } = UNITS.find(
    ({ from, size: unit }) => Math.abs(value) >= from && step >= unit / 100,
  ) ?? {
    size: 1,
    letter: '',
  }
  return value === 0 ? '0' : numberText(value / size, decimalsOf(step / size)) + letter
}

function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < 6; decimals++) {
    const scaled = step * 10 ** decimals
    if (Math.abs(scaled - Math.round(scaled)) <= scaled * 1e-6) return decimals
  }
  return 6
}
