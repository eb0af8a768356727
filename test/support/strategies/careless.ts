import { defineStrategy, z } from '#kit'

/** A fixture: its schema forgets that a spread has bounds. */
export default defineStrategy({
  name: 'careless',
  params: z.looseObject({}),
  init: () => ({}),
  quote: () => ({ bidBps: 60, askBps: 60, reasons: ['careless'] }),
})
