import { z } from 'zod'
import { generatedBlock } from './generated-block.ts'

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
  const stopTable = [
    '| Stopped for | Runs | The guard acted | Safe when it continued | Its own quote again within |',
    '|---|---|---|---|---|',
    ...groupsBy(stops.outcomes, ({ stoppedMs }) => stoppedMs).map((group) => stopRow(group)),
  ]
  const clockTable = [
    '| Clocks of the daemon | Clocks of the guard | Runs | Between their writes, at least | Safe quote read back after, at most |',
    '|---|---|---|---|---|',
    ...groupsBy(clocks.outcomes, ({ daemon, guard }) => `${daemon} ${guard}`).map((group) => clockRow(group)),
    '',
    `The checks failed in ${stops.faults.length} of ${stops.runs} stops and ${clocks.faults.length} of ${clocks.runs} cuts${faultsText([...stops.faults, ...clocks.faults])}.`,
  ]
  return [
    '## A stopped daemon with a guard, and clocks at different rates',
    '',
    '`npm run guard-kills -- --mode stops --rounds N` stops the daemon (SIGSTOP) and lets it continue. After a short stop the guard must not act. After',
    'a long stop the quote must be safe, and the venue must not receive the writes that the daemon had begun.',
    '',
    ...generatedBlock('reliability-page.ts', stopTable),
    '`npm run guard-kills -- --mode clocks --rounds N` runs the two clocks at different rates (libfaketime). Each write of the daemon takes 600 ms. Then',
    "the two are cut off from each other. The table has the time from the end of the daemon's last write to the guard's first one.",
    '',
    ...generatedBlock('reliability-page.ts', clockTable),
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
