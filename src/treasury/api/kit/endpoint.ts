import { z } from 'zod'
import type { HttpRequest } from '../../../base/http/exchange.ts'
import { read, type Translate } from '../../../base/http/reply.ts'
import { isRecord } from '../../../base/record.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import type { PartnerCall } from '../call.ts'
import { DEADLINES_MS, type Deadline } from '../settings.ts'
import { DOLLAR_DECIMALS } from './read-answer.ts'
import type { CallSettings } from './shilling-symbol.ts'

/** The capability that a key needs for an endpoint. */
export type Capability =
  | 'collections'
  | 'disbursements'
  | 'transfers'
  | 'treasury'
  | 'wallets'
  | 'swap'
  | 'ramp'
  | 'commerce'
  | 'agent_float'

type Fields = Readonly<Record<string, unknown>>

/** The parts of a request besides its route; missing parts come from the parameters. */
type RequestParts = {
  readonly query?: Fields
  readonly body?: Fields
  /** Appended to the route's path. */
  readonly subPath?: string
}

/** The command of an endpoint, `mizani partner <resource> <verb>`, and the options of one example. */
type EndpointCommand = { readonly resource: string; readonly verb: string; readonly example: string }

type Spec<Shape extends z.ZodRawShape, Answer, Money extends boolean, Keyed extends boolean> = {
  /** Method and path of the contract; a path that does not begin with /api is below the prefix. */
  readonly route: `${HttpRequest['method']} /${string}`
  /** What it does, in one sentence. */
  readonly summary: string
  readonly params: z.ZodObject<Shape>
  /** The answer's schema or translation. */
  readonly answer: z.ZodType<Answer> | Translate<Answer>
  readonly command: EndpointCommand
  readonly needs?: Capability
  /** It moves value. */
  readonly isMoney?: Money
  /** It takes an Idempotency-Key; money routes do unless this is false. */
  readonly takesKey?: Keyed
  readonly isPublic?: boolean
  readonly isStream?: boolean
  readonly deadline?: Deadline
  /** The parts to send, if they differ from the parameters. */
  readonly toRequest?: (params: z.output<z.ZodObject<Shape>>, settings: CallSettings) => RequestParts
}

/** One endpoint of the partner API: its route, parameters, translation and command, with no I/O. */
export type PartnerEndpoint<
  Params = never,
  Answer = unknown,
  Money extends boolean = boolean,
  Keyed extends boolean = boolean,
> = {
  readonly route: string
  readonly summary: string
  readonly params: z.ZodObject
  readonly command: EndpointCommand
  readonly needs: Capability | null
  readonly isMoney: Money
  readonly isPublic: boolean
  readonly takesKey: Keyed
  /** Returns a call with this text as its body, for a route whose path has no parameter. */
  readonly callOf: (settings: CallSettings, given: { readonly body: string }) => PartnerCall<Answer>
  /** Throws ZodError for invalid parameters, which come from our own code. */
  readonly open: (settings: CallSettings) => (params: Params) => PartnerCall<Answer>
}

/** Declares an endpoint. Its parameters are typed as callers write them. */
export function partnerEndpoint<
  Shape extends z.ZodRawShape,
  Answer,
  Money extends boolean = false,
  Keyed extends boolean = Money,
>(
  spec: Spec<Shape, Answer, Money, Keyed>,
): PartnerEndpoint<z.input<z.ZodObject<Shape>>, Answer, Money, Keyed> {
  const { route, summary, params, answer, command, needs = null, isPublic = false } = spec
  const isMoney = (spec.isMoney ?? false) as Money
  const takesKey = (spec.takesKey ?? isMoney) as Keyed
  const [method, path] = route.split(' ') as [HttpRequest['method'], string]
  const translate: Translate<Answer> = typeof answer === 'function' ? answer : read(answer)

  /** `to`: the path below the prefix, with its query. */
  const callTo = (settings: CallSettings, to: string, body: string | null, headers = {}) => ({
    route,
    method,
    path: `${path.startsWith('/api/') ? '' : settings.prefix}${to}`,
    headers,
    body,
    isMoney,
    takesKey,
    isPublic,
    isStream: spec.isStream ?? false,
    timeoutMs: settings.requestTimeoutMs ?? DEADLINES_MS[spec.deadline ?? 'usual'],
    translate,
  })

  return {
    route,
    summary,
    params,
    command,
    needs,
    isMoney,
    isPublic,
    takesKey,
    callOf: (settings, { body }) => callTo(settings, path, body),
    open: (settings) => (given) => {
      const fields = params.parse(given)
      const { filled, headers, rest } = placeFields(path, params, fields)
      const parts = spec.toRequest?.(fields, settings) ?? {}
      const isRead = method === 'GET'
      const query = queryText(parts.query ?? (isRead ? rest : {}))
      const body = bodyOf(method, parts.body ?? (isRead || parts.query !== undefined ? {} : rest))
      const to = `${filled}${parts.subPath ?? ''}${query === '' ? '' : `?${query}`}`
      return callTo(settings, to, body, headers)
    },
  }
}

