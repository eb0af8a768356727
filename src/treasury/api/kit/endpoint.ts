import type { z } from 'zod'
import type { HttpRequest } from '../../../base/http/exchange.ts'
import type { PartnerCall, Translate } from '../call.ts'
import { DEADLINES_MS, type Deadline, type PartnerSettings } from '../settings.ts'
import { bodyText, queryText } from './params.ts'
import type { CallSettings } from './shilling-symbol.ts'

/** What a key must hold for an endpoint. */
const CAPABILITIES = [
  'collections',
  'disbursements',
  'transfers',
  'treasury',
  'wallets',
  'swap',
  'ramp',
  'commerce',
  'agent_float',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/** The parts of a request beside its route; what is absent comes from the parameters. */
type RequestParts = {
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** Appended to the route's path. */
  readonly subPath?: string
}

type Spec<Shape extends z.ZodRawShape, Answer> = {
  /** Method and path of the contract; a path that does not begin with /api is below the prefix. */
  readonly route: `${HttpRequest['method']} /${string}`
  /** What it does, in one sentence. */
  readonly summary: string
  readonly params: z.ZodObject<Shape>
  readonly translate: Translate<Answer>
  /** Its place in `mizani partner <resource> <verb>`, and the options of one example. */
  readonly command: { readonly resource: string; readonly verb: string; readonly example: string }
  readonly needs?: Capability
  /** Value moves by it. */
  readonly isMoney?: boolean
  /** It takes an Idempotency-Key; money routes do unless this is false. */
  readonly takesKey?: boolean
  readonly isPublic?: boolean
  readonly isStream?: boolean
  readonly deadline?: Deadline
  /** What goes out, where it is not the parameters as they are. */
  readonly toRequest?: (params: z.output<z.ZodObject<Shape>>, settings: CallSettings) => RequestParts
}

/** One endpoint of the partner API: its route, parameters, translation and place in the command line, with no I/O. */
export type PartnerEndpoint<Params = never, Answer = unknown> = {
  readonly route: string
  readonly summary: string
  readonly params: z.ZodObject
  readonly command: { readonly resource: string; readonly verb: string; readonly example: string }
  readonly needs: Capability | null
  readonly isMoney: boolean
  readonly isPublic: boolean
  readonly takesKey: boolean
  /** A call with this text as its body, for a route whose path has no parameter. */
  readonly callOf: (settings: CallSettings, given: { readonly body: string }) => PartnerCall<Answer>
  /** Throws ZodError for parameters of another form: they come from our own code. */
  readonly open: (settings: CallSettings) => (params: Params) => PartnerCall<Answer>
}

/** Params: the parameters as callers write them. */
export function endpoint<Shape extends z.ZodRawShape, Answer>(
  spec: Spec<Shape, Answer>,
): PartnerEndpoint<z.input<z.ZodObject<Shape>>, Answer> {
  const { route, summary, params, translate, command, needs = null, isMoney = false, isPublic = false } = spec
  const takesKey = spec.takesKey ?? isMoney
  const [method, path] = route.split(' ') as [HttpRequest['method'], string]

  /** `to`: the path below the prefix, with its query. */
  const callTo = (
    settings: PartnerSettings,
    to: string,
    { body, headers = {} }: { readonly body: string | null; readonly headers?: RequestParts['headers'] },
  ): PartnerCall<Answer> => ({
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
    callOf: (settings, given) => callTo(settings, path, given),
    open: (settings) => (given) => {
      const fields = params.parse(given)
      const { filled, rest } = fillPath(path, fields)
      const parts = spec.toRequest?.(fields, settings) ?? {}
      const isRead = method === 'GET'
      const query = queryText(parts.query ?? (isRead ? rest : {}))
      const body = bodyOf(method, parts.body ?? (isRead || parts.query !== undefined ? {} : rest))
      const to = `${filled}${parts.subPath ?? ''}${query === '' ? '' : `?${query}`}`
      return callTo(settings, to, { body, headers: parts.headers ?? {} })
    },
  }
}

/** GET has no body, and DELETE has one only where it has fields. */
function bodyOf(method: HttpRequest['method'], fields: Readonly<Record<string, unknown>>): string | null {
  if (method === 'GET') return null
  return method === 'DELETE' && Object.keys(fields).length === 0 ? null : bodyText(fields)
}

/** `:name` in a path is the parameter of that name; the others are left for the query or the body. */
function fillPath(
  path: string,
  fields: Readonly<Record<string, unknown>>,
): { readonly filled: string; readonly rest: Readonly<Record<string, unknown>> } {
  const rest = { ...fields }
  const filled = path.replaceAll(/:([a-zA-Z]+)/g, (_place, name: string) => {
    const value = fields[name]
    delete rest[name]
    // Ids have no character that would need escaping (param.id), so that none leads elsewhere.
    return typeof value === 'string' ? value : ''
  })
  return { filled, rest }
}
