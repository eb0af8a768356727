import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { parseDocument } from 'yaml'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { getOnce } from '../../../base/http/client.ts'
import type { SimulatedApi } from '../options.ts'
import { exampleConfig } from './example-config.ts'
import { configureSelfCustody, writeTestKey } from './demo-self-custody.ts'
import {
  configureTreasury,
  demoTokens,
  keepWebhookSecret,
  newWebhookSecret,
  PARTNER_KEY,
  readDemoPartner,
  receiveWebhooks,
  treasuryVenue,
  WEBHOOK_PORT,
  type DemoPartner,
} from './demo-treasury.ts'

export type DemoOptions = {
  readonly scenario: string
  /** Null = the default speed. */
  readonly speed?: number
  readonly seed: number
  readonly fresh?: boolean
  /** Orders signed from a wallet on a local chain, instead of capital in the pool. */
  readonly selfCustody?: boolean
  /** A treasury keeps the position funded over the partner API of the venue. */
  readonly treasury?: boolean
}

export type Demo = {
  readonly configFile: string
  readonly logFile: string
  readonly venue: { readonly url: string; readonly stop: () => void }
  /** The simulated market in a sentence; null = the venue of an earlier start and its store are used again. */
  readonly market: string | null
  /** The tokens of a treasury's two people; empty without a treasury. */
  readonly tokens: readonly { readonly name: string; readonly token: string }[]
}

/** The stored facts about the venue between two starts. */
type Remembered = Started & {
  readonly folder: string
  /** Absent if started by a version before 0.3.0: `contract`. */
  readonly kind?: SimulatedApi
  /** Null or absent = no treasury was requested. */
  readonly partner?: DemoPartner | null
  /** The start that uses it last. Absent if started by a version before 0.3.0. */
  readonly user?: { readonly pid: number; readonly console: string }
}

/** A running venue; `chainUrl` is null if it has no chain. */
type Started = {
  readonly url: string
  readonly chainUrl: string | null
  /** Absent if started by a version without a feed. */
  readonly feedUrl?: string | null
  readonly pid: number
}

const ROOT = resolve('data/demo')
const REMEMBERED = join(ROOT, 'venue.json')
/** Options of a venue with a treasury that have no flags. */
const VENUE_OPTIONS = join(ROOT, 'venue-options.json')
const API_KEY = 'mm_test_sandbox'
/** The venue outlives a killed daemon by this much, so that the daemon can be started again. */
const LINGER_MS = 180_000
const READY_MS: Ms = 15_000
/** The first start also downloads the contracts. */
const CHAIN_READY_MS: Ms = 180_000
/** Number of lines that a failed start repeats. */
const LAST_LINES = 10
const POOLED_SPEED = 60
/** The scenario has a customer every twenty minutes; the demo shows some every minute. */
const RETAIL_FACTOR = 20
/** The solver fills half of an order every few seconds, so that every minute shows something. */
const SOLVER = { 'fill-every-ms': 4_000, 'fill-parts': 2 }
const KEPT_FOLDERS = 3
const VENUE_PORT = 8787
const FEED_PORT = 8788
const HTTP_PORT = 9464

