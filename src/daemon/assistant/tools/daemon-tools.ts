import { z } from 'zod'
import { ok, type Result } from '../../../base/result.ts'
import { ledgerFields } from '../../view/ledger-view.ts'
import { marketFields } from '../../view/market-view.ts'
import { treasuryViewSchema } from '../../view/treasury-view.ts'
import { withShortLists } from '../answer-text.ts'
import type { AssistantQuery } from '../ports.ts'
import { readTool, type Tool } from '../tool.ts'

/** The daemon's rule for names: one cannot contain a path or a query. */
export const positionName = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('The name of the position; optional if there is only one.')
const limit = z.int().min(1).max(100).default(20).describe('Rows of a page.')
const after = z.string().max(60).optional().describe('`next` of the previous page.')
const moment = z.iso.datetime({ offset: true }).optional().describe('A moment such as 2026-11-18T06:40:00Z.')

/** Parts of the state, grouped by the questions that people ask. */
const SECTIONS = {
  overview: [
    'name',
    'mode',
    'version',
    'now',
    'tradingState',
    'reasons',
    'paused',
    'review',
    'requestsFailed',
  ],
  market: Object.keys(marketFields),
  ledger: Object.keys(ledgerFields),
  decision: ['decision', 'strategy'],
  orders: ['rfq'],
  withdrawals: ['withdrawals'],
  budget: ['budget'],
} as const
type Section = keyof typeof SECTIONS
const SECTION_NAMES = Object.keys(SECTIONS) as Section[]
const TREASURY_SECTIONS = Object.keys(treasuryViewSchema.shape) as [TreasurySection, ...TreasurySection[]]
type TreasurySection = keyof typeof treasuryViewSchema.shape
const RECONCILIATION = 'name now tradingState reasons balances pool wallet reconciliation feeModel'.split(' ')

function fieldsOf(state: unknown, names: readonly string[]): object {
  if (typeof state !== 'object' || state === null) return {}
  return Object.fromEntries(Object.entries(state).filter(([name]) => names.includes(name)))
}

function read<Shape extends z.ZodRawShape>(
  name: string,
  title: string,
  description: string,
  path: string,
  shape: Shape,
  query: (asked: z.output<z.ZodObject<Shape>>) => AssistantQuery,
): Tool {
  return readTool(name, title, description, z.strictObject(shape), (ports, asked) =>
    ports.daemon.read(path, query(asked as z.output<z.ZodObject<Shape>>)),
  )
}

function msOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}

/** Tools that read the running daemon, one per endpoint of its HTTP API. */
export const DAEMON_TOOLS: readonly Tool[] = [
  read(
    'list_positions',
    'List positions',
    'A line for each position of the daemon, those in trouble first, with sums over all of them. In pages.',
    'positions',
    {
      search: z.string().max(100).default('').describe('Part of the name or of the strategy.'),
      offset: z.int().min(0).default(0).describe('`next` of the previous page.'),
      limit: z.int().min(1).max(50).default(20),
    },
    ({ search, offset, limit: rows }) => ({ search, offset, limit: rows }),
  ),
  readTool(
    'get_state',
    'State of a position',
    'The current state of a position: market, quote and holdings. Null and absent mean unknown, never zero; money is decimal text.',
    z.strictObject({
      position: positionName,
      sections: z
        .array(z.enum(SECTION_NAMES))
        .min(1)
        .default(['overview', 'market', 'ledger'])
        .describe('Which parts: fewer are a shorter answer.'),
    }),
    async ({ daemon }, { position: name, sections }): Promise<Result<unknown, string>> => {
      const state = await daemon.read('state', { position: name })
      if (!state.ok) return state
      return ok(
        fieldsOf(
          state.value,
          [...new Set(sections)].flatMap((section) => SECTIONS[section]),
        ),
      )
    },
  ),
  readTool(
    'get_reconciliation',
    'Reconciliation of a position',
    'Whether the ledger and the balances of the venue agree, since when, and the difference of each token.',
    z.strictObject({ position: positionName }),
    async ({ daemon }, { position: name }): Promise<Result<unknown, string>> => {
      const state = await daemon.read('state', { position: name })
      return state.ok ? ok(fieldsOf(state.value, RECONCILIATION)) : state
    },
  ),
  read(
    'list_fills',
    'Fills',
    'Fills of a position, newest first, with the spread capture of each (edgeBps) and the markouts after it. In pages.',
    'fills',
    { position: positionName, after, limit },
    ({ position: name, after: from, limit: rows }) => ({ position: name, after: from, limit: rows }),
  ),
  read(
    'list_notices',
    'Event log',
    'The event log of a position, newest first: alerts, refusals, requotes, commands of people. In pages.',
    'notices',
    {
      position: positionName,
      after,
      limit,
      severity: z.enum(['info', 'warning', 'critical']).optional(),
      text: z.string().max(200).optional().describe('Only sentences that contain this.'),
    },
    ({ position: name, after: from, limit: rows, severity, text }) => ({
      position: name,
      after: from,
      limit: rows,
      severity,
      text,
    }),
  ),
  read(
    'get_history',
    'History of a position',
    'Columns over time: mid, fair value, quotes, inventory, PnL by component, fills, halts and reloads.',
    'history',
    { position: positionName, from: moment, to: moment, points: z.int().min(2).max(200).default(48) },
    ({ position: name, from, to, points }) => ({ position: name, from: msOf(from), to: msOf(to), points }),
  ),
  read(
    'get_parameters',
    'Parameters of the strategy',
    'The current parameters of the strategy, their JSON Schema, the changes made over HTTP, and the settings that may be changed.',
    'parameters',
    { position: positionName },
    ({ position: name }) => ({ position: name }),
  ),
  readTool(
    'get_treasury',
    'Treasury of a position',
    'Holdings, plan, intents, claims, rails and payees of the treasury; refused where the position has none.',
    z.strictObject({
      position: positionName,
      sections: z
        .array(z.enum(TREASURY_SECTIONS))
        .min(1)
        .default([...TREASURY_SECTIONS])
        .describe('Which parts: fewer are a shorter answer. Of each list at most 60 elements are shown.'),
    }),
    async ({ daemon }, { position: name, sections }): Promise<Result<unknown, string>> => {
      const treasury = await daemon.read('treasury', { position: name })
      return treasury.ok ? ok(withShortLists(fieldsOf(treasury.value, sections))) : treasury
    },
  ),
]
