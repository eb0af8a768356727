import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { FillModelName } from '../../../core/models/fill-models.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { HANGS } from '../apart/hang.ts'
import { drawVariants, parseGrid } from '../../sweep/grid.ts'
import { type JoinEnd, joinSweep, NO_OPEN_SWEEP } from '../../sweep/join-sweep.ts'
import { type Identity, makeManifest, tapeIdentity } from '../../sweep/results/identity.ts'
import { type SweepOrder, variantPool } from '../../sweep/run-sweep.ts'
import {
  mergeUnchanged,
  type VariantChanges,
  numberVariants,
  pathOfKey,
  type Variant,
} from '../../sweep/variant.ts'
import { windowOf } from '../../../store/tape/summary/tape-window.ts'
import { version } from '../../../base/text/version.ts'
import { workerUrl } from '../../../base/threads/first-message.ts'
import { checkVariants, sweepSpace } from './check-variants.ts'

/** The file of the threads that run variants. */
export const SWEEP_WORKER = workerUrl(import.meta.url, './sweep-worker')

/** The options of a sweep or of a search. */
export type SweepRequest = {
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
  /** Work on the queue's open sweep. */
  readonly join?: boolean
  readonly leaseSeconds: number
  readonly allowSkipped?: boolean
}

/** Observes a sweep, and may end it early. */
type Follower = Pick<SweepOrder, 'signal' | 'observe'>

/** Returns what `runSweep` needs for the request. The error names the option to use. */
export async function orderSweep(
  request: SweepRequest,
  config: LoadedConfig,
  tape: string,
  hangs = HANGS,
): Promise<Result<Omit<SweepOrder, 'observe' | 'signal'>, string>> {
  const changes = wantedChanges(request, config)
  if (!changes.ok) return changes
  const heatmap = request.heatmap.map(pathOfKey)
  const unknown = heatmap.find((path) => !changes.value.some((one) => Object.hasOwn(one, path)))
  if (unknown !== undefined || heatmap.length > 2)
    return err(`--heatmap ${request.heatmap.join(',')}: expected one or two keys that vary`)
  const identity = await identityOf(request, tape, numberVariants(changes.value))
  if (!identity.ok) return identity
  const { variants, configs } = mergeUnchanged(changes.value, identity.value.configs)
  const manifest = makeManifest({
    ...identity.value,
    configs,
    window: windowOf(request),
    fills: request.fills ?? config.backtest.fills,
    seed: seedOf(request, config),
    variants,
  })
  return ok({
    ...common(request, tape),
    hangs,
    manifest,
    out: request.out,
    add: request.add === true,
    report: { splits: request.splits, heatmap },
    queue: queueOf(request),
  })
}

/** A search runs one sweep per generation; its workers join each in turn. */
const NEXT_GENERATION_MS: Ms = 60 * SECOND_MS

/**
 * Works on the open sweep of the queue `url`; with `isSearch` on the next generations too, until a minute passes
 * without one. Returns how the last one ended and the number before it.
 */
export async function joinSweeps(
  request: SweepRequest,
  tape: string,
  { url, isSearch, observe, signal }: Follower & { readonly url: string; readonly isSearch: boolean },
  join = joinSweep,
): Promise<Result<JoinEnd & { readonly before: number }, string>> {
  const order = {
    ...common(request, tape),
    identityOf: (variants: readonly Variant[]) => identityOf(request, tape, variants),
    queue: { url, leaseMs: leaseOf(request) },
    observe,
    waitMs: isSearch ? NEXT_GENERATION_MS : 0,
    signal,
  }
  const goesOn = (joined: Result<JoinEnd, string>) =>
    isSearch && joined.ok && joined.value.ended === 'complete' && !signal.aborted
  let last = await join(order)
  let before = 0
  while (goesOn(last)) {
    const next = await join(order)
    // The search has ended; any other error is returned.
    if (!next.ok && next.error === NO_OPEN_SWEEP) break
    last = next
    before += 1
  }
  return last.ok ? ok({ ...last.value, before }) : last
}

/** Starts the threads of a sweep; null = other machines do all work. */
export function sweepPool({ workers = availableParallelism() }: SweepRequest, hangs = HANGS) {
  return variantPool({ worker: SWEEP_WORKER, workers, hangs })
}

function common({ config, workers = availableParallelism(), allowSkipped }: SweepRequest, tape: string) {
  return {
    configFile: resolve(config),
    tapePath: resolve(tape),
    allowSkipped: allowSkipped === true,
    worker: SWEEP_WORKER,
    hangs: HANGS,
    workers,
  }
}

async function identityOf(
  { config }: SweepRequest,
  tape: string,
  variants: readonly Variant[],
): Promise<Result<Identity, string>> {
  const checked = await checkVariants(config, variants)
  if (!checked.ok) return checked
  const content = await tapeIdentity(tape)
  return content.ok ? ok({ product: version, configs: checked.value, tape: content.value }) : content
}

function wantedChanges(
  options: SweepRequest,
  config: LoadedConfig,
): Result<readonly VariantChanges[], string> {
  const { grid, random, space, workers, queue } = options
  if (workers === 0 && queue === undefined) return err('--workers 0 needs --queue, with workers elsewhere')
  if (random === undefined && space !== undefined) return err('--space needs --random N or --search')
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

export function seedOf({ seed }: SweepRequest, config: LoadedConfig): number {
  return seed ?? config.backtest.seed
}

export function queueOf(options: SweepRequest): SweepOrder['queue'] {
  return options.queue === undefined ? null : { url: options.queue, leaseMs: leaseOf(options) }
}

function leaseOf({ leaseSeconds }: SweepRequest): Ms {
  return leaseSeconds * SECOND_MS
}
