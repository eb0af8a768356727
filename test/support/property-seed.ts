import { beforeAll } from 'vitest'

/**
 * The gate's answer depends on the commit alone: `.ci/run` sets MIZANI_PROPERTY_SEED, and every property that names no seed of
 * its own draws its cases from it. Elsewhere each run draws new ones, and a failure prints the seed that repeats it.
 */
const seed = process.env.MIZANI_PROPERTY_SEED

beforeAll(async () => {
  if (seed === undefined) return
  if (!/^-?\d+$/.test(seed)) throw new Error(`MIZANI_PROPERTY_SEED must be an integer, not "${seed}"`)
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
})
