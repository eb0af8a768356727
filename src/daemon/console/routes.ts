import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ANSWER_SCHEMAS } from './answers.ts'
import type { Operator } from './auth/credentials.ts'
import type { AccessControl } from './auth/access-control.ts'
import type { Permission } from './auth/permissions.ts'
import { createAnsweredOnce, type GivenAnswer } from './commands/answered-once.ts'
import { COMMAND_HEADERS, withWhy } from './commands/command-bodies.ts'

type Route = {
  /** The group in the OpenAPI document. */
  readonly tag: string
  readonly summary: string
}

type ReadRoute<Query> = Route & {
  readonly query?: z.ZodType<Query>
  readonly answer: z.ZodType
  readonly handle: (query: Query, reply: FastifyReply) => unknown
}

/** Adds a GET route for tokens that may read. */
export function readRoute<Query = unknown>(
  app: FastifyInstance,
  access: AccessControl,
  path: string,
  { tag, summary, query, answer, handle }: ReadRoute<Query>,
): void {
  app.get(
    path,
    {
      onRequest: async (request) => access.checkRead(request),
      schema: {
        tags: [tag],
        summary,
        security: access.readSecurity,
        ...(query !== undefined && { querystring: query }),
        response: { 200: answer, default: ANSWER_SCHEMAS.error },
      },
    },
    async (request, reply) => handle(request.query as Query, reply),
  )
}

type PostRoute<Body> = Route & {
  /** A token needs one of these. */
  readonly needs: readonly Permission[]
  readonly body: z.ZodType<Body>
  readonly headers?: z.ZodType
  /** The answers by status. */
  readonly answers: Readonly<Record<number, z.ZodType>>
  readonly handle: (
    body: Body,
    operator: Operator,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>
}

/** Adds a POST route. A body may name `why` as `reason`, and may be missing. */
export function postRoute<Body>(
  app: FastifyInstance,
  access: AccessControl,
  path: string,
  { tag, summary, needs, body, headers, answers, handle }: PostRoute<Body>,
): void {
  app.post(
    path,
    {
      onRequest: async (request) => void access.checkCommand(request, needs),
      preValidation: async (request) => void (request.body = withWhy(request.body)),
      schema: {
        tags: [tag],
        summary,
        security: [{ token: [] }],
        body,
        ...(headers !== undefined && { headers }),
        response: { ...answers, default: ANSWER_SCHEMAS.error },
      },
    },
    async (request, reply) =>
      handle(request.body as Body, access.checkCommand(request, needs), request, reply),
  )
}

type OnceRoute<Body> = Omit<PostRoute<Body>, 'headers' | 'handle'> & {
  /** The name of the route; a repeated request must have the same. */
  readonly name: string
  /** Whether this process answers a repeated Idempotency-Key; false = the core does. */
  readonly isKeptHere: boolean
  readonly act: (body: Body, operator: Operator, key: string | null) => Promise<GivenAnswer>
  /** Called before a recorded answer is repeated; throws a Refusal if the answer is no longer true. */
  readonly onReplay?: (body: Body) => Promise<void>
}

/** Returns a function that adds POST routes which execute a request with an Idempotency-Key once. */
export function onceRoutes(app: FastifyInstance, access: AccessControl) {
  const answeredOnce = createAnsweredOnce()
  return <Body>(path: string, { name, isKeptHere, act, onReplay, ...route }: OnceRoute<Body>): void =>
    postRoute<Body>(app, access, path, {
      ...route,
      headers: COMMAND_HEADERS,
      async handle(body, operator, { headers }, reply) {
        const header = headers['idempotency-key']
        const key = Array.isArray(header) ? header.join() : header
        const { status, isReplay, ...given } = await answeredOnce(
          isKeptHere ? key : undefined,
          JSON.stringify([operator.name, name, body]),
          () => act(body, operator, key ?? null),
        )
        if (isReplay) await onReplay?.(body)
        if (isReplay) void reply.header('idempotency-replayed', 'true')
        return reply.code(status).send(given.body)
      },
    })
}
