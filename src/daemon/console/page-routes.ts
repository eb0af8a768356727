import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ConsoleOptions } from './server/options.ts'
import type { AccessControl } from './auth/access-control.ts'
import { OPERATOR_COMMANDS } from './commands/operator-commands.ts'
import { Refusal } from './refusal.ts'
import { TREASURY_ORDERS } from './treasury/treasury-bodies.ts'
import { textAnswers } from './answers.ts'
import { readFile } from 'node:fs/promises'
import { err, ok, type Result } from '../../base/result.ts'
import { docPage, runbookPage } from './doc-pages.ts'

const [FIRST_COMMAND, ...OTHER_COMMANDS] = Object.keys(OPERATOR_COMMANDS)
const PATHS = `mizani

GET  /                    the console, for browsers
GET  /runbook             what each code of an alert means and what to do
GET  /docs/{page}         a page of the documentation; /docs/ lists them
GET  /healthz             200 while the process and every position's loop is alive
GET  /readyz              200 while the strategy runs, the mid is fresh, the balances are reconciled and the quote is known
GET  /metrics             for Prometheus
GET  /api/v1/state        what each position sees, quotes and holds; ?position=NAME for one of several
GET  /api/v1/positions    a line for each position: filtered, sorted and in pages, with sums
GET  /api/v1/stream       state changes and notices, as server-sent events
GET  /api/v1/history      columns for charts; also days, fills, notices
GET  /api/v1/parameters   the strategy's parameters: schema, current values, and those that differ from the file
GET  /api/v1/alerts       open critical alerts, and who acknowledged them
GET  /api/v1/proposals    proposals that wait for a person; POST adds one, proposals/accept and proposals/reject answer it; with the token
GET  /api/v1/proof        proves that the daemon knows a token that is not sent; ?nonce=HEX
GET  /api/v1/treasury     balances, planned steps, and intents that wait for approval; also treasury/bands; ?position=NAME
GET  /api/docs/openapi.json   every path with its parameters and answers
POST /api/v1/${FIRST_COMMAND}        also ${OTHER_COMMANDS.join(', ')}; with the bearer token
POST /api/v1/treasury/stop    also ${TREASURY_ORDERS.join(', ')}, match; with the token
POST /api/v1/sign-in/key  a single-use key for a browser on this machine; with the bearer token
POST /api/v1/sign-in      the token for such a key
GET  /api/v1/research     backtests and what-ifs; POST starts one, research/cancel ends it; with the bearer token
POST /api/v1/preview      the quote under other parameters; changes nothing; with the bearer token
`

const PAGE = {
  tags: ['page'],
  summary: 'The console for browsers, without a token, and a list of paths for others',
  response: textAnswers(['text/html', 'text/plain']),
}

const ASSET = {
  tags: ['page'],
  summary: 'The script and the style of the console',
  params: z.object({ name: z.string().max(100) }),
  querystring: z.object({ v: z.string().max(100).optional() }),
  response: textAnswers(['text/javascript', 'text/css']),
}

const RUNBOOK = {
  tags: ['page'],
  summary: 'The runbook: what each code of an alert means and what to do; messages link to its anchors',
  response: textAnswers(['text/html']),
}

const DOC = {
  tags: ['page'],
  summary: 'A page of the documentation',
  params: z.object({ page: z.string().max(100) }),
  response: textAnswers(['text/html']),
}

const YEAR_SECONDS = 31_536_000

/**
 * GET / and the page's assets. The page itself never needs a token: it contains nothing beyond the public source, and the operator enters
 * the token there. All data it shows is requested with the token.
 */
export function pageRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  app.get('/', { schema: { ...PAGE, security: access.readSecurity } }, async (request, reply) => {
    void reply.header('vary', 'accept')
    if (!wantsPage(request)) {
      access.checkRead(request)
      return reply.type('text/plain; charset=utf-8').send(PATHS)
    }
    return sendFile(request, reply, found(await filesOrRefusal(options), 'index.html'))
  })
  const html = async (text: Promise<string | null>) => {
    const page = await text
    if (page === null) throw new Refusal(404, 'not-found', 'there is no such page; /docs/ lists them')
    return pageFile(TYPES['index.html'], Buffer.from(page))
  }
  const runbook = once(() => html(runbookPage()))
  app.get('/runbook', { schema: RUNBOOK }, async (request, reply) =>
    sendFile(request, reply, await runbook()),
  )
  app.get('/docs', { schema: { hide: true } }, async (_, reply) => reply.redirect('/docs/README'))
  app.get('/docs/:page', { schema: DOC }, async (request, reply) => {
    const { page } = request.params as z.output<typeof DOC.params>
    return sendFile(request, reply, await html(docPage(page)))
  })
  const openApi = once(() =>
    pageFile('application/json; charset=utf-8', Buffer.from(JSON.stringify(app.swagger()))),
  )
  app.get(
    '/api/docs/openapi.json',
    { onRequest: async (request) => access.checkRead(request), schema: { hide: true } },
    async (request, reply) => sendFile(request, reply, openApi()),
  )
  app.get('/assets/:name', { schema: ASSET }, async (request, reply) => {
    const { name } = request.params as z.output<typeof ASSET.params>
    const files = await filesOrRefusal(options)
    return sendFile(request, reply, found(files, name))
  })
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').includes('text/html')
}

