import { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import { FILL_MODELS } from '../../core/models/fill-models.ts'
import type { Shown } from '../view/fields.ts'
import type { PositionSummary } from '../view/position-summary.ts'
import { viewSchema, type PositionView } from '../view/position-view.ts'

const ms = z.int().describe('Milliseconds since the epoch.')
const column = z.array(z.number().nullable())

const error = z.object({
  error: z.string().describe('A code for programs.'),
  message: z.string().describe('A sentence: what is wrong and how to correct it.'),
})

const silent = z.object({ name: z.string(), error: z.literal('position-silent'), message: z.string() })

const health = z.object({
  alive: z.boolean(),
  version: z.string(),
  /** In a fleet: the positions that are not alive, at most 20. */
  positions: z.array(z.object({ position: z.string(), alive: z.boolean(), why: z.string().nullable() })),
})

const ready = z.object({
  ready: z.boolean(),
  /** The number of positions, and how many are not ready. */
  total: z.int(),
  notReady: z.int(),
  /** All positions; of more than 20 only those that are not ready, at most 20. */
  positions: z.array(z.object({ position: z.string(), ready: z.boolean(), why: z.array(z.string()) })),
  /** Channels of notifications that have failed for an hour, at most 20; they do not end readiness. */
  channels: z.array(z.string()).optional(),
})

/**
 * GET /api/v1/history: columns of equal length over [from, to], at most `points` of them, about `stepMs`
 * apart. A value is at the time of its sample, the last one also at `to`; null = not known then. Fills are counted per step.
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
  /** Halts, reloads and critical alerts within the range. */
  marks: z.array(z.object({ t: ms, kind: z.enum(['halt', 'resume', 'reload', 'alert']), text: z.string() })),
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
  /** The spread capture: earned against the mid at the fill, after our fee, in bps of its dollars; null = the mid was unknown. */
  edgeBps: z.number().nullable(),
  /** The move of the mid in our favour within that time after the fill, in bps; null = too recent. */
  markoutBps: z.object({ m5: markout, h1: markout, d1: markout }),
  formula: z.string(),
  txHash: z.string().nullable(),
})
export type FillAnswerRow = Shown<z.infer<typeof fill>>

/** GET /api/v1/fills, newest first. `next` continues; null = the last page. */
const fills = z.object({ fills: z.array(fill), next: z.string().nullable() })
export type FillsPage = Shown<z.infer<typeof fills>>

/** GET /api/v1/days: the last UTC days, oldest first, and the sums of the whole period by side and tokens. */
const days = z.object({
  days: z.array(
    z.object({
      day: z.string(),
      /** What the day earned, so far if it is today; null = no sample was taken on this day. */
      pnlTzs: z.number().nullable(),
      pnlUsd: z.number().nullable(),
      fills: z.int(),
      volumeUsd: z.number(),
    }),
  ),
  pairs: z.array(
    z.object({
      side: z.enum(['bid', 'ask']),
      inAsset: z.string(),
      outAsset: z.string(),
      fills: z.int(),
      volumeUsd: z.number(),
      /** What the venue took from these fills, whole tokens of `outAsset`. */
      fee: z.number(),
    }),
  ),
})
export type DaysAnswer = Shown<z.infer<typeof days>>

/** One line of the event log. */
const notice = z.object({
  /** Event number and place within the event: the position to continue from. */
  id: z.string(),
  t: ms,
  /** The observation's type: alert, tradingStateChanged, refusal, requote, operator, orderPlaced ... */
  kind: z.string(),
  severity: z.enum(['info', 'warning', 'critical']),
  /** A sentence. */
  text: z.string(),
})
export type NoticeRow = Shown<z.infer<typeof notice>>

/** GET /api/v1/notices, newest first. `next` continues; null = the last page. */
const notices = z.object({ notices: z.array(notice), next: z.string().nullable() })
export type NoticesAnswer = Shown<z.infer<typeof notices>>

