import type { WindowFigures } from '../fleet/measure-window.ts'
import type { SpreadOfSamples } from '../harness/spread-of-samples.ts'

type Measured = WindowFigures & {
  readonly positions: number
  readonly readyMs: number
  readonly tls: boolean
}

/** What `npm run bench -- fleet` prints. */
export type FleetFigures = {
  readonly from: string
  readonly rest: readonly Measured[]
  readonly load: Measured & {
    readonly openLoop: {
      readonly due: number
      readonly missed: number
      readonly dueToPatchMs: SpreadOfSamples
      readonly answerToPatchMs: SpreadOfSamples
      readonly venueDelayP999Ms: number
    }
  }
}

/** A column for each size at rest and one for the load; below it the latency on the open-loop schedule. */
export function fleetTable({ from, rest, load }: FleetFigures): string {
  const columns: readonly Measured[] = [...rest, load]
  const line = (what: string, target: string, of: (measured: Measured) => string) =>
    row([what, target, ...columns.map(of)])
  const { due, missed, dueToPatchMs, answerToPatchMs, venueDelayP999Ms } = load.openLoop
  const sizes = rest.map(({ positions }) => `${positions} at rest`)
  const loaded = `${load.positions} at a request a second each, ${load.tls ? 'TLS' : 'plain HTTP'}`
  return [
    row([`Positions, each at its own key, from ${from}`, 'Target for 500', ...sizes, loaded]),
    row(Array<string>(columns.length + 2).fill('---')),
    line('Ready, from the start of the process', '60 s', ({ readyMs }) => `${one(readyMs / 1_000)} s`),
    line('Resident memory / its peak, MiB', '3,072', (of) => `${whole(of.rssMiB)} / ${whole(of.peakRssMiB)}`),
    line(
      'Memory over the run',
      'flat',
      (of) => `${signed(of.rssMiBAnHour)} MiB an hour over ${of.seconds} s`,
    ),
    line('Requests a second', '500', ({ requestsPerSecond }) => one(requestsPerSecond)),
    line('Processor, % of a core', '', ({ cpuPercentOfACore }) => one(cpuPercentOfACore)),
    line('Decision p50 / p99, at most', 'p99 1 ms', ({ decisionUs: { p50, p99 } }) => us(p50, p99)),
    line('GET /metrics, slowest of five; size', '1 s', (of) => scraped(of)),
    line('Series', '', ({ series }) => String(series)),
    line('Commits a second, an fsync each', '', ({ commitsPerSecond }) => known(commitsPerSecond)),
    line(
      'Events a second; bytes an event that stay',
      '',
      ({ journal: { eventsPerSecond, bytesAnEvent } }) => `${one(eventsPerSecond)}; ${known(bytesAnEvent)}`,
    ),
    line('Written to disk, KiB a second', '', ({ diskKiBPerSecond }) => one(diskKiBPerSecond)),
    line('Event-loop delay p99.9, main / slowest worker, ms', '', delays),
    '',
    '| What, with one new mid a position at times fixed in advance | Measured |',
    '|---|---|',
    row(['From the answer with the new mid to the PATCH at the venue', spread(answerToPatchMs)]),
    row([
      'From the time at which the mid was due, the wait for the next poll included',
      spread(dueToPatchMs),
    ]),
    row(['Mids to which no PATCH came before the next one', `${missed} of ${due}`]),
    row(["Delay of the venue's own event loop, p99.9, not taken off", `${one(venueDelayP999Ms)} ms`]),
  ].join('\n')
}

function delays({ eventLoopDelayMs }: Measured): string {
  const { main, ...workers } = eventLoopDelayMs
  const slowest = Math.max(...Object.values(workers))
  return `${known(main ?? null)} / ${known(Number.isFinite(slowest) ? slowest : null)}`
}

function scraped({ scrapeMs, scrapeKiB, scrapeMissing }: Measured): string {
  const missing = scrapeMissing === 0 ? '' : `, ${scrapeMissing} positions missing in one`
  return `${whole(scrapeMs.max)} ms; ${whole(scrapeKiB)} KiB${missing}`
}

function spread({ p50, p99, max }: SpreadOfSamples): string {
  return `p50 ${one(p50)} ms, p99 ${one(p99)} ms, max ${one(max)} ms`
}

function us(p50: number | null, p99: number | null): string {
  return `${known(p50)} / ${known(p99)} us`
}

function known(value: number | null): string {
  return value === null ? 'not measured' : one(value)
}

function one(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function whole(value: number): string {
  return String(Math.round(value))
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${one(value)}`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
