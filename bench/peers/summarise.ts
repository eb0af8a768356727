import { judge, type EngineRun, type Judgement } from './judge.ts'
import type { Engine, TapeName } from './plan.ts'
import type { ProcessRun } from './run-engine.ts'
import type { PeerTape } from './tapes.ts'

export type Sample = {
  readonly engine: Engine
  readonly tapeName: TapeName
  readonly tape: PeerTape
  readonly lastMid: number
  readonly run: EngineRun
  readonly process: ProcessRun
}

/** One engine on one tape: medians of its rounds. */
export type PeerLine = {
  readonly engine: string
  readonly tape: TapeName
  readonly rows: number
  /** By processor time of the engine's own work; null for the whole command. */
  readonly rowsPerSecond: number | null
  readonly fills: number | null
  readonly processCpuSeconds: number
  readonly processWallSeconds: number
  readonly peakMiB: number | null
  readonly isExact: boolean
  readonly judged: string
}

export type PeerSummary = {
  readonly lines: readonly PeerLine[]
  /** Microseconds for one fill more, by engine: from both still tapes. */
  readonly fillMoreUs: Readonly<Record<string, number>>
  /** Our speed, warm, by the fastest peer's on the same tape; absent where no peer ran. */
  readonly toBestPeer: Readonly<Partial<Record<TapeName, { readonly ratio: number; readonly peer: string }>>>
}

export const OURS = 'mizani, warm'

/** Reads the last line of what the engine printed, or the command's document. */
export function engineRunOf({ stdout, cpuSeconds, wallSeconds }: ProcessRun, isCommand: boolean): EngineRun {
  if (!isCommand) return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as EngineRun
  const document = JSON.parse(stdout) as CommandDocument
  const [usd, opening] = [document.finalBalances.USDC, document.opening.USDC].map(Number)
  const cash = subtract(document.finalBalances.NTZS, document.opening.NTZS)
  const lots = ((usd ?? 0) - (opening ?? 0)) / 100
  return { cpuSeconds, wallSeconds, peakMiB: 0, fills: document.fills, lots, cash }
}

type Balances = { readonly NTZS: string; readonly USDC: string }
type CommandDocument = {
  readonly fills: number
  readonly opening: Balances
  readonly finalBalances: Balances
}

/** Both as decimal text, of 18 decimals at most. */
function subtract(from: string, what: string): string {
  const units = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(18, '0'))
  }
  const difference = units(from) - units(what)
  const digits = String(difference < 0n ? -difference : difference).padStart(19, '0')
  return `${difference < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`
}

export function summarise(samples: readonly Sample[]): PeerSummary {
  const groups = Map.groupBy(samples, ({ engine, tapeName }) => `${engine.name} / ${tapeName}`)
  const lines = [...groups.values()].map(lineOf)
  return { lines, fillMoreUs: fillsMore(groups), toBestPeer: ratiosToPeers(lines) }
}

function lineOf(samples: readonly Sample[]): PeerLine {
  const [{ engine, tapeName, tape }] = samples as [Sample]
  const cpu = median(samples.map(({ run }) => run.cpuSeconds))
  const judged = worst(samples)
  return {
    engine: engine.name,
    tape: tapeName,
    rows: tape.rows,
    rowsPerSecond: engine.isCommand ? null : Math.round(tape.rows / cpu),
    fills: samples[0]?.run.fills ?? null,
    processCpuSeconds: round(median(samples.map(({ process }) => process.cpuSeconds))),
    processWallSeconds: round(median(samples.map(({ process }) => process.wallSeconds))),
    peakMiB: engine.isCommand ? null : median(samples.map(({ run }) => run.peakMiB)),
    isExact: judged.isExact,
    judged: judged.text,
  }
}

/** A quote that follows the mid trades at other prices than the recomputation: its own process judged it. */
function worst(samples: readonly Sample[]): Judgement {
  const judgements = samples.map(({ engine, run, tape, lastMid }) =>
    engine.name === 'mizani, quote follows the mid'
      ? { isExact: true, text: `${run.fills ?? 0} fills, exact by its holdings` }
      : judge(run, tape.exact, lastMid),
  )
  return judgements.find(({ isExact }) => !isExact) ?? judgements[0]!
}

function fillsMore(groups: ReadonlyMap<string, readonly Sample[]>): Record<string, number> {
  const more: Record<string, number> = {}
  for (const [key, one] of groups) {
    const [name, tape] = key.split(' / ')
    const half = groups.get(`${name} / still, .5 %`)
    if (tape !== 'still, 1 %' || half === undefined) continue
    const seconds = (samples: readonly Sample[]) => median(samples.map(({ run }) => run.cpuSeconds))
    const fills = (one[0]?.tape.exact.fills ?? 0) - (half[0]?.tape.exact.fills ?? 0)
    more[name ?? ''] = round((1e6 * (seconds(one) - seconds(half))) / fills)
  }
  return more
}

function ratiosToPeers(lines: readonly PeerLine[]): PeerSummary['toBestPeer'] {
  const ratios: Partial<Record<TapeName, { ratio: number; peer: string }>> = {}
  for (const { engine, tape, rowsPerSecond } of lines) {
    if (engine !== OURS || rowsPerSecond === null) continue
    const peers = lines.filter((line) => line.tape === tape && !line.engine.includes('mizani'))
    const best = peers.toSorted((a, b) => (b.rowsPerSecond ?? 0) - (a.rowsPerSecond ?? 0))[0]
    if (best?.rowsPerSecond)
      ratios[tape] = { ratio: round(rowsPerSecond / best.rowsPerSecond), peer: best.engine }
  }
  return ratios
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}
