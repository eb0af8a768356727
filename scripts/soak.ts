import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { samplesOf, scrape } from '../bench/fleet/exposition.ts'
import { READ_TOKEN } from '../bench/fleet/fleet-folder.ts'
import { readUsage } from '../bench/fleet/process-usage.ts'
import { type RunningFleet, withFleet } from '../bench/fleet/running-fleet.ts'
import { machine } from '../bench/harness/machine.ts'
import { anonymousBytes, processTree } from '../src/daemon/telemetry/metrics/memory-growth.ts'
import { optionsOr } from './options-or-help.ts'
import { lastHalfSlope, type SoakSample, soakPage, type Soaks } from './soak-page.ts'

const HELP = `npm run soak -- [options]

Runs a daemon for hours as the container runs it, at a simulated venue of its own, and reads what its processes hold. Each reading goes
to soak.json, and the page soak.md is written from it; a soak replaces the one before it with as many positions. Ctrl-C ends it with what it
has. Linux only.

  --positions N    so many positions (50)
  --minutes M      for so long after all are ready (240)
  --every S        a reading every so many seconds (60)
  --limit MIB      what the slope of the last half may be, MiB an hour (1 for one position, else 5)
  --out FOLDER     where soak.json and soak.md are (docs)

Exit codes: 0 the slope is within the limit; 1 it is above, or the daemon ended; 2 the options are wrong.
`

const ROOT = join(import.meta.dirname, '..')
const SCRAPE_EVERY_MS = 15_000
const TAKER_EVERY_MS = 60_000
const STRATEGY = '{ use: inventory-skew, params: { halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 } }'

const values = optionsOr(HELP, {
  positions: { type: 'string', default: '50' },
  minutes: { type: 'string', default: '240' },
  every: { type: 'string', default: '60' },
  limit: { type: 'string' },
  out: { type: 'string', default: join(ROOT, 'docs') },
})
const [positions, minutes, everySeconds] = [values.positions, values.minutes, values.every].map(Number)
const limitMiBAnHour = Number(values.limit ?? (positions === 1 ? 1 : 5))
if (!isAbove0(positions) || !isAbove0(minutes) || !isAbove0(everySeconds) || !isAbove0(limitMiBAnHour)) {
  process.stderr.write(`--positions, --minutes, --every and --limit are numbers above 0\n\n${HELP}`)
  process.exit(2)
}

mkdirSync(values.out, { recursive: true })
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
const built = mkdtempSync(join(tmpdir(), 'mizani-soak-'))
try {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs'), '--no-maps', '--out', built])
  const samples = await withFleet(
    {
      positions,
      pace: 'rest',
      strategy: STRATEGY,
      tls: false,
      takerEveryMs: TAKER_EVERY_MS,
      built: { program: join(built, 'mizani.js'), env: containerEnvironment() },
    },
    (fleet) => readFor(fleet, minutes, everySeconds),
  )
  const slope = lastHalfSlope(samples)
  process.stdout.write(`slope of the last half: ${slope.toFixed(1)} MiB an hour, limit ${limitMiBAnHour}\n`)
  if (slope > limitMiBAnHour) process.exitCode = 1
} finally {
  rmSync(built, { recursive: true, force: true })
}

function isAbove0(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0
}

/** What the Dockerfile sets for the program, with a folder of this machine. */
function containerEnvironment(): Record<string, string> {
  const line = /^ENV (NODE_ENV.*)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1]
  if (line === undefined) throw new Error('the Dockerfile has no line ENV NODE_ENV=...')
  return { ...Object.fromEntries(line.split(' ').map((one) => one.split(/=(.*)/))), SQLITE_TMPDIR: built }
}

/** Scrapes as Prometheus does and follows as a console does, and reads the processes now and then. */
async function readFor(fleet: RunningFleet, forMinutes: number, everyS: number): Promise<SoakSample[]> {
  const began = performance.now()
  const samples: SoakSample[] = []
  void followStream(fleet.url)
  for (let due = 0; due <= forMinutes * 60_000; due += SCRAPE_EVERY_MS) {
    await pause(Math.max(0, began + due - performance.now()), null, ending).catch(() => null)
    if (ending.signal.aborted) break
    const { text, series } = await scrape(fleet.url, READ_TOKEN)
    const minute = (performance.now() - began) / 60_000
    if (minute * 60 < samples.length * everyS) continue
    samples.push(sampleOf(fleet.pid, minute, text, series))
    report(samples, forMinutes)
    keep(samples)
  }
  ending.abort()
  return samples
}

function sampleOf(pid: number, minute: number, metrics: string, series: number): SoakSample {
  const tree = processTree(pid).filter((one) => existsSync(`/proc/${one}/fd`))
  const usage = tree.map((one) => readUsage(one))
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const total = (name: string, label = '') =>
    sum(
      samplesOf(metrics, name)
        .filter(({ labels }) => labels.includes(label))
        .map(({ value }) => value),
    )
  return {
    minute: Math.round(minute * 100) / 100,
    memoryMiB: Math.round((anonymousBytes(tree) / 2 ** 20) * 100) / 100,
    residentMiB: Math.round(sum(usage.map(({ rssMiB }) => rssMiB)) * 100) / 100,
    processes: tree.length,
    threads: sum(usage.map(({ threads }) => threads)),
    handles: sum(tree.map((one) => readdirSync(`/proc/${one}/fd`).length)),
    timers: total('nodejs_active_resources', 'type="Timeout"'),
    series,
    fills: total('mizani_fills_total'),
  }
}

/** One console, which comes again after each minute. */
async function followStream(url: string): Promise<void> {
  while (!ending.signal.aborted) {
    const minute = AbortSignal.any([ending.signal, AbortSignal.timeout(60_000)])
    try {
      const answer = await fetch(`${url}/api/v1/stream?list=true`, {
        headers: { authorization: `Bearer ${READ_TOKEN}` },
        signal: minute,
      })
      for await (const _text of answer.body ?? []) if (minute.aborted) break
    } catch {
      await pause(1_000)
    }
  }
}

function report(samples: readonly SoakSample[], forMinutes: number): void {
  const last = samples.at(-1)
  if (last === undefined) return
  const ends = new Date(Date.now() + (forMinutes - last.minute) * 60_000).toISOString().slice(11, 16)
  process.stderr.write(
    `minute ${last.minute.toFixed(0)} of ${forMinutes}: ${last.memoryMiB} MiB, slope of the last half ${lastHalfSlope(samples).toFixed(1)} MiB an hour, ${last.fills} fills; ends at ${ends} UTC\n`,
  )
}

function keep(samples: readonly SoakSample[]): void {
  const file = join(values.out, 'soak.json')
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Soaks) : {}
  const soak = {
    machine: machine(),
    positions,
    everySeconds,
    takerEverySeconds: TAKER_EVERY_MS / 1_000,
    limitMiBAnHour,
    samples,
  }
  const soaks = { ...before, [String(positions)]: soak } as Soaks
  writeFileSync(file, `${JSON.stringify(soaks)}\n`)
  writeFileSync(join(values.out, 'soak.md'), soakPage(soaks))
}
