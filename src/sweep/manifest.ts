import { createHash } from 'node:crypto'
import type { JobSetting } from './variant-job.ts'
import type { Variant } from './variant.ts'

/** What a sweep is, wherever it runs: two with the same `id` have the same results. */
export type Manifest = {
  readonly version: 1
  /** sha-256 over all that follows. */
  readonly id: string
  /** The product that ran it: other code may decide otherwise. */
  readonly product: string
  /** sha-256 of each variant's configuration with its strategy and calibration: equal ones are one trial. */
  readonly configs: readonly string[]
  /** sha-256 of the tape's content. */
  readonly tape: string
  readonly window: JobSetting['window']
  readonly fills: JobSetting['fills']
  readonly seed: number
  readonly variants: readonly Variant[]
}

/** The parts of a manifest that a machine finds out by itself; they must agree where a sweep is joined. */
export type Identity = Pick<Manifest, 'product' | 'configs' | 'tape'>

export function makeManifest(parts: Omit<Manifest, 'version' | 'id'>): Manifest {
  const { product, configs, tape, window, fills, seed, variants } = parts
  const named = { product, configs, tape, window, fills, seed, variants }
  return { version: 1, id: createHash('sha256').update(JSON.stringify(named)).digest('hex'), ...named }
}

/** In which of its parts the sweep differs from what is here, in words; null = in none. */
export function differenceOf(sweep: Identity, here: Identity): string | null {
  if (sweep.product !== here.product)
    return `it was begun by mizani ${sweep.product}, this is ${here.product}`
  if (sweep.configs.join() !== here.configs.join())
    return 'its configuration, strategy or calibration is not the same as here'
  if (sweep.tape !== here.tape) return 'its tape has not the same content as the one here'
  return null
}
