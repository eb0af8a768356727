import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import {
  hasZodFastifySchemaValidationErrors,
  jsonSchemaTransform,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify'
import type { Socket } from 'node:net'
import { err, ok, type Result } from '../../base/result.ts'
import rateLimit from '@fastify/rate-limit'
import { commandRoutes } from '../commands/command-routes.ts'
import { connectionLimit, limitConnections } from './connection-limit.ts'
import type { ConsoleOptions } from './options.ts'
import { proofRoute } from '../auth/daemon-proof.ts'
import { createGuard, type Guard } from '../auth/guard.ts'
import { signInRoutes } from '../auth/sign-in.ts'
import { pageRoutes } from '../page-routes.ts'
import { listRoutes } from '../api/list-routes.ts'
import { parameterRoutes } from '../api/parameter-routes.ts'
import { pastRoutes } from '../api/past-routes.ts'
import { healthRoutes, readRoutes } from '../api/read-routes.ts'
import { proposalRoutes } from '../proposals/proposal-routes.ts'
import { Refusal } from './refusal.ts'
import { trackStops } from '../stops/read-body.ts'
import { isStopPath, stopRoutes } from '../stops/stop-routes.ts'
import { treasuryRoutes } from '../treasury/treasury-routes.ts'
import { streamRoutes } from '../stream/stream-routes.ts'
import swagger from '@fastify/swagger'

export type Console = {
  /** Where it listens, e.g. http://127.0.0.1:9464. */
  readonly url: string
  /** Stops listening and drops open connections; resolves when the port is free. */
  readonly close: () => Promise<void>
}

const BODY_BYTES = 16 * 1024
const MINUTE_MS = 60_000
/** From one address: many consoles and scripts may be behind it, a program that runs wild is stopped. */
const REQUESTS_PER_MINUTE = 6_000
/** A client on a slow line sends its headers within this; whoever keeps a connection half open loses it. */
const HEADERS_MS = 5_000
const REQUEST_MS = 10_000

/** The page loads its own script and style and nothing else, and talks to this server only. */
const HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
  // This server speaks plain HTTP; what puts TLS in front of it says this.
  strictTransportSecurity: false,
}

/**
 * The HTTP server of the process: health, readiness, metrics, state, and a person's commands. It holds no
 * engine memory and decides nothing; every answer is asked of a position. The error is a sentence: what
 * keeps it from listening.
 */
export async function startConsole(options: ConsoleOptions): Promise<Result<Console, string>> {
  const app = await buildApp(options)
  try {
    const url = await app.listen({ host: options.host, port: options.port })
    return ok({ url, close: () => app.close() })
  } catch (thrown) {
    await app.close()
    const { code, message } = thrown as NodeJS.ErrnoException
    const place = `${options.host}:${options.port}`
    if (code === 'EADDRINUSE')
      return err(`${place} is taken by another process; set http.port to another one`)
    return err(`cannot listen on ${place}: ${message}; set http.host and http.port`)
  }
}

async function buildApp(options: ConsoleOptions): Promise<FastifyInstance> {
  const guard = createGuard(options.host, options.credentials)
  const app = fastify({
    bodyLimit: BODY_BYTES,
    forceCloseConnections: true,
    logger: false,
    requestTimeout: REQUEST_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 1_000 },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
    clientErrorHandler: (error, socket) => isStopUnderWay(socket) || refuseBytes(error, socket),
  })
  const isStopUnderWay = trackStops(app.server, isStopPath)
  limitConnections(app.server, options.maxConnections ?? connectionLimit())
  acceptEmptyJson(app)
  await app.register(helmet, HEADERS)
  await limitRate(app, guard)
  await describeApi(app, options)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    guard.checkHost(request)
    guard.checkSite(request)
    const mayBeEmpty = options.isFleet === true || request.url.startsWith('/healthz')
    if (options.positions.length === 0 && !mayBeEmpty)
      throw new Refusal(503, 'starting', 'the positions are being started; ask again in a moment')
  })
  app.setErrorHandler((error, _request, reply) => answerError(error, reply, options.reportError))
  app.setNotFoundHandler((request, reply) => {
    const message = `there is no ${request.method} ${request.url.split('?')[0]}; GET / lists what there is`
    return answerError(new Refusal(404, 'not-found', message), reply, options.reportError)
  })
  healthRoutes(app, options)
  pageRoutes(app, options, guard)
  readRoutes(app, options, guard)
  listRoutes(app, options, guard)
  streamRoutes(app, options, guard)
  pastRoutes(app, options, guard)
  parameterRoutes(app, options, guard)
  commandRoutes(app, options, guard)
  stopRoutes(app, options, guard)
  treasuryRoutes(app, options, guard)
  proposalRoutes(app, options, guard)
  proofRoute(app, options.credentials)
  signInRoutes(app, guard)
  documentRoute(app, guard)
  return app
}

