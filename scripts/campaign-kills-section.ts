import { z } from 'zod'
import { killKind, KILL_WORLDS } from '../test/campaign/kills/kill-worlds.ts'
import { chanceText } from '../test/campaign/summary.ts'
import { generatedBlock } from './generated-block.ts'

const counts = z.record(z.string(), z.number())

/** What the summary of a campaign with kills has of them. */
export const keptKills = z.strictObject({
  planned: z.number(),
  done: z.number(),
  failed: z.number(),
  byKind: counts,
  seen: z.record(z.string(), counts),
  hours: z.number(),
  commit: z.string(),
})
export type KeptKills = z.infer<typeof keptKills>

/** The section of docs/reliability.md on real processes that were killed; nothing where a campaign had none. */
export function killsSection(kills: KeptKills | undefined): readonly string[] {
  if (kills === undefined) return []
  const { planned, done, failed, byKind, seen, hours, commit } = kills
  const bound =
    failed > 0
      ? `${failed} runs of some kills failed, so that no chance is bounded.`
      : `None of them failed: the chance that a kill does harm is ${chanceText(done, failed)}, at 95 %.`
  const figures = [
    `${grouped(done)} of ${grouped(planned)} daemons were ended, in ${hours} hours of worlds, several of which run at once, at commit \`${commit}\`. ${bound}`,
    '',
    '| Killed | Kills | What has happened meanwhile |',
    '|---|---|---|',
    ...KILL_WORLDS.map(({ name, about }) => {
      const kind = killKind(name)
      const happened = Object.entries(seen[kind] ?? {}).map(([what, count]) => `${grouped(count)} ${what}`)
      return `| ${kind}: ${about} | ${grouped(byKind[kind] ?? 0)} | ${happened.join(', ')} |`
    }),
    '',
    '| Kind | Invariant | Checked by |',
    '|---|---|---|',
    ...KILL_WORLDS.flatMap(({ name, invariants }) =>
      invariants.map(({ claim, checkedBy }) => `| ${killKind(name)} | ${claim} | \`${checkedBy}\` |`),
    ),
  ]
  return [
    '## Kills of real processes',
    '',
    'Kill -9 ends a daemon at a moment drawn from a seed, also within its start. A run is up to 20 kills of one world, one process after the other on',
    'the same stores. Then everything is checked.',
    '',
    '```sh',
    'npm run campaign -- --kills 1000 --out FOLDER    # ended at any moment, the same command continues',
    'npm run campaign -- --only kills-pool:3 --kills 20',
    '```',
    '',
    ...generatedBlock('reliability-page.ts', figures),
  ]
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
