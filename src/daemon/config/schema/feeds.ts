import { z } from 'zod'
import { isUrl } from '../../../base/http/api-address.ts'
import { feedErrorKeys } from './fair-value.ts'
import { field, fieldReading, flag, orNull, rate, whole } from './field.ts'
import { SecretReference } from '../source/secret.ts'

/** Four days, like the venue's mid: a rate that does not change over a long weekend is not frozen. */
const FROZEN_AFTER_MS = 345_600_000
const URL_SHAPE = /^https?:\/\/[^\s@#]+$/
const NO_URL = 'not an address; expected http(s)://host/path, or !env NAME or !file PATH where it holds a key'
/** One failed reading must not make a feed stale. */
const READINGS_BEFORE_STALE = 3

const http = z
  .strictObject({
    url: z
      .union([z.string().regex(URL_SHAPE, NO_URL).refine(isUrl, NO_URL), z.instanceof(SecretReference)], {
        error: NO_URL,
      })
      .meta({ type: 'string', description: 'https://; `!env` or `!file` where it holds a key.' })
      .register(fieldReading, { as: 'possible secret' }),
    path: field.text.describe('Path of the rate in the JSON, such as rates.TZS or data[0].mid.'),
    timePath: orNull(
      field.text,
      "Path of the source's own date: ISO 8601 with a zone, or seconds since 1970.",
    ),
    headers: z
      .record(z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/), field.secret)
      .default({})
      .describe('Each value is `!env NAME` or `!file PATH`.'),
    timeoutMs: whole(100, 60_000).default(4_000).describe('Deadline of the whole answer.'),
    allowPlainHttp: flag('Allows http:// to another host, where anybody on the network can change the rate.'),
  })
  .describe('A JSON document over HTTP.')

const csv = z
  .strictObject({
    file: field.text.describe('Relative to this file; its first line names the columns.'),
    column: field.text.describe('The column of the rate.'),
    timeColumn: orNull(field.text, "null: the file's own time is its date."),
  })
  .describe('The last whole line of a CSV file.')

const file = z
  .strictObject({
    file: field.text.describe('Relative to this file.'),
    path: orNull(field.text, 'Within JSON; null: the file is one number.'),
    timePath: orNull(field.text, "null: the file's own time is its date."),
  })
  .describe('A file that holds one number, or JSON.')

const fixed = z
  .strictObject({ mid: rate().describe('TZS per USD.') })
  .describe('A fixed rate: a peg, or a test.')

const feed = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'not a name; expected lower-case letters, digits and dashes')
      .describe('The name in alerts, metrics and tapes.'),
    http: http.optional(),
    csv: csv.optional(),
    file: file.optional(),
    fixed: fixed.optional(),
    everyMs: field.intervalMs.min(1_000).default(30_000).describe('Interval between two reads.'),
    staleAfterMs: field.intervalMs
      .default(300_000)
      .describe('The feed is silent after this long without a valid reading.'),
    frozenAfterMs: field.intervalMs
      .nullable()
      .default(FROZEN_AFTER_MS)
      .describe('The feed is frozen when its rate or date has not changed for this long. null = never.'),
    band: orNull(
      z
        .strictObject({ min: rate(), max: rate() })
        .refine(({ min, max }) => min < max, { path: ['max'], message: 'not above min' }),
      'A rate outside is implausible. null: risk.priceCorridor.',
    ),
    weight: z.number().positive().max(1_000).default(1).describe('Weight in the weighted median.'),
    ...feedErrorKeys,
    origin: z
      .enum(['independent', 'venue'])
      .default('independent')
      .describe(
        "venue: the feed repeats the venue's rate and does not count; every address of the venue counts as venue.",
      ),
  })
  .superRefine((one, context) => {
    const kinds = [one.http, one.csv, one.file, one.fixed].filter((source) => source !== undefined)
    if (kinds.length !== 1)
      context.addIssue({
        code: 'custom',
        path: ['name'],
        message: `${kinds.length} sources; expected exactly one of http, csv, file and fixed`,
      })
    const least = READINGS_BEFORE_STALE * one.everyMs
    if (one.staleAfterMs < least)
      context.addIssue({
        code: 'custom',
        path: ['staleAfterMs'],
        message: `one failed reading would end the feed; must be at least ${least} (three times everyMs)`,
      })
  })

/** Independent sources of the rate. Without one only the venue's mid is known. */
export const feedsSection = z
  .array(feed)
  .max(10)
  .default([])
  .superRefine((feeds, context) => {
    feeds.forEach(({ name }, index) => {
      if (feeds.findIndex((other) => other.name === name) === index) return
      const message = 'the same name twice; each feed needs its own name'
      context.addIssue({ code: 'custom', path: [index, 'name'], message })
    })
  })
  .describe('Reference feeds: sources of the rate that are independent of the venue.')