/**
 * Strangers share the requests of their address; who brings a right token has requests of his own, and his commands
 * are not counted at all: no stranger can keep an operator from the kill switch.
 */
async function limitRate(app: FastifyInstance, guard: Guard): Promise<void> {
  await app.register(rateLimit, {
    max: REQUESTS_PER_MINUTE,
    timeWindow: MINUTE_MS,
    keyGenerator: (request) => {
      const kind = request.method === 'POST' ? 'commands' : 'reads'
      const operator = guard.operatorOf(request)
      return operator === null ? `${kind} of ${request.ip}` : `${kind} of token ${operator.name}`
    },
    allowList: (request) =>
      // An orchestrator that is refused would end the daemon.
      request.url.startsWith('/healthz') ||
      request.url.startsWith('/readyz') ||
      (request.method === 'POST' && guard.operatorOf(request) !== null),
    errorResponseBuilder: () =>
      new Refusal(429, 'too-many', `at most ${REQUESTS_PER_MINUTE} requests a minute`),
  })
}

/** A command without a body is complete; many clients send the content type all the same. */
function acceptEmptyJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: unknown) => {
      const text = String(body)
      if (text.trim() === '') return undefined
      try {
        return JSON.parse(text) as unknown
      } catch {
        throw new Refusal(
          400,
          'bad-json',
          'the body is not JSON; {"why": "..."} would be right, or no body at all',
        )
      }
    },
  )
}

/** Bytes that are no request: the connection ends, where it is still there. */
function refuseBytes({ code }: NodeJS.ErrnoException, socket: Socket): void {
  const status = BYTES_STATUS[code ?? ''] ?? '400 Bad Request'
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  socket.destroy()
}

const BYTES_STATUS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

function answerError(
  error: unknown,
  reply: FastifyReply,
  reportError: (error: unknown) => void,
): FastifyReply {
  const refusal = refusalOf(error)
  if (refusal.status >= 500 && !(error instanceof Refusal)) reportError(error)
  if (refusal.status === 429) void reply.header('retry-after', '60')
  if (refusal.status === 401) void reply.header('www-authenticate', 'Bearer')
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send({ error: refusal.code, message: refusal.message })
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (hasZodFastifySchemaValidationErrors(error))
    return new Refusal(400, 'bad-request', sentenceOf(error.validation))
  const { statusCode, code } = error as { readonly statusCode?: number; readonly code?: string }
  if (statusCode === 413) return new Refusal(413, 'too-large', `the body is larger than ${BODY_BYTES} bytes`)
  if (statusCode === 415) {
    return new Refusal(
      415,
      'not-json',
      'the body must be JSON, with the header Content-Type: application/json',
    )
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal(statusCode, code ?? 'bad-request', (error as Error).message)
  }
  return new Refusal(500, 'internal', 'something went wrong here; the log of the process has it')
}

/** `why: too long; limit: 500 at most`, by the places in what was asked. */
function sentenceOf(issues: readonly { readonly instancePath: string; readonly message?: string }[]): string {
  return issues
    .map(({ instancePath, message = 'wrong' }) => {
      const path = instancePath.split('/').filter(Boolean).join('.')
      return path === '' ? message : `${path}: ${message}`
    })
    .join('; ')
}

/**
 * Lets routes check what they are asked by zod schemas, and makes the OpenAPI document of the same. Answers
 * are written as they are: that they are as described is a test's to say, not every request's.
 */
async function describeApi(
  app: FastifyInstance,
  { version }: Pick<ConsoleOptions, 'version'>,
): Promise<void> {
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'mizani',
        description: 'What a market-making daemon sees, quotes and holds, and what a person may ask of it.',
        version,
      },
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'http.token of the configuration. Reads on loopback need none.',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
}

/** GET /api/docs/openapi.json. */
function documentRoute(app: FastifyInstance, guard: Guard): void {
  app.get(
    '/api/docs/openapi.json',
    { onRequest: async (request) => guard.checkRead(request), schema: { hide: true } },
    async () => app.swagger(),
  )
}
