// docs/reliability.md, from docs/reliability.json and docs/kills.json, and the rows of other pages that say the same figures.
//   npm run campaign -- --days 10000 --fuzz 1000000 --out FOLDER
//   npm run guard-kills -- --kills 200 --desks 2 --out GUARD; npm run handover-kills -- --kills 200 --desks 2 --out HANDOVER
//   npm run guard-kills -- --mode stops --rounds 3 --out STOPS; npm run guard-kills -- --mode clocks --rounds 5 --out CLOCKS
//   node scripts/reliability-page.ts [--campaign FOLDER/summary.json] [--guard GUARD] [--handover HANDOVER] [--stops STOPS]
//     [--clocks CLOCKS]    keeps them, and writes
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { HOUR_MS, SECOND_MS } from '../src/base/time.ts'
import { killsSection } from './campaign-kills-section.ts'
import {
  campaignSummary,
  keptCampaigns,
  type KeptCampaigns,
  livedWorld,
  withCampaign,
} from './kept-campaigns.ts'
import { CANARY_SEEDS } from '../test/campaign/run-unit.ts'
import { chanceText, whyUnpublished } from '../test/campaign/summary.ts'
import { WORLDS, worldOf } from '../test/campaign/worlds/all.ts'
import { ANSWERS } from '../test/campaign/worlds/answers.ts'
import { FOUND } from './campaign-findings.ts'
import { guardOutcomes } from './guard-outcomes.ts'
import { KILLS, killFiguresWith, killRows, killSection, withFigure, type FigureRow } from './kill-figures.ts'

const KEPT = new URL('../docs/reliability.json', import.meta.url)
const PAGE = new URL('../docs/reliability.md', import.meta.url)

/** The page of what was tried, how often, and what was found. */
export function reliabilityPage(): string {
  const kept = keptFigures()
  const kills = killFiguresWith({})
  return [
    '# Reliability',
    '',
    'What was tried with the program, how often, and what was found. `node scripts/reliability-page.ts` writes this page from the results of',
    'campaigns and kills; it is not edited by hand.',
    '',
    ...figures(kept),
    ...killSection(kills),
    ...guardOutcomes(kills.stops, kills.clocks),
    ...HOW,
    ...WORLDS.flatMap((world) => worldSection(world, kept)),
    ...answerSection(kept),
    ...killsSection(kept.kills),
    ...canarySection(kept),
    '## What campaigns have found',
    '',
    ...FOUND,
    '',
    ...failureSection(kept),
  ].join('\n')
}

function figures(kept: KeptCampaigns): string[] {
  const row = (name: string, runs: number, bad: number, ...rest: readonly [cost: string, seeds: string]) =>
    `| ${name} | ${grouped(runs)} | ${bad} | ${chanceText(runs, bad)} | ${rest.join(' | ')} |`
  const { lived, failed } = livedDays(kept)
  const { fuzz, parts } = kept
  return [
    '| Simulated fault-days | Lived | Failed | Chance that a day fails, at 95 % | Processor time of a day | Seeds |',
    '|---|---|---|---|---|---|',
    ...WORLDS.map(({ name }) => {
      const { days, failed: bad, cpuMsADay, seeds } = livedWorld(kept, name)
      return row(
        name,
        days,
        bad,
        costOf(cpuMsADay),
        seeds.map(([first, last]) => `${first} to ${last}`).join(', '),
      )
    }),
    row('all', lived, failed, '', ''),
    '',
    `Spoilt answers: ${grouped(fuzz.answers)}, of which ${fuzz.failed} batches found something; chance that one of them does harm: ${chanceText(fuzz.answers, fuzz.failed)}.`,
    '',
    '| Days | Failed | Version | Commit | Node | Planted bugs found in it |',
    '|---|---|---|---|---|---|',
    ...parts.flatMap(({ version, commits }) => commits.map((one) => commitRow(version, one))),
    '',
    'After n days without a failure the chance of one is below 3/n (the rule of three). It holds for days as these worlds draw them, not for all',
    'that can happen, and for the program as it was at the commit of each campaign.',
    '',
  ]
}

