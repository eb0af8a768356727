import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, ListenOptions } from 'node:net'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import {
  hasZodFastifySchemaValidationErrors,
  jsonSchemaTransform,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { err, ok, type Result } from '../../base/result.ts'
import { commandRoutes } from './commands/command-routes.ts'
import { closeServer, createLimitedServer, listenOn } from '../../base/http/limit-connections.ts'
import { createDoor } from './server/door.ts'
import { createStrangerQueue } from './server/stranger-queue.ts'
import type { ConsoleOptions } from './server/options.ts'
import { proofRoute } from './auth/daemon-proof.ts'
import { createAccessControl, type AccessControl } from './auth/access-control.ts'
import { signInRoutes } from './auth/sign-in.ts'
import { pageRoutes } from './page-routes.ts'
import { listRoutes } from './api/list-routes.ts'
import { parameterRoutes } from './api/parameter-routes.ts'
import { researchRoutes } from './api/research-routes.ts'
import { pastRoutes } from './api/past-routes.ts'
import { healthRoutes, readRoutes } from './api/read-routes.ts'
import { proposalRoutes } from './proposals/proposal-routes.ts'
import { Refusal } from './refusal.ts'
import { plainStopUrl, stopRoutes, trackStops } from './stops/stop-routes.ts'
import { treasuryRoutes } from './treasury/treasury-routes.ts'
import { streamRoutes } from './stream/stream-routes.ts'
import swagger from '@fastify/swagger'

type Console = {
  /** The address at which it listens, e.g. http://127.0.0.1:9464. */
  readonly url: string
  /** Also listens on a Unix socket, which TCP connections cannot block. Resolves with null, or with why it does not listen. */
  readonly listenAt: (path: string) => Promise<string | null>
  /** Stops listening and drops open connections; resolves when the port is free. */
  readonly close: () => Promise<void>
}

const BODY_BYTES = 16 * 1024
/** The page may load only its own script and style, and may connect only to this server. */
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
  // This server uses plain HTTP; a proxy that adds TLS sends this header.
  strictTransportSecurity: false,
}

/**
 * Starts the HTTP server of the process: health, readiness, metrics, state and operator commands. It cannot access an
 * engine's memory; every answer comes from a position by message. The error is a sentence: why it cannot listen.
 */
export async function startConsole(options: ConsoleOptions): Promise<Result<Console, string>> {
  const access = createAccessControl(options.host, options.credentials, options.readsNeedToken)
  const app = await buildApp(options, access)
  const route = (request: IncomingMessage, response: ServerResponse): void => app.routing(request, response)
  const strangers = createStrangerQueue(route)
  app.addHook('onSend', async ({ raw }) => strangers.answered(raw))
  await app.ready()
  const door = createDoor(access, { known: route, ...strangers.enter }, options.reportError)
  const servers: Server[] = []
  async function listen(where: ListenOptions): Promise<Result<Server, Error>> {
    const server = createLimitedServer(door, options.limits)
    const isStopUnderWay = trackStops(server)
    server.on('clientError', (error, socket: Socket) => isStopUnderWay(socket) || refuseBytes(error, socket))
    const listening = await listenOn(server, where)
    if (!listening.ok) return listening
    servers.push(server)
    return ok(server)
  }
  async function close(): Promise<void> {
    await app.close()
    await Promise.all(servers.map(closeServer))
  }
  const { host, port } = options
  const isLocalhost = host === 'localhost'
  const first = await listen({ host: isLocalhost ? '127.0.0.1' : host, port })
  if (!first.ok) {
    await close()
    return err(whyNotListening(first.error, `${host}:${port}`))
  }
  const bound = first.value.address() as AddressInfo
  // `localhost` has an IPv4 and an IPv6 address; a machine may lack the second.
  if (isLocalhost) await listen({ host: '::1', port: bound.port })
  return ok({
    url: urlOf(bound),
    async listenAt(path) {
      const listening = await listen({ path })
      return listening.ok ? null : listening.error.message
    },
    close,
  })
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, place: string): string {
  if (code === 'EADDRINUSE') return `${place} is taken by another process; set http.port to another one`
  return `cannot listen on ${place}: ${message}; set http.host and http.port`
}

