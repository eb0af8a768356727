import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ASSETS } from '../../../base/money/asset.ts'
import type { Result } from '../../../base/result.ts'
import { ANSWER_SCHEMAS } from '../answers.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { parseEventPlace } from './event-place.ts'
import { findPosition } from '../server/ask-position.ts'
import { readRoute } from '../routes.ts'
import type { AccessControl } from '../auth/access-control.ts'
import type { ReadFailure } from '../position-port.ts'
import { Refusal } from '../refusal.ts'

const DAY_MS = 86_400_000
const LATEST_MS = 8_640_000_000_000_000

const position = z
  .string()
  .max(100)
  .optional()
  .describe('The name of the position; optional if there is only one.')
const moment = z.coerce.number().int().min(0).max(LATEST_MS)
const after = z
  .string()
  .refine((text) => parseEventPlace(text) !== null, 'expected `next` of the previous page')
  .optional()
  .describe('`next` of the previous page.')
const listed = (text: string | undefined) =>
  text === undefined || text === '' ? [] : text.split(',').map((one) => one.trim())

const historyQuery = z.strictObject({
  position,
  from: moment.optional().describe('Milliseconds since the epoch; a day before `to` by default.'),
  to: moment.optional().describe('Default: now.'),
  points: z.coerce.number().int().min(2).max(2_000).default(500),
})

const fillsQuery = z.strictObject({
  position,
  after,
  limit: z.coerce.number().int().min(1).max(500).default(100),
  side: z.enum(['bid', 'ask']).optional(),
  asset: z.enum(ASSETS).optional().describe('Only fills that moved this token.'),
})

const daysQuery = z.strictObject({
  position,
  days: z.coerce.number().int().min(1).max(400).default(42),
})

const SEVERITIES = ['info', 'warning', 'critical'] as const

const noticesQuery = z.strictObject({
  position,
  after,
  limit: z.coerce.number().int().min(1).max(500).default(100),
  kind: z.string().max(500).optional().describe('Only these kinds, separated by commas.'),
  severity: z
    .string()
    .max(100)
    .refine(
      (text) => listed(text).every((one) => (SEVERITIES as readonly string[]).includes(one)),
      `expected one or more of ${SEVERITIES.join(', ')}`,
    )
    .optional()
    .describe('Only these severities, separated by commas.'),
  text: z
    .string()
    .max(200)
    .optional()
    .describe('Only notices whose sentence contains this text (case-insensitive).'),
})

/** GET /api/v1/history, /days, /fills and /notices: read from the stores without involving the trading loop. */
export function pastRoutes(app: FastifyInstance, { positions }: ConsoleOptions, access: AccessControl): void {
  const portOf = (name: string | undefined) => findPosition(positions, name ?? null).past
  readRoute(app, access, '/api/v1/history', {
    tag: 'past',
    summary: 'Columns for charts: market, quotes, inventory, PnL, fills, halts, reloads and critical alerts',
    query: historyQuery,
    answer: ANSWER_SCHEMAS.history,
    async handle({ position: name, to = Date.now(), from = Math.max(0, to - DAY_MS), points }) {
      if (from >= to) throw new Refusal(400, 'bad-request', 'from: must be before `to`')
      return valueOf(await portOf(name).history({ from, to, points }))
    },
  })
  readRoute(app, access, '/api/v1/fills', {
    tag: 'past',
    summary: 'Fills, newest first, with edge and markouts',
    query: fillsQuery,
    answer: ANSWER_SCHEMAS.fills,
    handle: async ({ position: name, after: from = null, limit, side, asset }) =>
      valueOf(await portOf(name).fills({ after: from, limit, side, asset })),
  })
  readRoute(app, access, '/api/v1/days', {
    tag: 'past',
    summary: 'PnL, fills and volume of the last UTC days, and volume and fees by pair',
    query: daysQuery,
    answer: ANSWER_SCHEMAS.days,
    handle: async ({ position: name, days }) => valueOf(await portOf(name).days({ days })),
  })
  readRoute(app, access, '/api/v1/notices', {
    tag: 'past',
    summary: 'The event log, newest first',
    query: noticesQuery,
    answer: ANSWER_SCHEMAS.notices,
    async handle({ position: name, after: from = null, limit, kind, severity, text = '' }) {
      const wanted = listed(severity)
      return valueOf(
        await portOf(name).notices({
          after: from,
          limit,
          kinds: listed(kind),
          severities: SEVERITIES.filter((one) => wanted.includes(one)),
          text: text === '' ? null : text,
        }),
      )
    },
  })
}

function valueOf<T>(read: Result<T, ReadFailure>): T {
  if (read.ok) return read.value
  throw new Refusal(503, read.error.kind, read.error.message)
}
