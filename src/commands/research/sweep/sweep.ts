import { openTape } from '../../../tape/folder/open-tape.ts'
import { HANGS } from '../../apart/hang.ts'
import { explainWindow } from '../tape-window.ts'
import { windowOf } from '../../options.ts'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { FillModelName } from '../../../backtest/fill-models/fill-model.ts'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'
import { workerUrl } from '../../../threads/first-message.ts'
import { drawVariants, parseGrid } from '../../../sweep/grid.ts'
import { type JoinEnd, joinSweep, NO_OPEN_SWEEP } from '../../../sweep/join-sweep.ts'
import { type Identity, makeManifest, tapeIdentity } from '../../../sweep/results/identity.ts'
import { runSweep, type SweepEnd, type SweepOrder } from '../../../sweep/run-sweep.ts'
import { type VariantChanges, numberVariants, pathOfKey, type Variant } from '../../../sweep/variant.ts'
import { checkVariants, sweepSpace } from './variants.ts'
import { EXIT_CODE } from '../../exit-code.ts'
import { leaveOnSignal } from '../../repeat.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { renderSweep } from './render.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { sweepProgress } from '../../output/progress.ts'
import { writeTextAtomically } from '../../output/write-file.ts'
import { version } from '../../version.ts'

export type SweepOptions = OutputFormat & {
  readonly config: string
  readonly grid?: string
  readonly random?: number
  readonly space?: string
  readonly fills?: FillModelName
  readonly seed?: number
  readonly from?: Ms
  readonly to?: Ms
  readonly splits: number
  readonly heatmap: readonly string[]
  readonly workers?: number
  readonly out: string
  readonly add?: boolean
  readonly queue?: string
  readonly join?: boolean
  readonly search?: boolean
  readonly scenarios?: readonly string[]
  readonly leaseSeconds: number
  readonly allowSkipped?: boolean
}

/** Tries many configurations over one tape and ranks them by what they surely earned. */
export async function sweep(options: SweepOptions, tapes: readonly string[], hangs = HANGS): Promise<void> {
  if (tapes.length > 1)
    return fail(options, EXIT_CODE.usage, '--tape: a sweep is over one tape; --search takes several')
  if (options.scenarios !== undefined)
    return fail(options, EXIT_CODE.usage, '--scenarios needs --search; mizani tournament plays grids in them')
  const config = await loadOrExplain(options.config, options, { offline: true, strategy: 'try' })
  if (config === null) return
  const tape = tapes[0] ?? config.backtest.tape
  if (tape === null)
    return fail(options, EXIT_CODE.usage, 'no tape: give --tape PATH, or backtest.tape in the configuration')
  if (options.join === true) return joinOther(options, tape)
  const changes = wantedChanges(options, config)
  if (!changes.ok) return fail(options, EXIT_CODE.usage, changes.error)
  const heatmap = options.heatmap.map(pathOfKey)
  const unknown = heatmap.find((path) => !changes.value.some((one) => Object.hasOwn(one, path)))
  if (unknown !== undefined || heatmap.length > 2)
    return fail(
      options,
      EXIT_CODE.usage,
      `--heatmap ${options.heatmap.join(',')}: one or two keys that vary would be right`,
    )
  const variants = numberVariants(changes.value)
  const identity = await identityOf(options, tape, variants)
  if (!identity.ok) return fail(options, EXIT_CODE.usage, identity.error)
  const manifest = makeManifest({
    ...identity.value,
    window: windowOf(options),
    fills: options.fills ?? config.backtest.fills,
    seed: seedOf(options, config),
    variants,
  })
  await work(options, {
    ...common(options, tape),
    hangs,
    manifest,
    out: options.out,
    add: options.add === true,
    report: { splits: options.splits, heatmap },
    queue: queueOf(options),
  })
}

async function work(options: SweepOptions, order: Omit<SweepOrder, 'observe' | 'signal'>): Promise<void> {
  const progress = sweepProgress(process.stderr, () => performance.now())
  const ended = await leaveOnSignal((signal) => runSweep({ ...order, observe: progress.show, signal }))
  progress.end()
  if (!ended.ok) {
    const whole = openTape(order.tapePath)
    const why = whole.ok ? await explainWindow(ended.error, windowOf(options), whole.value) : ended.error
    return fail(options, EXIT_CODE.failed, why)
  }
  if (ended.value.kind === 'complete') {
    const { sweepPage } = await import('../../../report/pages/sweep-page.ts')
    const written = await writeTextAtomically(join(options.out, 'report.html'), sweepPage(ended.value.result))
    if (!written.ok) return fail(options, EXIT_CODE.failed, written.error)
  }
  sayEnd(options, ended.value)
}

