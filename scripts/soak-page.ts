import { slopeAnHour } from '../src/daemon/telemetry/metrics/memory-growth.ts'
import { generatedBlock } from './generated-block.ts'

/** What the processes of a daemon hold at one moment. */
export type SoakSample = {
  /** Since every position was ready. */
  readonly minute: number
  /** Resident memory of the daemon and what it has started, without pages of files. */
  readonly memoryMiB: number
  /** The same with them. */
  readonly residentMiB: number
  readonly processes: number
  readonly threads: number
  readonly handles: number
  /** Of the main thread. */
  readonly timers: number
  readonly series: number
  readonly fills: number
}

export type Soak = {
  readonly machine: Readonly<Record<string, unknown>>
  readonly positions: number
  readonly everySeconds: number
  readonly takerEverySeconds: number
  readonly limitMiBAnHour: number
  readonly samples: readonly SoakSample[]
}

/** The last soak of each number of positions, as docs/soak.json has them. */
export type Soaks = Readonly<Record<string, Soak>>

/** Returns the slope of the memory over the last half of the time, in MiB an hour. */
export function lastHalfSlope(samples: readonly SoakSample[]): number {
  return slopeAnHour(
    lastHalf(samples).map(({ minute, memoryMiB }) => ({ atMs: minute * 60_000, y: memoryMiB })),
  )
}

function lastHalf(samples: readonly SoakSample[]): readonly SoakSample[] {
  const end = samples.at(-1)?.minute ?? 0
  return samples.filter(({ minute }) => minute >= end / 2)
}

/** The page of all soaks, fewest positions first. */
export function soakPage(soaks: Soaks): string {
  const all = Object.values(soaks).toSorted((a, b) => a.positions - b.positions)
  const figures = [
    '| Positions | Minutes | Fills | Slope of the last half, MiB an hour | Limit | Memory in that half, MiB | Handles | Threads | Timers of the main thread | Series |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...all.map(verdictRow),
    '',
    ...all.flatMap(section),
  ]
  return [
    '# Soak',
    '',
    'Look up how the memory, handles and threads of a daemon change over hours.',
    '',
    '`npm run soak -- --positions 50 --minutes 240` measures this and writes the page. Do not edit it by hand. The built program runs in the environment',
    'of the container. It makes a market at a simulated venue in another process. It is scraped every 15 s, and one console follows it. Memory is the',
    'resident memory of the daemon and its child processes, without pages of files.',
    '[scaling.md](scaling.md#what-memory-does-over-time) explains what rises and why.',
    '',
    ...generatedBlock('soak.ts', figures),
  ].join('\n')
}

function verdictRow({ positions, samples, limitMiBAnHour }: Soak): string {
  const half = lastHalf(samples)
  const cells = [
    positions,
    Math.round(samples.at(-1)?.minute ?? 0),
    samples.at(-1)?.fills ?? 0,
    signed(lastHalfSlope(samples)),
    limitMiBAnHour,
    range(half, ({ memoryMiB }) => memoryMiB),
    range(half, ({ handles }) => handles),
    range(half, ({ threads }) => threads),
    range(half, ({ timers }) => timers),
    range(half, ({ series }) => series),
  ]
  return `| ${cells.join(' | ')} |`
}

/** `12 to 14`, or `12` where it never changes. */
function range(samples: readonly SoakSample[], of: (sample: SoakSample) => number): string {
  const values = samples.map(of)
  const [least, most] = [Math.min(...values), Math.max(...values)].map(round)
  return least === most ? `${least}` : `${least} to ${most}`
}

const ROW_MINUTES = 30

function section(soak: Soak): string[] {
  const { positions, samples, machine, everySeconds, takerEverySeconds } = soak
  const halfHours = Map.groupBy(samples, ({ minute }) => Math.floor(minute / ROW_MINUTES))
  const { cpu, cores, memoryGiB, node, loadAverage } = machine
  return [
    `## ${positions === 1 ? 'One position' : `${positions} positions`}`,
    '',
    `${String(cores)} cores of ${String(cpu)}, ${String(memoryGiB)} GiB, Node ${String(node)}, load average ${String(loadAverage)} at the end. A reading every ${everySeconds} s; a taker`,
    `comes to each position every ${takerEverySeconds} s, and the mid changes with each tenth.`,
    '',
    ...chart(soak),
    '',
    '| From minute | Memory, MiB | With pages of files, MiB | Processes | Threads | Handles |',
    '|---|---|---|---|---|---|',
    ...Array.from(halfHours, ([nth, inside]) => {
      const cells = [
        nth * ROW_MINUTES,
        range(inside, ({ memoryMiB }) => memoryMiB),
        range(inside, ({ residentMiB }) => residentMiB),
        range(inside, ({ processes }) => processes),
        range(inside, ({ threads }) => threads),
        range(inside, ({ handles }) => handles),
      ]
      return `| ${cells.join(' | ')} |`
    }),
    '',
  ]
}

const MOST_POINTS = 60

function chart({ samples }: Soak): string[] {
  const each = Math.ceil(samples.length / MOST_POINTS)
  const points = samples.filter((_, index) => index % each === 0).map(({ memoryMiB }) => round(memoryMiB))
  const top = 50 * Math.ceil(Math.max(50, ...points) / 50)
  return [
    '```mermaid',
    'xychart-beta',
    `  x-axis "minutes" 0 --> ${Math.max(1, Math.round(samples.at(-1)?.minute ?? 0))}`,
    `  y-axis "memory, MiB" 0 --> ${top}`,
    `  line [${points.join(', ')}]`,
    '```',
  ]
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${round(value)}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
