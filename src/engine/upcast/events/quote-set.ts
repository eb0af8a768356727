import type { Upcaster } from '../upcaster.ts'

/** 0.1.0 named the answer to a new quote after the venue's endpoint, PATCH /spread. */
export const quoteSet: Upcaster = {
  type: 'spreadSet',
  below: 2,
  upcast: (written) => ({ ...written, type: 'quoteSet' }),
}
