/**
 * Runs another strategy with different parameters at certain hours.
 *
 * Idea: nights, weekends and the minutes around the rate's publication can need a wider spread, another
 * strategy, or no quote. A window is open during every minute that its cron expression matches:
 * '* 20-23,0-5 * * *' is a night, '0 20 * * *' is one single minute. The first open window in the list
 * applies. While none is open, the base strategy quotes.
 * Parameters:
 *   strategy   the base
 *              use       a name in strategies/, or a path
 *              params    for that strategy's own schema
 *   timezone   IANA name; default for windows without their own
 *   windows    the first open one applies
 *              name      unique
 *              cron      open in every minute that the expression matches: minute hour day month weekday, all five fields
 *              timezone  by default the one above
 *              params    override the base's params, key by key
 *              use       another strategy instead; it gets only the params of this window
 *              off       both sides off; excludes params and use
 * Every window keeps its own strategy state, so a side that is off by hysteresis can be on in the next window.
 * WHEN IT LOSES: if the calendar is wrong. News arrives at any hour. A narrow window is open on holidays too. A
 * window with the wrong time zone is open at the wrong time all year.
 */
import { defineStrategy, isTimeZone, z, type InnerChoice } from '#kit'

const CRON_FIELD = /^[0-9A-Za-z*,/-]+$/
const BASE = 'base'

const cron = z.string().refine((text) => isCron(text), {
  message:
    "not a cron expression; expected five fields (minute hour day month weekday) like '* 20-23 * * 1-5'",
})
const timezone = z.string().refine((name) => isTimeZone(name), {
  message: "not a time zone; expected an IANA name like 'Africa/Dar_es_Salaam'",
})
const innerParams = z.record(z.string(), z.unknown())

const window = z
  .strictObject({
    name: z.string().min(1),
    cron,
    timezone: timezone.optional(),
    params: innerParams.optional(),
    use: z.string().min(1).optional(),
    off: z.literal(true).optional(),
  })
  .refine(({ off, params, use }) => off === undefined || (params === undefined && use === undefined), {
    path: ['off'],
    message: 'a window with off: true cannot have params or use; remove them or off',
  })
  .refine(({ off, params, use }) => off !== undefined || params !== undefined || use !== undefined, {
    message: 'the window changes nothing; add params, use or off: true',
  })

const params = z.strictObject({
  strategy: z.strictObject({ use: z.string().min(1), params: innerParams.default({}) }),
  timezone: timezone.default('UTC'),
  windows: z
    .array(window)
    .refine((windows) => new Set(windows.map(({ name }) => name)).size === windows.length, {
      message: 'two windows have the same name; make each name unique',
    }),
})

export default defineStrategy({
  name: 'schedule',
  params,
  init: () => ({}),
  inner(chosen) {
    const choices: Record<string, InnerChoice> = { [BASE]: chosen.strategy }
    for (const { name, off, use, params: own } of chosen.windows) {
      if (off !== undefined) continue
      choices[labelOf(name)] =
        use === undefined
          ? { use: chosen.strategy.use, params: { ...chosen.strategy.params, ...own } }
          : { use, params: own ?? {} }
    }
    return choices
  },
  quote(context, _state, chosen, inner) {
    const open = chosen.windows.find((one) => context.inWindow(one.cron, one.timezone ?? chosen.timezone))
    if (open?.off !== undefined)
      return {
        bidBps: null,
        askBps: null,
        reasons: [`window ${open.name}: off`],
        terms: [{ name: 'calendar', bidBps: 0, askBps: 0 }],
      }
    const label = open === undefined ? BASE : labelOf(open.name)
    const ask = inner[label]
    if (ask === undefined) throw new Error(`schedule was not given the strategy of '${label}'`)
    const quote = ask(context)
    return open === undefined ? quote : { ...quote, reasons: [`window ${open.name}`, ...quote.reasons] }
  },
})

/** Windows may have any name, including 'base'. */
function labelOf(windowName: string): string {
  return `window ${windowName}`
}

function isCron(text: string): boolean {
  const fields = text.trim().split(/\s+/)
  return fields.length === 5 && fields.every((field) => CRON_FIELD.test(field))
}
