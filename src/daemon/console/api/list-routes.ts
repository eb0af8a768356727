import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { positionSummary, type PositionSummary } from '../../view/position-summary.ts'
import type { AccessControl } from '../auth/access-control.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { readRoute } from '../routes.ts'
import { isNamed, LIST_SORTS, orderOf } from './list-order.ts'
import { SUMMED, totalsOf, type Summed } from './list-totals.ts'
import { STANDINGS, listStandingOf } from './trouble.ts'

const MOST_ROWS = 500
const ROWS = 100

const listQuery = z.strictObject({
  search: z.string().max(100).default('').describe('Part of the name or of the strategy (case-insensitive).'),
  standing: z
    .string()
    .regex(
      new RegExp(`^(${STANDINGS.join('|')})(,(${STANDINGS.join('|')}))*$`),
      `one or several of ${STANDINGS.join(', ')}`,
    )
    .optional()
    .describe(`One or several of ${STANDINGS.join(', ')}, separated by commas.`),
  severity: z.enum(['critical', 'warning', 'info', 'none']).optional(),
  ready: z.enum(['true', 'false']).optional(),
  sort: z.enum(LIST_SORTS).default('trouble').describe('An amount: the largest first.'),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(ROWS),
})
type ListQuery = z.output<typeof listQuery>

const listAnswer = z.object({
  /** Totals over all positions, regardless of the query. */
  totals: z.object({
    positions: z.int(),
    active: z.int(),
    reducing: z.int(),
    halted: z.int(),
    silent: z.int(),
    notReady: z.int(),
    unvalued: z.int(),
    ...(Object.fromEntries(SUMMED.map((name) => [name, z.string()])) as Record<Summed, z.ZodString>),
  }),
  /** The number of matching positions. */
  matching: z.int(),
  positions: z.array(positionSummary),
  /** The offset of the next page; null = the last page. */
  next: z.int().nullable(),
})
type ListAnswer = z.output<typeof listAnswer>

/** GET /api/v1/positions. */
export function listRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  readRoute(app, access, '/api/v1/positions', {
    tag: 'state',
    summary: 'A line for each position: filtered, sorted and in pages, with sums over all of them',
    query: listQuery,
    answer: listAnswer,
    handle: async (query) => listOf(await options.summaries(), query),
  })
}

/** Returns one page of the list. */
export function listOf(summaries: readonly PositionSummary[], query: ListQuery): ListAnswer {
  const { offset, limit } = query
  const matching = summaries.filter((summary) => matches(summary, query)).toSorted(orderOf(query.sort))
  const positions = matching.slice(offset, offset + limit) as ListAnswer['positions']
  const end = offset + positions.length
  return {
    totals: totalsOf(summaries),
    matching: matching.length,
    positions,
    next: end < matching.length ? end : null,
  }
}

function matches(summary: PositionSummary, { search, standing, severity, ready }: ListQuery): boolean {
  if (!isNamed(summary, search)) return false
  if (standing !== undefined && !standing.split(',').includes(listStandingOf(summary))) return false
  if (severity !== undefined && (summary.severity ?? 'none') !== severity) return false
  return ready === undefined || String(summary.ready) === ready
}