function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function buildApp(options: ConsoleOptions, access: AccessControl): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: BODY_BYTES,
    logger: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '' }) => plainStopUrl(url),
  })
  parseJsonBodies(app)
  await app.register(helmet, HEADERS)
  await describeApi(app, options)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    access.checkHost(request)
    access.checkSite(request)
    const mayBeEmpty = options.isFleet === true || /^\/(?:healthz|api\/v1\/proof)/.test(request.url)
    if (options.positions.length === 0 && !mayBeEmpty)
      throw new Refusal(503, 'starting', 'the positions are starting; try again in a moment')
  })
  app.setErrorHandler((error, _request, reply) => answerError(error, reply, options.reportError))
  app.setNotFoundHandler((_request, reply) => {
    const refusal = new Refusal(404, 'not-found', 'there is no such path; GET / lists the paths')
    return answerError(refusal, reply, options.reportError)
  })
  healthRoutes(app, options)
  pageRoutes(app, options, access)
  readRoutes(app, options, access)
  listRoutes(app, options, access)
  streamRoutes(app, options, access)
  pastRoutes(app, options, access)
  parameterRoutes(app, options, access)
  researchRoutes(app, options, access)
  commandRoutes(app, options, access)
  stopRoutes(app, options, access)
  treasuryRoutes(app, options, access)
  proposalRoutes(app, options, access)
  proofRoute(app, options.credentials)
  signInRoutes(app, access)
  return app
}

/** A placeholder until `describeApi` sets the compilers; without it Fastify loads ajv and fast-json-stringify. */
function noCompiler(): never {
  throw new Error('no schema compiler is set')
}

const NOT_JSON = 'the body must be JSON, with the header Content-Type: application/json'

/** Accepts an empty body under any content type: many clients send one with a command that needs no body. */
function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async ({ headers }: FastifyRequest, body: unknown) => {
    const text = String(body)
    if (text.trim() === '') return undefined
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
      throw new Refusal(415, 'not-json', NOT_JSON)
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw new Refusal(400, 'bad-json', 'the body is not JSON; expected {"why": "..."}, or no body at all')
    }
  })
}

/** Answers bytes that are not a request with an error status, and closes the connection. */
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
  return reply.code(refusal.status).headers(refusal.headers()).send(refusal.body())
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (hasZodFastifySchemaValidationErrors(error))
    return new Refusal(400, 'bad-request', sentenceOf(error.validation))
  const { statusCode, code } = error as { readonly statusCode?: number; readonly code?: string }
  if (statusCode === 413) return new Refusal(413, 'too-large', `the body is larger than ${BODY_BYTES} bytes`)
  if (statusCode === 415) return new Refusal(415, 'not-json', NOT_JSON)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal(statusCode, code ?? 'bad-request', (error as Error).message)
  }
  return new Refusal(500, 'internal', 'internal error; the log of the process shows it')
}

/** Returns the problems with their fields, such as `why: too long; limit: 500 at most`. */
function sentenceOf(issues: readonly { readonly instancePath: string; readonly message?: string }[]): string {
  return issues
    .map(({ instancePath, message = 'wrong' }) => {
      const path = instancePath.split('/').filter(Boolean).join('.')
      return path === '' ? message : `${path}: ${message}`
    })
    .join('; ')
}

/**
 * Makes the routes validate requests with their zod schemas, and derives the OpenAPI document from the same schemas.
 * Answers are not validated here; a test validates them.
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
        description: 'The state and the operator commands of a market-making daemon.',
        version,
      },
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description:
              'http.token of the configuration. Reads on loopback need one only with http.readsNeedToken.',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject(document) {
      if (!('openapiObject' in document)) return document.swaggerObject
      allowMissingBodies(document.openapiObject)
      return document.openapiObject
    },
  })
}

type ApiDocument = { readonly paths?: Readonly<Record<string, object | undefined>> }
type Operation = {
  readonly requestBody?: {
    required: boolean
    readonly content: Readonly<Record<string, { readonly schema: { readonly required?: readonly string[] } }>>
  }
}

/** Swagger declares every body as required; the server accepts a missing one if none of its fields is required. */
function allowMissingBodies({ paths = {} }: ApiDocument): void {
  const operations = Object.values(paths).flatMap((path) => Object.values(path ?? {}) as readonly Operation[])
  for (const { requestBody } of operations) {
    if (requestBody === undefined) continue
    const schemas = Object.values(requestBody.content).map(({ schema }) => schema)
    requestBody.required = schemas.some(({ required = [] }) => required.length > 0)
  }
}
