import { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import type { Shown } from '../view/fields.ts'
import type { PositionSummary } from '../view/position-summary.ts'
import { viewSchema, type PositionView } from '../view/position-view.ts'

const ms = z.int().describe('Milliseconds since the epoch.')
const column = z.array(z.number().nullable())

const error = z.object({
  error: z.string().describe('A word for programs.'),
  message: z.string().describe('What is wrong and how to correct it, for people.'),
})

const silent = z.object({ name: z.string(), error: z.literal('position-silent'), message: z.string() })

const health = z.object({
  alive: z.boolean(),
  version: z.string(),
  /** Of a fleet, those that are not alive, at most 20. */
  positions: z.array(z.object({ position: z.string(), alive: z.boolean(), why: z.string().nullable() })),
})

const ready = z.object({
  ready: z.boolean(),
  /** How many there are, and how many of them are not ready. */
  total: z.int(),
  notReady: z.int(),
  /** Of more than 20, those that are not ready, at most 20. */
  positions: z.array(z.object({ position: z.string(), ready: z.boolean(), why: z.array(z.string()) })),
  /** Channels of notifications that have failed for an hour, at most 20; they do not end readiness. */
  channels: z.array(z.string()).optional(),
})

/**
 * GET /api/v1/history: columns of equal length over [from, to], at most `points` of them, evenly spaced by
 * `stepMs`. A value is the last one at or before its moment; null = not known then. Fills are counted per step.
 */
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
  /** Holdings in whole tokens, and the share of the value in dollars, 0..1. */
  ntzs: column,
  usd: column,
  usdShare: column,
  /** PnL since the start, TZS, by component, and the total in dollars. */
  pnl: z.object({
    spreadCapture: column,
    staleMid: column,
    inventory: column,
    costs: column,
    unreconciled: column,
    totalUsd: column,
  }),
  fills: z.object({ bid: z.array(z.int()), ask: z.array(z.int()) }),
  /** Halts and reloads within the range. */
  marks: z.array(z.object({ t: ms, kind: z.enum(['halt', 'resume', 'reload']), text: z.string() })),
})
export type HistoryAnswer = Shown<z.infer<typeof history>>

const markout = z.number().nullable()

/** One fill with what it earned. Amounts are exact decimal text; bps are numbers. */
const fill = z.object({
  id: z.string(),
  at: ms,
  side: z.enum(['bid', 'ask']),
  amountIn: z.string(),
  inAsset: z.string(),
  amountOut: z.string(),
  outAsset: z.string(),
  usd: z.number(),
  /** Earned against the mid at the fill, after the fee that we paid, bps of its dollars; null where no mid was known. */
  edgeBps: z.number().nullable(),
  /** What the mid did for us within that time after it, bps, ours positive; null = not so long ago yet. */
  markoutBps: z.object({ m5: markout, h1: markout, d1: markout }),
  formula: z.string(),
  txHash: z.string().nullable(),
})
export type FillAnswerRow = Shown<z.infer<typeof fill>>

/** GET /api/v1/fills, newest first. `next` continues; null = that was all. */
const fills = z.object({ fills: z.array(fill), next: z.string().nullable() })
export type FillsPage = Shown<z.infer<typeof fills>>

/** One line of the event log, as the store has it. */
const notice = z.object({
  /** Event number and place in it: where to go on reading. */
  id: z.string(),
  t: ms,
  /** The observation's type: alert, tradingStateChanged, refusal, requote, operator, orderPlaced ... */
  kind: z.string(),
  severity: z.enum(['info', 'warning', 'critical']),
  /** A sentence. */
  text: z.string(),
})
export type NoticeRow = Shown<z.infer<typeof notice>>

/** GET /api/v1/notices, newest first. `next` continues; null = that was all. */
const notices = z.object({ notices: z.array(notice), next: z.string().nullable() })
export type NoticesAnswer = Shown<z.infer<typeof notices>>

/** GET /api/v1/parameters: what the strategy runs with, and what its own schema lets be set. */
const parameters = z.object({
  use: z.string(),
  params: z.unknown(),
  /** JSON Schema of the parameters; null = it cannot be written as one. */
  schema: z.record(z.string(), z.unknown()).nullable(),
  /** What operators set and the file has otherwise; it lasts until the daemon is started anew. */
  changed: z.array(z.object({ path: z.string(), file: z.unknown(), now: z.unknown() })),
  /** What may be set without touching the file: paths that are one of these, or lie below one. */
  changeable: z.array(z.string()),
})
export type ParametersAnswer = Shown<z.infer<typeof parameters>>

const previewed = z.object({
  bidBps: z.number().nullable(),
  askBps: z.number().nullable(),
  tradingState: z.string(),
  because: z.array(z.string()),
})
export type PreviewedQuote = Shown<z.infer<typeof previewed>>

/** POST /api/v1/preview: what would stand now under other parameters; nothing is changed. */
const preview = z.object({
  ok: z.boolean(),
  /** Why the change cannot be taken; null where it can. */
  problem: z.string().nullable(),
  before: previewed,
  after: previewed.nullable(),
})
export type PreviewAnswer = Shown<z.infer<typeof preview>>

export const commandOutcome = z.object({
  position: z.string(),
  accepted: z.boolean(),
  answer: z.string(),
  exitCode: z.exactOptional(z.int()),
})

/** What the API answers: the document is made of these, and tests hold real answers against it. */
const openAlert = z.object({
  position: z.string(),
  code: z.string(),
  /** What happened last. */
  text: z.string(),
  /** When it was raised, or raised again after an acknowledgement. */
  raisedAt: z.number(),
  /** How often people were reminded of it. */
  repeats: z.int(),
  /** How many steps of the escalation were notified of it. */
  escalated: z.int(),
  /** Null = no one has it in hand. */
  ack: z.object({ who: z.string(), why: z.string(), at: z.number() }).nullable(),
})
const openAlertsAnswer = z.object({ alerts: z.array(openAlert) })
export type OpenAlertsAnswer = z.output<typeof openAlertsAnswer>
export type OpenAlertRow = Omit<OpenAlertsAnswer['alerts'][number], 'position'>

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
  alerts: openAlertsAnswer,
  command: z.union([commandOutcome, z.object({ accepted: z.boolean(), positions: z.array(commandOutcome) })]),
} as const

/** The answers of a route that gives text of one of these types: what goes wrong is reported in JSON all the same. */
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

/** What the page is sent by GET /api/v1/stream (server-sent events); `type` is the event's name too. */
export type StreamMessage =
  /** The first message of every connection. */
  | {
      readonly type: 'hello'
      readonly version: string
      readonly now: Ms
      readonly positions: readonly string[]
      /** Whether commands can be given at all: a token is configured. */
      readonly takesCommands: boolean
    }
  /** A position as it is now: when it changed, at most a few times a second, and at least every two seconds. */
  | { readonly type: 'state'; readonly position: string; readonly view: PositionView }
  /** A position does not answer. */
  | { readonly type: 'silent'; readonly position: string; readonly why: string }
  | { readonly type: 'notice'; readonly position: string; readonly notice: NoticeRow }
  /** Lines of the list: those that changed, or all; `gone` are there no more. At least every two seconds. */
  | {
      readonly type: 'summaries'
      readonly whole: boolean
      readonly positions: readonly PositionSummary[]
      readonly gone: readonly string[]
    }
  /** The reader was too slow: so many messages were left out for it. */
  | { readonly type: 'dropped'; readonly count: number }
