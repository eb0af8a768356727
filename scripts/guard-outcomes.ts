import { z } from 'zod'

// What `npm run guard-kills -- --mode stops` and `--mode clocks` wrote, and its tables in docs/reliability.md.

const ms = z.number()
const stop = z.object({ stoppedMs: ms, fired: z.boolean(), wasSafeAtWake: z.boolean(), backMs: ms })
const clock = z.object({ daemon: z.number(), guard: z.number(), gapMs: ms, safeMs: ms })

function judged<Outcome extends z.ZodType>(outcome: Outcome) {
  return z.object({
    runs: z.number(),
    /** What happened that must not, one sentence each. */
    faults: z.array(z.string()),
    outcomes: z.array(outcome),
    node: z.string(),
  })
}

export const stopFigures = judged(stop)
export const clockFigures = judged(clock)
type Stops = z.infer<typeof stopFigures>
type Clocks = z.infer<typeof clockFigures>

/** The section of the page. */
export function guardOutcomes(stops: Stops, clocks: Clocks): string[] {
  return [
    '## A guarded daemon that stands still, and clocks that run at other rates',
    '',
    'The daemon is stopped (SIGSTOP) and continues later. A short stop is no death: the guard has to let the daemon be. After a long one the quote has',
    'to be safe, and what the daemon had begun must not land.',
    '',
    '| Stopped for | Runs | The guard acted | Safe when it went on | Its own quote again within |',
    '|---|---|---|---|---|',
    ...groupsBy(stops.outcomes, ({ stoppedMs }) => stoppedMs).map((group) => stopRow(group)),
    '',
    'Every clock of both processes runs at another rate (libfaketime), each write of the daemon is under way for 600 ms, and then both are cut off from each',
    'other. The time between the end of its last write and the first write of the guard is what keeps two from writing at once.',
    '',
    '| Clocks of the daemon | Clocks of the guard | Runs | Between their writes, at least | Safe quote read back after, at most |',
    '|---|---|---|---|---|',
    ...groupsBy(clocks.outcomes, ({ daemon, guard }) => `${daemon} ${guard}`).map((group) => clockRow(group)),
    '',
    `What must not happen did so in ${stops.faults.length} of ${stops.runs} stops and ${clocks.faults.length} of ${clocks.runs} cuts${faultsText([...stops.faults, ...clocks.faults])}.`,
    '`npm run guard-kills -- --mode stops --rounds N`, `npm run guard-kills -- --mode clocks --rounds N`.',
    '',
  ]
}

function stopRow(group: Stops['outcomes']): string {
  const count = (holds: (one: Stops['outcomes'][number]) => boolean) => group.filter(holds).length
  const [stopped, back] = [group[0]?.stoppedMs ?? 0, Math.max(...group.map(({ backMs }) => backMs))]
  return `| ${stopped / 1_000} s | ${group.length} | ${count(({ fired }) => fired)} | ${count(({ wasSafeAtWake }) => wasSafeAtWake)} | ${seconds(back)} |`
}

function clockRow(group: Clocks['outcomes']): string {
  const [{ daemon, guard } = { daemon: 1, guard: 1 }] = group
  const gap = Math.min(...group.map(({ gapMs }) => gapMs))
  const safe = Math.max(...group.map(({ safeMs }) => safeMs))
  return `| ${rateText(daemon)} | ${rateText(guard)} | ${group.length} | ${seconds(gap)} | ${seconds(safe)} |`
}

function groupsBy<One>(outcomes: readonly One[], keyOf: (one: One) => string | number): One[][] {
  const groups = new Map<string | number, One[]>()
  for (const one of outcomes) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return [...groups.values()]
}

function rateText(rate: number): string {
  return `${Math.abs(Math.round(100 * (rate - 1)))} % ${rate < 1 ? 'slow' : 'fast'}`
}

function faultsText(faults: readonly string[]): string {
  return faults.length === 0 ? '' : `: ${[...new Set(faults)].join('; ')}`
}

function seconds(length: number): string {
  return `${(length / 1_000).toFixed(1)} s`
}
