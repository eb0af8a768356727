export type Measured<Value> = {
  /** Processor time of the whole process, its collector and compiler threads included: others' work is not in it. */
  readonly cpuMs: number
  readonly wallMs: number
  readonly value: Value
}

/** What one run of the work costs. */
export async function measureOnce<Value>(work: () => Value | Promise<Value>): Promise<Measured<Value>> {
  const began = performance.now()
  const before = process.cpuUsage()
  const value = await work()
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - began, value }
}

/**
 * The least processor time of several runs of each of the works, which take turns: what disturbs the machine for a
 * while disturbs all of them. One run of each comes before, which is not counted.
 */
export async function measureBest<Works extends Readonly<Record<string, () => unknown>>>(
  rounds: number,
  works: Works,
): Promise<{ readonly [Name in keyof Works]: Measured<Awaited<ReturnType<Works[Name]>>> }> {
  const best: Record<string, Measured<unknown>> = {}
  for (let round = 0; round <= rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      const measured = await measureOnce(work)
      const known = best[name]
      if (round <= 1 || known === undefined || measured.cpuMs < known.cpuMs) best[name] = measured
    }
  }
  return best as { readonly [Name in keyof Works]: Measured<Awaited<ReturnType<Works[Name]>>> }
}
