import { formatRate, type Rate } from './rate.ts'

/** The lowest and the highest rate that count, both included. */
export type RateBand = { readonly min: Rate; readonly max: Rate }

export function isWithinBand(band: RateBand, rate: Rate): boolean {
  return rate >= band.min && rate <= band.max
}

export function formatBand({ min, max }: RateBand): string {
  return `${formatRate(min)} to ${formatRate(max)}`
}
