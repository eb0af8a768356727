import type { Upcaster } from '../upcaster.ts'

/** 0.1.0 named the solver that orders must name after the venue's endpoint, GET /rfq/info. */
export const solver: Upcaster = {
  type: 'rfqInfo',
  below: 2,
  upcast: (written) => ({ ...written, type: 'solver' }),
}
