import { defineStrategy, z } from '#kit'

const choice = z.strictObject({ use: z.string(), params: z.unknown() })

/** A fixture: asks the first of the strategies it wraps. */
export default defineStrategy({
  name: 'wrapping',
  params: z.strictObject({ windows: z.array(choice).min(1) }),
  init: () => ({}),
  inner: (params) => Object.fromEntries(params.windows.map((window, index) => [`window${index}`, window])),
  quote: (context, _state, _params, inner) =>
    inner['window0']?.(context) ?? { bidBps: null, askBps: null, reasons: ['nothing wrapped'] },
})
