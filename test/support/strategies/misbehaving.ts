import { defineStrategy, z } from '#kit'

/** A fixture that does what its parameter says, at the time it is asked. */
export default defineStrategy({
  name: 'misbehaving',
  params: z.strictObject({
    how: z.enum(['loops', 'throws', 'nan', 'init-throws', 'exits', 'promise', 'well']),
  }),
  init: (params) => {
    if (params.how === 'init-throws') throw new Error('no good start')
    return {}
  },
  quote: (_context, _state, params) => {
    if (params.how === 'throws') throw new Error('no good quote')
    if (params.how === 'exits') process.exit(0)
    while (params.how === 'loops');
    if (params.how === 'promise') return (async () => ({ bidBps: 60, askBps: 60, reasons: [] }))() as never
    const bps = params.how === 'nan' ? Number.NaN : 60
    return { bidBps: bps, askBps: bps, reasons: [params.how] }
  },
})