type OfCommit = KeptCampaigns['parts'][number]['commits'][number]

function commitRow(version: string, { days, failed, commit, node, planted, missed }: OfCommit): string {
  const found = `${planted - missed} of ${planted}`
  return `| ${grouped(days)} | ${failed} | ${version} | \`${commit}\` | ${node} | ${found} |`
}

function costOf(cpuMsADay: number | null): string {
  if (cpuMsADay === null || cpuMsADay === 0) return 'not measured'
  return `${(cpuMsADay / SECOND_MS).toFixed(2)} s, ${grouped(Math.round(HOUR_MS / cpuMsADay))} days an hour of a core`
}

/** Of all campaigns. */
function livedDays({ parts }: KeptCampaigns): { readonly lived: number; readonly failed: number } {
  return {
    lived: parts.reduce((sum, { lived }) => sum + lived, 0),
    failed: parts.reduce((sum, { failed }) => sum + failed, 0),
  }
}

const HOW = [
  '## How it is done',
  '',
  'A fault-day is the faults of 24 hours in one of the worlds below, with everything drawn from its seed. Each kind of fault is left out',
  'of a day with probability one half (swarm testing), so that none of them hides another one on every day. At its end everything heals, and the',
  'day has to converge; what the core cannot explain a person resolves first, and then the books have to be proven.',
  '',
  'Pool, treasury and guard live all of the 24 hours in simulated time. Custody lives them on a chain that is ten times slower, with a block',
  'every 20 s and the polls and lives of orders as much longer. Hand-over lives the faults of 24 hours, at their order and with their distances',
  'up to a minute: quiet stretches are cut short, so that its day is some half an hour of simulated time, and it says nothing of long quiet.',
  '',
  'In pool and treasury the invariants of the core are checked after every event of it, and what is true at the venue with every request that',
  'reaches it; that no unit is made or lost at the venue of a treasury every ten minutes. Guard and hand-over check each write, each grant and',
  'each commit; how long an unsafe quote stands is looked at twice a second. Custody checks what is committed at every signature and what is',
  'let go at every reading of the chain, and the rest after each step, which lasts up to five minutes. What a restart of the pool recovers is',
  'compared with what was lost wherever all of that was on disk, and of the treasury at one restart in twenty; the whole journal of a day is',
  'replayed on every eighth seed of pool, custody and hand-over.',
  '',
  'A day that fails is lived again without one kind of fault after the other and then shortened by bisection; the smallest one that was found',
  'is kept with its journal and the command that repeats it. A day that is not over after half an hour has failed.',
  '',
  '```sh',
  'npm run campaign -- --days 10000 --fuzz 1000000 --out FOLDER    # ended at any moment, the same command continues',
  'npm run campaign -- --days 2000 --first-seed 5001 --out OTHER   # days of other seeds are kept beside those',
  'npm run campaign -- --days 10000 --queue postgres://... --out FOLDER   # shared with anyone who joins, on any machine:',
  'npm run campaign -- --join --queue postgres://...               # of the same commit, Node and worlds only',
  "npm run campaign -- --only guard:17 --hours 6 --without 'network slow,clock set'",
  'node scripts/reliability-page.ts --campaign FOLDER/summary.json',
  '```',
  '',
  'CI lives the first days of each world, and finds every planted bug, in `test/nightly/campaign.test.ts`.',
  '',
]

function worldSection({ name, about, faults }: (typeof WORLDS)[number], kept: KeptCampaigns): string[] {
  const world = livedWorld(kept, name)
  const seen = Object.entries(world.seen).map(([what, count]) => `${grouped(count)} ${what}`)
  return [
    `## World: ${name}`,
    '',
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    '',
    ...invariantRows(name),
    ...(seen.length === 0 ? [] : [`In these days: ${seen.join(', ')}.`, '']),
    '| Fault | On days | Times |',
    '|---|---|---|',
    ...faults.map((fault) => {
      const { times, days } = world.faults[fault] ?? { times: 0, days: 0 }
      return `| ${fault} | ${grouped(days)} | ${times === days && days > 0 ? 'all day' : grouped(times)} |`
    }),
    '',
  ]
}