/** GET /api/v1/parameters: the strategy's current parameters and its schema. */
const parameters = z.object({
  use: z.string(),
  params: z.unknown(),
  /** JSON Schema of the parameters; null = it cannot be expressed. */
  schema: z.record(z.string(), z.unknown()).nullable(),
  /** Operator settings that differ from the file; they survive restarts. `given`: as the operator sent it. */
  changed: z.array(z.object({ path: z.string(), file: z.unknown(), now: z.unknown(), given: z.unknown() })),
  /** Settings that may change without editing the file: these paths, and paths below them. */
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

/** POST /api/v1/preview: the quote under other parameters; changes nothing. */
const preview = z.object({
  ok: z.boolean(),
  /** Why the change is rejected; null = it is valid. */
  problem: z.string().nullable(),
  before: previewed,
  after: previewed.nullable(),
})
export type PreviewAnswer = Shown<z.infer<typeof preview>>

/** A backtest or a what-if that a person started on the console. */
const researchRun = z.object({
  id: z.string(),
  position: z.string(),
  kind: z.enum(['backtest', 'whatif']),
  /** Null = the journal of the position. */
  tape: z.string().nullable(),
  /** Null = `backtest.fills` of the configuration. */
  fills: z.enum(FILL_MODELS).nullable(),
  changes: z.record(z.string(), z.unknown()),
  who: z.string(),
  startedAt: ms,
  endedAt: ms.nullable(),
  state: z.enum(['running', 'finished', 'failed', 'cancelled']),
  /** The latest progress with the remaining time; null = not known. */
  progress: z.string().nullable(),
  /** Why there is no report; null = there is one, or it runs. */
  problem: z.string().nullable(),
})
export type ResearchRun = Shown<z.infer<typeof researchRun>>

/** GET /api/v1/research. */
const research = z.object({
  position: z.string(),
  tapes: z.array(z.string()),
  since: ms.describe(
    'When the process started, in milliseconds since the epoch; earlier runs are forgotten.',
  ),
  runs: z.array(researchRun),
})
export type ResearchAnswer = Shown<z.infer<typeof research>>

export const commandOutcome = z.object({
  position: z.string(),
  accepted: z.boolean(),
  answer: z.string(),
  exitCode: z.exactOptional(z.int()),
})

const openAlert = z.object({
  position: z.string(),
  code: z.string(),
  /** The latest text. */
  text: z.string(),
  /** When it was raised, or raised again after an acknowledgement. */
  raisedAt: z.number(),
  /** The number of reminders sent. */
  repeats: z.int(),
  /** The number of escalation steps notified. */
  escalated: z.int(),
  /** Null = not acknowledged. */
  ack: z.object({ who: z.string(), why: z.string(), at: z.number() }).nullable(),
})
const openAlertsAnswer = z.object({ alerts: z.array(openAlert) })
export type OpenAlertsAnswer = z.output<typeof openAlertsAnswer>
export type OpenAlertRow = Omit<OpenAlertsAnswer['alerts'][number], 'position'>

/** The answers of the API: the OpenAPI document is built from these, and tests validate real answers against them. */
export const ANSWER_SCHEMAS = {
  error,
  health,
  ready,
  history,
  days,
  fills,
  notices,
  parameters,
  preview,
  research,
  researchStarted: z.object({ answer: z.string(), run: researchRun }),
  researchCancelled: z.object({ answer: z.string() }),
  state: z.union([viewSchema, z.object({ positions: z.array(z.union([viewSchema, silent])) })]),
  alerts: openAlertsAnswer,
  command: z.union([commandOutcome, z.object({ accepted: z.boolean(), positions: z.array(commandOutcome) })]),
} as const

/** Returns the OpenAPI responses of a route that answers with text of one of these types; its errors are JSON. */
export function textAnswers(types: readonly string[]): object {
  const text = { schema: z.string() }
  return {
    200: {
      description: 'The requested text',
      content: Object.fromEntries(types.map((type) => [type, text])),
    },
    default: {
      description: 'The error',
      content: { 'application/json': { schema: ANSWER_SCHEMAS.error } },
    },
  }
}

/** A message of GET /api/v1/stream (server-sent events); `type` is also the event's name. */
export type StreamMessage =
  /** The first message of every connection. */
  | {
      readonly type: 'hello'
      readonly version: string
      readonly now: Ms
      readonly positions: readonly string[]
      /** Whether commands are accepted: a token is configured. */
      readonly takesCommands: boolean
    }
  /** The current state of a position: after a change, at most a few times a second, and at least every two seconds. */
  | { readonly type: 'state'; readonly position: string; readonly view: PositionView }
  /** A position does not answer. */
  | { readonly type: 'silent'; readonly position: string; readonly why: string }
  | { readonly type: 'notice'; readonly position: string; readonly notice: NoticeRow }
  /** Lines of the list: the changed ones, or all; `gone` were removed. At least every two seconds. */
  | {
      readonly type: 'summaries'
      readonly whole: boolean
      readonly positions: readonly PositionSummary[]
      readonly gone: readonly string[]
    }
  /** The reader was too slow: `count` messages were dropped. */
  | { readonly type: 'dropped'; readonly count: number }