/** Returns a running venue and a configuration that names it: those of the last start if that venue still runs, else new ones. */
export async function prepareDemo(options: DemoOptions): Promise<Result<Demo, string>> {
  process.env['MIZANI_API_KEY'] = API_KEY
  process.env['MIZANI_PARTNER_KEY'] = PARTNER_KEY
  const before = remembered()
  if (before !== null && (await answers(before.url))) {
    const { user } = before
    if (user !== undefined && user.pid !== process.pid && signal(user.pid, 0))
      return err(
        `a demo already runs: its console is ${user.console}, and Ctrl-C in its terminal ends it (process ${user.pid})`,
      )
    const isOfItsKind =
      (before.kind ?? 'contract') === kindOf(options) &&
      (before.chainUrl !== null) === (options.selfCustody === true) &&
      ((before.partner ?? null) !== null) === (options.treasury === true)
    if (options.fresh !== true && isOfItsKind) return demoIn(before, null)
    signal(before.pid, 'SIGTERM')
  }
  const folder = join(ROOT, new Date().toISOString().replaceAll(/[:.]/g, '-'))
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    return err(`the demo cannot write in ${ROOT}: ${errorText(error)}; start it in a folder of yours`)
  }
  const key = options.selfCustody === true ? await writeTestKey(folder) : ok(undefined)
  if (!key.ok) return key
  const ports = { port: await freePort(VENUE_PORT), 'feed-port': await freePort(FEED_PORT) }
  const secret = newWebhookSecret()
  const started = await startVenue(options, ports, secret)
  if (!started.ok) return started
  const partner = options.treasury === true ? await readDemoPartner(started.value.url) : ok(null)
  if (!partner.ok) {
    signal(started.value.pid, 'SIGTERM')
    return partner
  }
  const venue: Remembered = { ...started.value, kind: kindOf(options), folder, partner: partner.value }
  if (partner.value !== null) keepWebhookSecret(folder, secret)
  forgetOld()
  return demoIn(venue, marketText(options))
}

/** The demo is busier than any real day, so its earnings are not those of a position. */
function marketText({ scenario, speed = POOLED_SPEED, selfCustody = false }: DemoOptions): string {
  const pace = selfCustody || speed === 1 ? 'in real time' : `at ${speed} times real time`
  return `${scenario}, ${pace}, with ${RETAIL_FACTOR} times the takers of a real day: it shows the program, not what a position earns`
}

/** The measured venue has no signed orders. */
function kindOf({ selfCustody }: DemoOptions): SimulatedApi {
  return selfCustody === true ? 'contract' : 'measured'
}

async function demoIn(remember: Remembered, market: string | null): Promise<Result<Demo, string>> {
  const { url, chainUrl, feedUrl = null, pid, folder, partner = null } = remember
  const stop = () => {
    signal(pid, 'SIGTERM')
    rmSync(REMEMBERED, { force: true })
  }
  const configFile = join(folder, 'config.yaml')
  const logFile = join(folder, 'mizani.log')
  const document = parseDocument(readFileSync(exampleConfig(), 'utf8'))
  document.setIn(['venue', 'baseUrl'], url)
  document.setIn(['venue', 'publicUrl'], url)
  document.setIn(['store', 'path'], join(folder, 'store'))
  const httpPort = await freePort(HTTP_PORT)
  document.setIn(['http', 'port'], httpPort)
  document.setIn(['log', 'file'], logFile)
  if (feedUrl !== null) {
    const feed = { name: 'market', http: { url: feedUrl, path: 'rates.TZS' }, everyMs: 2_000 }
    document.setIn(['feeds'], document.createNode([feed]))
  }
  if (chainUrl !== null) configureSelfCustody(document, chainUrl)
  // The measured venue refuses the other symbol, which is tried first.
  else document.setIn(['venue', 'shillingSymbol'], 'NTZS')
  if (partner !== null) {
    const webhookPort = await freePort(WEBHOOK_PORT)
    const isNamed = await receiveWebhooks(url, webhookPort)
    if (!isNamed.ok) {
      stop()
      return isNamed
    }
    configureTreasury(document, url, partner, webhookPort)
  }
  const tokens = partner === null ? [] : demoTokens(folder)
  document.commentBefore = ' Written by `mizani start` from config/sandbox.yaml.'
  writeFileSync(configFile, document.toString())
  const user = { pid: process.pid, console: `http://127.0.0.1:${httpPort}` }
  writeFileSync(REMEMBERED, JSON.stringify({ ...remember, user }))
  return ok({ configFile, logFile, market, tokens, venue: { url, stop } })
}