async function filesOrRefusal({ reportError }: ConsoleOptions): Promise<ReadonlyMap<string, PageFile>> {
  try {
    return await pageFiles()
  } catch (error) {
    reportError(error)
    const why = error instanceof Error ? error.message.split('\n')[0] : 'unknown'
    throw new Refusal(503, 'no-page', `the page cannot be shown (${why}); the API is not affected`)
  }
}

function found(files: ReadonlyMap<string, PageFile>, name: string): PageFile {
  const file = files.get(name)
  if (file === undefined) throw new Refusal(404, 'not-found', 'there is no such asset')
  return file
}

/** Builds the value on the first request and keeps it: a stranger must not be able to trigger repeated builds. */
function once<T extends object>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, hash }: PageFile,
): FastifyReply {
  const { v } = request.query as { readonly v?: unknown }
  const cache = v === hash ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache'
  void reply.headers({ 'cache-control': cache, etag: `"${hash}"` })
  if (request.headers['if-none-match'] === `"${hash}"`) return reply.code(304).send()
  return reply.type(type).send(body)
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 16)
}

type PageFile = { readonly type: string; readonly body: Buffer; readonly hash: string }

function pageFile(type: string, body: Buffer): PageFile {
  return { type, body, hash: hashOf(body) }
}

const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'main.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
} as const
type Name = keyof typeof TYPES

/** The part of esbuild used here; a checkout has it, an installation may lack it. */
type Bundler = {
  readonly build: (options: object) => Promise<{
    readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[]
  }>
}

let made: Promise<ReadonlyMap<string, PageFile>> | null = null

/**
 * Returns the page's files by name: as built next to the bundle or, in a checkout, bundled in memory on the first request. Rejects with a
 * sentence if that fails; the next call retries.
 */
export function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  made ??= make().catch((error: unknown) => {
    made = null
    throw error
  })
  return made
}

async function make(): Promise<ReadonlyMap<string, PageFile>> {
  const bodies = import.meta.url.endsWith('.ts') ? await bundled() : await built()
  const assets = (['main.js', 'style.css'] as const).map(
    (name) => [name, pageFile(TYPES[name], bodies[name])] as const,
  )
  // The page references its assets with a content hash, so caches may keep them indefinitely.
  const html = assets.reduce(
    (text, [name, { hash }]) => text.replaceAll(`/assets/${name}"`, `/assets/${name}?v=${hash}"`),
    bodies['index.html'].toString('utf8'),
  )
  return new Map([['index.html', pageFile(TYPES['index.html'], Buffer.from(html))], ...assets])
}

async function built(): Promise<Record<Name, Buffer>> {
  const read = (name: Name) => readFile(new URL(`./console-page/${name}`, import.meta.url))
  const [page, script, style] = await Promise.all([read('index.html'), read('main.js'), read('style.css')])
  return { 'index.html': page, 'main.js': script, 'style.css': style }
}

async function bundled(): Promise<Record<Name, Buffer>> {
  const source = new URL('./page/', import.meta.url)
  const esbuild = await bundler()
  if (!esbuild.ok) throw new Error(esbuild.error)
  const { outputFiles } = await esbuild.value.build({
    entryPoints: { main: new URL('main.tsx', source).pathname, style: new URL('style.css', source).pathname },
    bundle: true,
    write: false,
    outdir: 'console-page',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    logLevel: 'silent',
  })
  const output = (ending: string) =>
    Buffer.from(outputFiles.find(({ path }) => path.endsWith(ending))?.contents ?? [])
  return {
    'index.html': await readFile(new URL('index.html', source)),
    'main.js': output('main.js'),
    'style.css': output('style.css'),
  }
}

async function bundler(): Promise<Result<Bundler, string>> {
  try {
    // Import by a variable, which a bundler does not follow: the bundle contains the built page and does not need esbuild.
    const name = 'esbuild'
    return ok((await import(name)) as Bundler)
  } catch {
    return err(
      'the page is not built and esbuild, which builds it, is not installed: `npm install`, or `npm run build` and start from dist/',
    )
  }
}