/** Returns the body. GET has no body, and DELETE has one only if it has fields. */
function bodyOf(method: HttpRequest['method'], fields: Fields): string | null {
  if (method === 'GET') return null
  return method === 'DELETE' && Object.keys(fields).length === 0 ? null : bodyText(fields)
}

/** Puts parameters into the path (`:name`) and their headers; returns the rest for the query or the body. */
function placeFields(path: string, { shape }: z.ZodObject, fields: Fields) {
  const rest = { ...fields }
  const filled = path.replaceAll(/:([a-zA-Z]+)/g, (_place, name: string) => {
    const value = fields[name]
    delete rest[name]
    // Ids have no character that needs escaping (param.id), so no id leads to another path.
    return typeof value === 'string' ? value : ''
  })
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    const { header } = ((shape[name] as z.ZodType).meta() ?? {}) as { readonly header?: string }
    if (header === undefined || typeof value !== 'string') continue
    headers[header] = value
    delete rest[name]
  }
  return { filled, headers, rest }
}

/** How a parameter is written on the command line; other kinds are text. */
export type ParamKind = 'shillings' | 'dollars' | 'flag' | 'count' | 'json'

/** Endpoint parameters, validated only for form; the metadata has the kind and a description. */
export const param = {
  text: (description: string) => z.string().min(1).max(2_000).meta({ description }),
  /** Part of the path, or of the header of this name. */
  id: (description: string, header?: string) =>
    z
      .string()
      .regex(/^[\w-]{1,200}$/, 'an id has letters, digits, - and _ only')
      .meta({ description, header }),
  /** Whole shillings. */
  shillings: (description: string) => z.bigint().positive().meta({ description, kind: 'shillings' }),
  /** Base units (6 decimals) of a dollar. */
  dollars: (description: string) => z.bigint().positive().meta({ description, kind: 'dollars' }),
  flag: (description: string) => z.boolean().meta({ description, kind: 'flag' }),
  count: (description: string) => z.int().min(0).meta({ description, kind: 'count' }),
  choice: <const Words extends readonly [string, ...string[]]>(words: Words, description: string) =>
    z.enum(words).meta({ description }),
  json: (description: string) => z.record(z.string(), z.unknown()).meta({ description, kind: 'json' }),
}

/** The beneficiary of a call on the platform wallet. Its events echo `reference`, the intent's random id. */
export const endUser = z.strictObject({
  reference: param.text('who or what it is for; echoed in its events'),
  name: param.text("the end user's name").optional(),
  phone: param.text("the end user's phone").optional(),
})

/** Exactly one of them pays. */
export const fundingSource = {
  userId: param.text("pays from this user's wallet").optional(),
  fromTreasury: param.flag('pays from the platform wallet').optional(),
  subWalletId: param.text('pays from this agent float').optional(),
}

/** A number with exactly these digits in a body, without passing through a double. */
type Digits = { readonly rawJSON: string }

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => Digits }

/** Returns base units of a dollar as a number with 6 decimals, for a body. */
export function dollarNumber(units: bigint): Digits {
  return rawJSON(formatDecimalText(units, DOLLAR_DECIMALS))
}

/** Returns the exact text of a body: bigints become whole numbers, absent fields stay absent. */
export function bodyText(fields: Fields): string {
  return JSON.stringify(fields, withDigits)
}

/** Returns fields as a query, with numbers in plain digits. */
function queryText(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    const raw = isRecord(value) ? value['rawJSON'] : value
    return [[name, typeof raw === 'string' ? raw : JSON.stringify(raw, withDigits)] as [string, string]]
  })
  return new URLSearchParams(pairs).toString()
}

function withDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(value.toString()) : value
}
