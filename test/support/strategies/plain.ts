import { defineStrategy, z } from '#kit'

/** A fixture: both sides at one spread. */
export default defineStrategy({
  name: 'plain',
  params: z.strictObject({
    halfSpreadBps: z.number().min(10).max(500).default(60),
    label: z.string().optional(),
  }),
  init: () => ({ asked: 0 }),
  quote: (_context, state, params) => {
    state.asked += 1
    return { bidBps: params.halfSpreadBps, askBps: params.halfSpreadBps, reasons: ['a fixed spread'] }
  },
})