/** What has to hold, who checks it, and the planted bugs that it has to find. */
function invariantRows(world: string): readonly string[] {
  const { invariants = [], canaries = [] } = worldOf(world) ?? {}
  return [
    '| What has to hold | Checked by | Has to find |',
    '|---|---|---|',
    ...invariants.map(({ name, claim, checkedBy }) => {
      const bugs = canaries.filter(({ breaks }) => breaks === name).map((bug) => `\`${bug.name}\``)
      return `| ${claim} | \`${checkedBy}\` | ${bugs.join(', ')} |`
    }),
    '',
  ]
}

function answerSection({ fuzz }: KeptCampaigns): string[] {
  const { about, name } = ANSWERS
  return [
    '## Spoilt answers',
    '',
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    '',
    ...invariantRows(name),
    '| Spoilt | Times |',
    '|---|---|',
    ...Object.entries(fuzz.seen).map(([what, count]) => `| ${what} | ${grouped(count)} |`),
    '',
  ]
}

function canarySection({ canaries }: KeptCampaigns): string[] {
  const doesOf = (world: string, name: string) =>
    worldOf(world)?.canaries.find((one) => one.name === name)?.does ?? ''
  return [
    '## Planted bugs',
    '',
    `A clean run proves nothing where nothing could be found. So every campaign first plants each of these bugs in the test world, in up to ${CANARY_SEEDS}`,
    'seeds, and refuses to publish where the invariant that is meant misses one.',
    '',
    '| World | Bug | What it does | Found in seed |',
    '|---|---|---|---|',
    ...canaries.map(
      ({ world, name, found }) =>
        `| ${world} | \`${name}\` | ${doesOf(world, name)} | ${found ?? 'missed'} |`,
    ),
    '',
  ]
}

function failureSection({ failures }: KeptCampaigns): string[] {
  if (failures.length === 0) return []
  return [
    '## Days that failed',
    '',
    'As they were lived first. What is behind each stands above; after its mend each was lived again, and held.',
    '',
    ...failures.map(({ world, seed, failure }) => `- \`${world}:${seed}\`: ${failure}`),
    '',
  ]
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

/** The rows of pages that people write, with the figures that are kept. */
export function figureRows(): readonly FigureRow[] {
  const kept = keptFigures()
  const { lived, failed } = livedDays(kept)
  const { fuzz, kills } = kept
  const days = {
    page: 'README.md',
    begins: 'Simulated days full of faults',
    figure: `${grouped(lived - failed)} of ${grouped(lived)}, and ${grouped(fuzz.answers)} spoilt answers`,
  }
  const killed = {
    page: 'README.md',
    begins: 'Daemons ended by kill -9 at random moments',
    figure: `${grouped(kills?.done ?? 0)}${kills !== undefined && kills.failed > 0 ? `, of which ${kills.failed} runs failed` : ''}`,
  }
  return [...killRows(killFiguresWith({})), days, killed]
}

function keptFigures(): KeptCampaigns {
  return keptCampaigns.parse(JSON.parse(readFileSync(KEPT, 'utf8')))
}

function keepCampaign(file: string): void {
  const summary = campaignSummary.parse(JSON.parse(readFileSync(file, 'utf8')))
  const why = whyUnpublished(summary)
  if (why !== null) throw new Error(`the figures are not kept: ${why}`)
  writeFileSync(KEPT, `${JSON.stringify(withCampaign(keptFigures(), summary), null, 2)}\n`)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      campaign: { type: 'string' },
      guard: { type: 'string' },
      handover: { type: 'string' },
      stops: { type: 'string' },
      clocks: { type: 'string' },
    },
  })
  const { campaign, ...kills } = values
  if (campaign !== undefined) keepCampaign(campaign)
  writeFileSync(KILLS, `${JSON.stringify(killFiguresWith(kills), null, 2)}\n`)
  writeFileSync(PAGE, reliabilityPage())
  for (const row of figureRows()) {
    const page = new URL(`../${row.page}`, import.meta.url)
    writeFileSync(page, withFigure(readFileSync(page, 'utf8'), row))
  }
}
