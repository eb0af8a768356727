import type { Upcaster } from '../upcaster.ts'

/** 0.1.0 named the best quote at the venue after the public endpoint that shows it. */
export const bestQuote: Upcaster = {
  type: 'publicRate',
  below: 2,
  upcast: (written) => ({ ...written, type: 'bestQuote' }),
}
