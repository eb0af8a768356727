/** By bench and name: our speed by that of the plain loop in the same run. Higher is faster. */
export type RecordedRatios = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The `ratios` of a bench's result; null = the bench has none. */
export function ratiosOf(result: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> | null {
  const { ratios } = result
  return typeof ratios === 'object' && ratios !== null ? (ratios as Record<string, number>) : null
}

/**
 * What is wrong with the ratios of a bench, one sentence each; empty = nothing. A fall by a third is a failure, as is a
 * ratio that is recorded and was not measured, or measured and never recorded: the gate judges each of them.
 */
export function fallenRatios(
  bench: string,
  measured: Readonly<Record<string, number>>,
  recorded: RecordedRatios,
): readonly string[] {
  const known = recorded[bench] ?? {}
  const names = [...new Set([...Object.keys(known), ...Object.keys(measured)])]
  return names.flatMap((name) => {
    const [is, was] = [measured[name], known[name]]
    const what = `${bench}: the ratio ${name} to the plain loop`
    if (was === undefined)
      return [`${what} is not recorded; \`npm run bench -- --short --record ${bench}\` records it`]
    if (is === undefined || !Number.isFinite(is))
      return [`${what} is recorded as ${was} and was not measured`]
    // By a third and more: the spread of a busy machine is less.
    if (is * 3 > was * 2) return []
    const percent = Math.round(100 * (1 - is / was))
    return [`${what} is ${is}, and ${was} is recorded: it fell by ${percent} %, and a third is too much`]
  })
}

/** The better one of each ratio of two runs. */
export function bestRatios(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const best: Record<string, number> = { ...one }
  for (const [name, ratio] of Object.entries(other)) best[name] = Math.max(ratio, best[name] ?? -Infinity)
  return best
}
