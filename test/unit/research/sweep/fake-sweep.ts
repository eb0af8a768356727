import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeManifest, type Manifest } from '../../../../src/research/sweep/results/identity.ts'
import { parseGrid } from '../../../../src/research/sweep/grid.ts'
import type { SweepOrder } from '../../../../src/research/sweep/run-sweep.ts'
import { numberVariants } from '../../../../src/research/sweep/variant.ts'
import type { FakeTape } from './fake-variant.ts'

export const GRID = '{"halfSpreadBps":[40,60,70,80],"maxSkewBps":[0,40,80]}'

export const FAKE_WORKER = new URL('./fake-variant-worker.ts', import.meta.url)

export function fakeManifest(grid: string = GRID, parts: Partial<Manifest> = {}): Manifest {
  const changes = parseGrid(grid)
  if (!changes.ok) throw new Error(changes.error)
  const variants = numberVariants(changes.value)
  return makeManifest({
    product: '0.0.0',
    configs: variants.map(({ changes }) => JSON.stringify(changes)),
    tape: 'two',
    window: {},
    fills: 'recorded',
    seed: 5,
    variants,
    ...parts,
  })
}

/** A sweep of fakes over 60 days, as a test wants it. */
export function fakeOrder(
  out: string,
  tape: Partial<FakeTape> = {},
  order: Partial<SweepOrder> = {},
): SweepOrder {
  return {
    manifest: fakeManifest(),
    configFile: 'none.yaml',
    tapePath: JSON.stringify({ days: 60, tookMs: 0, ...tape }),
    out,
    add: false,
    worker: FAKE_WORKER,
    workers: 1,
    queue: null,
    report: { splits: 4, heatmap: [] },
    observe: () => undefined,
    signal: new AbortController().signal,
    ...order,
  }
}

/** A folder of its own; `remove` it afterwards. */
export function emptyFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'mizani-sweep-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
