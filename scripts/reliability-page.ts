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
    'After this page you know which faults the tests inject, how often, and what they found. `node scripts/reliability-page.ts` writes this page from',
    'the results of campaigns and kills. Do not edit it by hand.',
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
    'After n days without a failure the chance of one is below 3/n (the rule of three). The bound holds only for days as these worlds draw them, and',
    'for the program at the commit of each campaign.',
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
  'A fault-day contains the faults of 24 hours in one of the worlds below. Its seed determines everything. Each kind of fault is omitted from a day',
  'with probability one half (swarm testing), so no kind hides another kind on every day. At the end of the day all faults heal, and the',
  'day must converge. A simulated person first resolves differences that the core cannot explain; then the books must reconcile.',
  '',
  'Pool, treasury and guard simulate all 24 hours. Custody simulates them on a chain that is ten times slower: it has a block every 20 s, and polls',
  'and lives of orders are ten times longer. Hand-over keeps the order of the faults of 24 hours and shortens pauses to at most a minute. Its day',
  'takes about half an hour of simulated time, so it does not test long quiet periods.',
  '',
  'The worlds check their invariants at these moments:',
  '',
  '- Pool and treasury check the core after each of its events, and the venue at each request that reaches it. Every ten minutes the treasury',
  '  checks that its venue has neither created nor lost a unit.',
  '- Guard and hand-over check each write, each grant and each commit. Twice per second they check how long an unsafe quote has been live.',
  '- Custody checks the commitments at every signature, released orders at every reading of the chain, and the rest after each step of up to',
  '  five minutes.',
  '- A restart of the pool compares the recovered state with the lost state if all of it was on disk. The treasury does so at one restart in',
  '  twenty.',
  '- Every eighth seed of pool, custody and hand-over replays the whole journal of the day.',
  '',
  'A failed day is repeated without one kind of fault after the other, and then shortened by bisection. The campaign keeps the smallest failing day',
  'with its journal and the command that repeats it. A day that takes more than half an hour has failed.',
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
  'In CI, `test/nightly/campaign.test.ts` runs the first days of each world and finds every planted bug.',
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

/** The rows of the invariants, each with the file that checks it and the planted bugs that it must find. */
function invariantRows(world: string): readonly string[] {
  const { invariants = [], canaries = [] } = worldOf(world) ?? {}
  return [
    '| Invariant | Checked by | Must find |',
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
    `A clean run proves nothing if the checks cannot find a bug. So every campaign first plants each of these bugs in the test world, in up to ${CANARY_SEEDS}`,
    'seeds. It refuses to publish if the expected invariant misses a bug.',
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
    'These are the first failures. The section above gives the cause of each. After the fix each day was repeated and passed.',
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