async function startVenue(
  options: DemoOptions,
  ports: { readonly port: number; readonly 'feed-port': number },
  webhookSecret: string,
): Promise<Result<Started, string>> {
  const { scenario, speed = POOLED_SPEED, seed, selfCustody = false } = options
  const asked = {
    ...ports,
    venue: kindOf(options),
    scenario,
    seed,
    'retail-factor': RETAIL_FACTOR,
    'api-key': API_KEY,
    'linger-ms': LINGER_MS,
    ...(selfCustody ? SOLVER : { speed, start: lastWednesday() }),
  }
  const args = Object.entries(asked).flatMap(([name, value]) => [`--${name}`, String(value)])
  if (selfCustody) args.push('--chain')
  if (options.treasury === true) {
    rmSync(VENUE_OPTIONS, { force: true })
    writeFileSync(VENUE_OPTIONS, JSON.stringify(treasuryVenue(webhookSecret, speed)), { mode: 0o600 })
    args.push('--options', VENUE_OPTIONS)
  }
  // In a separate process group: Ctrl-C reaches only the daemon, which first leaves its quote safe.
  const child = spawn(process.execPath, ['--disable-sigusr1', process.argv[1] ?? '', 'sandbox', ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = await venueLines(child, selfCustody ? 3 : 2, selfCustody ? CHAIN_READY_MS : READY_MS)
  const url = /^listening (\S+)/.exec(printed.lines)?.[1]
  if (printed.failure !== null || url === undefined || child.pid === undefined) {
    child.kill()
    return err(
      `the simulated venue ${printed.failure ?? 'printed no address'}. Its last lines:\n${printed.lines || 'none'}\nRepair what they name and start again; \`mizani sandbox --help\` explains the options of the venue`,
    )
  }
  const chainUrl = /^chain (\S+)/m.exec(printed.lines)?.[1] ?? null
  const feedUrl = /^feed (\S+)/m.exec(printed.lines)?.[1] ?? null
  child.stdout.destroy()
  child.stderr.destroy()
  child.unref()
  return ok({ url, chainUrl, feedUrl, pid: child.pid })
}

/** Waits until the venue has printed `count` lines. A failure comes with the last lines, those of standard error if there are any. */
function venueLines(
  child: ChildProcessByStdio<null, Readable, Readable>,
  count: number,
  withinMs: Ms,
): Promise<{ readonly lines: string; readonly failure: string | null }> {
  const { promise, resolve: done } = Promise.withResolvers<string | null>()
  let printed = ''
  let complaint = ''
  const timer = setTimeout(() => done(`did not listen within ${withinMs / 1_000} s`), withinMs)
  child.once('error', ({ message }) => done(`cannot be started (${message})`))
  // Unlike `exit`, `close` comes after the last output.
  child.once('close', (code, signal) => done(`ended with ${signal ?? `exit code ${code}`}`))
  child.stderr.on('data', (data: Buffer) => (complaint += data.toString()))
  child.stdout.on('data', (data: Buffer) => {
    printed += data.toString()
    if (printed.split('\n').length > count) done(null)
  })
  return promise.then((failure) => {
    clearTimeout(timer)
    if (failure === null) return { failure, lines: printed }
    const output = complaint.trim() || printed.trim()
    return { failure, lines: output.split('\n').slice(-LAST_LINES).join('\n') }
  })
}

/** Shortly before the mid is published on a working day, so that a new mid comes soon. */
function lastWednesday(): string {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 4) % 7))
  return `${day.toISOString().slice(0, 10)}T06:40:00Z`
}

function remembered(): Remembered | null {
  try {
    return JSON.parse(readFileSync(REMEMBERED, 'utf8')) as Remembered
  } catch {
    return null
  }
}

async function answers(url: string): Promise<boolean> {
  const limits = { timeoutMs: 2_000, maxBytes: 1_024, onTooLarge: 'cut' } as const
  const answer = await getOnce(`${url}/sandbox/state`, limits)
  return answer.ok && answer.value.status === 200
}

/** Returns whether the process runs; 0 sends nothing. */
function signal(pid: number, name: 'SIGTERM' | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}

/** Each demo leaves a folder; the last few are kept for inspection. */
function forgetOld(): void {
  const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const names = folders.map((entry) => entry.name).toSorted()
  for (const name of names.slice(0, -KEPT_FOLDERS)) rmSync(join(ROOT, name), { recursive: true, force: true })
}

/** The expected port, or any free one when it is taken. */
function freePort(wanted: number): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', () => (wanted === 0 ? failed(new Error('no free port')) : done(freePort(0))))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : wanted))
    })
  })
}
