import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createVenueModel, type VenueModel } from '../../src/simulator/sandbox/model.ts'
import { createMidSchedule, type MidSchedule, type MidsMoved } from './mid-schedule.ts'
import { apiKeyOf, type VenueFigures, type VenueInit, type VenueOrder } from './venue-messages.ts'

/**
 * A venue of many keys in a process of its own: behind each key stands the simulated venue's model with an account and a
 * market of its own. It answers at once, so that what waits is the daemon.
 */
type Account = { readonly index: number; readonly model: VenueModel }

const BUYS_SHILLINGS = { from: 'USDC', to: 'NTZS', amountIn: 100_000_000n } as const
const SELLS_SHILLINGS = { from: 'NTZS', to: 'USDC', amountIn: 257_000n * 10n ** 18n } as const

const init = JSON.parse(process.argv[2] ?? 'null') as VenueInit
/** One time for the models and for Date headers: the clock of this machine, which does not go back here. */
const startMs = Date.now()
const began = performance.now()
const now = () => startMs + (performance.now() - began)
const accounts = new Map<string, Account>()
for (let index = 0; index < init.positions; index++) {
  const apiKey = apiKeyOf(index)
  // No taker and no news of its own unless the bench makes them.
  const model = createVenueModel({
    apiKey,
    startMs,
    isActive: true,
    scenario: 'calm',
    requestsPerMinute: 6_000,
    publicRequestsPerMinute: 6_000,
  })
  accounts.set(`Bearer ${apiKey}`, { index, model })
}
let requests = 0
let notAuthorized = 0
let schedule: MidSchedule | null = null
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

function answer(request: IncomingMessage, response: ServerResponse, body: unknown): void {
  requests += 1
  const { authorization = '' } = request.headers
  const account = accounts.get(authorization)
  if (account === undefined) {
    notAuthorized += 1
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no such key"}')
    return
  }
  const [path = '', search = ''] = (request.url ?? '').split('?', 2)
  const at = now()
  const call = `${request.method} ${path}`
  if (call.startsWith('PATCH') && path.endsWith('/spread')) schedule?.patched(account.index, at)
  const isNewMid =
    path.endsWith('/rate') &&
    schedule?.moves(account.index, at, (bps) => account.model.inject({ jump: { bps } }))
  const {
    status,
    headers,
    body: answered,
  } = account.model.handle({
    method: request.method ?? 'GET',
    path,
    query: Object.fromEntries(new URLSearchParams(search)),
    body,
    authorization,
    now: at,
    limiterNow: performance.now(),
  })
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(answered ?? null))
  if (isNewMid === true) schedule?.answered(account.index, now())
}

/** Most requests have no body: they are answered in the turn in which they come. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'GET') return answer(request, response, undefined)
  const chunks: Uint8Array[] = []
  request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8')
    answer(request, response, text === '' ? undefined : (JSON.parse(text) as unknown))
  })
}

function figures(): VenueFigures {
  const { user, system } = process.cpuUsage()
  const delayMs = delay.percentile(99.9) / 1e6
  return { requests, notAuthorized, cpuMs: (user + system) / 1_000, delayP999Ms: delayMs }
}

/** A taker of one position after the other, to both sides in turns; each tenth one finds another mid. */
function sendTakers(everyMs: number): void {
  const models = Array.from(accounts.values(), ({ model }) => model)
  let sent = 0
  setInterval(() => {
    const round = Math.floor(sent / models.length)
    const model = models[sent % models.length]
    sent += 1
    model?.advanceTo(now())
    if (round % 10 === 9) model?.inject({ jump: { bps: round % 20 === 9 ? 12 : -12 } })
    model?.swap(round % 2 === 0 ? BUYS_SHILLINGS : SELLS_SHILLINGS)
  }, everyMs / models.length)
}

/** Changes each key's mid at fixed times, whatever the daemon does; resolves with how late each PATCH came. */
async function moveMids(everyMs: number, forMs: number): Promise<MidsMoved> {
  const moving = createMidSchedule({ positions: init.positions, from: now(), everyMs, forMs })
  schedule = moving
  delay.reset()
  await new Promise((resolve) => setTimeout(resolve, forMs + everyMs))
  schedule = null
  return moving.result()
}

const server =
  init.tls === null
    ? createServer(serve)
    : createTlsServer({ key: readFileSync(init.tls.key), cert: readFileSync(init.tls.certificate) }, serve)
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `${init.tls === null ? 'http' : 'https'}://127.0.0.1:${port}` })
})
if (init.takerEveryMs !== null) sendTakers(init.takerEveryMs)
process.on('message', (order: VenueOrder) => {
  if (order.what === 'figures') process.send?.({ id: order.id, answer: figures() })
  else
    void moveMids(order.everyMs, order.forMs).then((moved) => process.send?.({ id: order.id, answer: moved }))
})
// It ends with the bench, however that ends.
process.on('disconnect', () => process.exit(0))