function sayEnd(options: SweepOptions, end: SweepEnd): void {
  if (end.kind === 'complete')
    return print(options, renderSweep(end.result, options.out), { ...end.result, timing: end.timing })
  const { done, total } = end.progress
  const left = `interrupted with ${done} of ${total} variants done; the same command resumes with the others`
  fail(options, EXIT_CODE.failed, left, { ...end.progress, out: options.out })
}

/** A search is a sweep a generation: a worker of one joins one after the other. */
const NEXT_GENERATION_MS: Ms = 60 * SECOND_MS

/** Works at the open sweep of a queue; with `search` at the next generations too, until none comes for a minute. */
export async function joinOther(options: SweepOptions, tape: string, join = joinSweep): Promise<void> {
  const { queue, search = false } = options
  if (queue === undefined) return fail(options, EXIT_CODE.usage, '--join needs --queue URL')
  const progress = sweepProgress(process.stderr, () => performance.now())
  const joined = await leaveOnSignal(async (signal) => {
    const order = {
      ...common(options, tape),
      identityOf: (variants: readonly Variant[]) => identityOf(options, tape, variants),
      queue: { url: queue, leaseMs: leaseOf(options) },
      observe: progress.show,
      waitMs: search ? NEXT_GENERATION_MS : 0,
      signal,
    }
    let last = await join(order)
    let sweeps = 0
    if (!search) return { last, sweeps }
    while (goesOn(last) && !signal.aborted) {
      const next = await join(order)
      // The search is over; any other error is the answer.
      if (!next.ok && next.error === NO_OPEN_SWEEP) break
      last = next
      sweeps += 1
    }
    return { last, sweeps }
  })
  progress.end()
  const { last, sweeps } = joined
  if (!last.ok) return fail(options, EXIT_CODE.failed, last.error)
  const { sweep: id, ended: how } = last.value
  const more = search ? ` after ${sweeps} others` : ''
  print(options, `sweep ${id.slice(0, 12)}: ${how}${more}`, last.value)
}

function goesOn(joined: Result<JoinEnd, string>): boolean {
  return joined.ok && joined.value.ended === 'complete'
}

function common({ config, workers = availableParallelism(), allowSkipped }: SweepOptions, tape: string) {
  return {
    configFile: resolve(config),
    tapePath: resolve(tape),
    allowSkipped: allowSkipped === true,
    worker: workerUrl(import.meta.url, './sweep-worker'),
    hangs: HANGS,
    workers,
  }
}

async function identityOf(
  { config }: SweepOptions,
  tape: string,
  variants: readonly Variant[],
): Promise<Result<Identity, string>> {
  const checked = await checkVariants(config, variants)
  if (!checked.ok) return checked
  const content = await tapeIdentity(tape)
  return content.ok ? ok({ product: version, configs: checked.value, tape: content.value }) : content
}

function wantedChanges(
  options: SweepOptions,
  config: LoadedConfig,
): Result<readonly VariantChanges[], string> {
  const { grid, random, space, workers, queue } = options
  if (workers === 0 && queue === undefined) return err('--workers 0 needs --queue, with workers elsewhere')
  if (random === undefined)
    return grid === undefined
      ? err('nothing to try: give --grid \'{"halfSpreadBps":[40,60,80]}\' or --random N')
      : parseGrid(grid)
  if (grid !== undefined) return err('--grid and --random exclude each other')
  const drawnFrom = space ?? sweepSpace(config.strategy)
  return drawnFrom === null
    ? err('the strategy has no number to vary: give --space \'{"halfSpreadBps":[20,120]}\'')
    : drawVariants(drawnFrom, random, seedOf(options, config))
}

export function seedOf({ seed }: SweepOptions, config: LoadedConfig): number {
  return seed ?? config.backtest.seed
}

export function queueOf(options: SweepOptions): SweepOrder['queue'] {
  return options.queue === undefined ? null : { url: options.queue, leaseMs: leaseOf(options) }
}

function leaseOf({ leaseSeconds }: SweepOptions): Ms {
  return leaseSeconds * SECOND_MS
}
