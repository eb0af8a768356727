import { z } from 'zod'
import type {
  FillsAnswer,
  HistoryAnswer,
  NoticesAnswer,
  ParametersAnswer,
  PreviewAnswer,
} from './api-types.ts'
import { viewSchema } from '../../view/position-view.ts'

const ms = z.int().describe('Milliseconds since the epoch.')
const column = z.array(z.number().nullable())

const error = z.object({
  error: z.string().describe('A word for programs.'),
  message: z.string().describe('What is wrong and what would be right, for people.'),
})

const silent = z.object({ name: z.string(), error: z.literal('position-silent'), message: z.string() })

const health = z.object({
  alive: z.boolean(),
  version: z.string(),
  positions: z.array(z.object({ position: z.string(), alive: z.boolean(), why: z.string().nullable() })),
})

const ready = z.object({
  ready: z.boolean(),
  positions: z.array(z.object({ position: z.string(), ready: z.boolean(), why: z.array(z.string()) })),
})

const history = z.object({
  from: ms,
  to: ms,
  stepMs: z.int(),
  t: z.array(ms),
  mid: column,
  fairValue: column,
  bidBps: column,
  askBps: column,
  bestBidBps: column,
  bestAskBps: column,
  ntzs: column,
  usd: column,
  usdShare: column,
  pnl: z.object({
    spreadCapture: column,
    staleMid: column,
    inventory: column,
    costs: column,
    unreconciled: column,
    totalUsd: column,
  }),
  fills: z.object({ bid: z.array(z.int()), ask: z.array(z.int()) }),
  marks: z.array(z.object({ t: ms, kind: z.enum(['halt', 'resume', 'reload']), text: z.string() })),
}) satisfies z.ZodType<HistoryAnswer>

const markout = z.number().nullable()

const fills = z.object({
  fills: z.array(
    z.object({
      id: z.string(),
      at: ms,
      side: z.enum(['bid', 'ask']),
      amountIn: z.string(),
      inAsset: z.string(),
      amountOut: z.string(),
      outAsset: z.string(),
      usd: z.number(),
      edgeBps: z.number().nullable(),
      markoutBps: z.object({ m5: markout, h1: markout, d1: markout }),
      formula: z.string(),
      txHash: z.string().nullable(),
    }),
  ),
  next: z.string().nullable(),
}) satisfies z.ZodType<FillsAnswer>

const notices = z.object({
  notices: z.array(
    z.object({
      id: z.string(),
      t: ms,
      kind: z.string(),
      severity: z.enum(['info', 'warning', 'critical']),
      text: z.string(),
    }),
  ),
  next: z.string().nullable(),
}) satisfies z.ZodType<NoticesAnswer>

const parameters = z.object({
  use: z.string(),
  params: z.unknown(),
  schema: z.record(z.string(), z.unknown()).nullable(),
  changed: z.array(z.object({ path: z.string(), file: z.unknown(), now: z.unknown() })),
  changeable: z.array(z.string()),
}) satisfies z.ZodType<ParametersAnswer>

const previewed = z.object({
  bidBps: z.number().nullable(),
  askBps: z.number().nullable(),
  tradingState: z.string(),
  because: z.array(z.string()),
})

const preview = z.object({
  ok: z.boolean(),
  problem: z.string().nullable(),
  before: previewed,
  after: previewed.nullable(),
}) satisfies z.ZodType<PreviewAnswer>

const outcome = z.object({
  position: z.string(),
  accepted: z.boolean(),
  answer: z.string(),
  exitCode: z.exactOptional(z.int()),
})

/** What the API answers: the document is made of these, and tests hold real answers against it. */
export const ANSWER_SCHEMAS = {
  error,
  health,
  ready,
  history,
  fills,
  notices,
  parameters,
  preview,
  state: z.union([viewSchema, z.object({ positions: z.array(z.union([viewSchema, silent])) })]),
  command: z.union([outcome, z.object({ accepted: z.boolean(), positions: z.array(outcome) })]),
} as const

/** The answers of a route that gives text of one of these types: what goes wrong is said in JSON all the same. */
export function textAnswers(types: readonly string[]): object {
  const text = { schema: z.string() }
  return {
    200: { description: 'As asked', content: Object.fromEntries(types.map((type) => [type, text])) },
    default: {
      description: 'What is wrong',
      content: { 'application/json': { schema: ANSWER_SCHEMAS.error } },
    },
  }
}
