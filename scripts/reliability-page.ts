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
import { generatedBlock } from './generated-block.ts'
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
    'Look up which faults the tests inject, how often, and what they found. `node scripts/reliability-page.ts` writes this page. Do not edit it by',
    'hand.',
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
  const tables = [
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
    `Spoilt answers: ${grouped(fuzz.answers)}. Batches that found something: ${fuzz.failed}. Chance that one answer does harm: ${chanceText(fuzz.answers, fuzz.failed)}.`,
    '',
    '| Days | Failed | Version | Commit | Node | Planted bugs found in it |',
    '|---|---|---|---|---|---|',
    ...parts.flatMap(({ version, commits }) => commits.map((one) => commitRow(version, one))),
  ]
  return [
    ...block(tables),
    'After n days without a failure the chance of one is below 3/n (the rule of three). The bound holds only for days as these worlds draw them,',
    'and for the program at the commit of each campaign.',
    '',
  ]
}

function block(lines: readonly string[]): string[] {
  return generatedBlock('reliability-page.ts', lines)
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
  'A fault-day draws the faults of 24 hours in one world from its seed. Each kind of fault is omitted from half of the days, so that no kind hides',
  'another. At the end all faults heal, and the day must converge. A simulated person first resolves differences that the core cannot explain.',
  'Then the books must reconcile.',
  '',
  '- Pool, treasury and guard simulate all 24 hours.',
  '- Custody uses a chain that is ten times slower: a block every 20 s, and polls and lives of orders ten times longer.',
  '- Hand-over shortens pauses to at most a minute. Its day takes half an hour of simulated time, so it does not test long quiet periods.',
  '',
  '| World | Checks |',
  '|---|---|',
  '| pool, treasury | the core after each event, the venue at each request; in the treasury every ten minutes that the venue neither created nor lost a unit |',
  '| guard, handover | each write, grant and commit; twice per second how long an unsafe quote has been live |',
  '| custody | the commitments at every signature, released orders at every reading of the chain, the rest after each step of up to five minutes |',
  '| restarts | the recovered state equals the lost state if all of it was on disk: each restart of the pool, one in twenty of the treasury |',
  '| replay | the whole journal of the day, at every eighth seed of pool, custody and handover |',
  '',
  'A failed day is repeated without one kind of fault after the other, and then shortened by bisection. The campaign keeps the smallest failing day,',
  'its journal and the command that repeats it. A day that takes more than half an hour has failed.',
  '',
  '```sh',
  'npm run campaign -- --days 10000 --fuzz 1000000 --out FOLDER    # ended at any moment, the same command continues',
  'npm run campaign -- --days 2000 --first-seed 5001 --out OTHER   # days of other seeds',
  'npm run campaign -- --days 10000 --queue postgres://... --out FOLDER   # shared with other machines:',
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
  const tables = [
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
  ]
  return [`## World: ${name}`, '', ...block(tables)]
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
  const tables = [
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    '',
    ...invariantRows(name),
    '| Spoilt | Times |',
    '|---|---|',
    ...Object.entries(fuzz.seen).map(([what, count]) => `| ${what} | ${grouped(count)} |`),
  ]
  return ['## Spoilt answers', '', ...block(tables)]
}

function canarySection({ canaries }: KeptCampaigns): string[] {
  const doesOf = (world: string, name: string) =>
    worldOf(world)?.canaries.find((one) => one.name === name)?.does ?? ''
  const table = [
    '| World | Bug | What it does | Found in seed |',
    '|---|---|---|---|',
    ...canaries.map(
      ({ world, name, found }) =>
        `| ${world} | \`${name}\` | ${doesOf(world, name)} | ${found ?? 'missed'} |`,
    ),
  ]
  return [
    '## Planted bugs',
    '',
    `A clean run proves nothing if the checks cannot find a bug. So every campaign first plants each of these bugs, in up to ${CANARY_SEEDS} seeds. It refuses`,
    'to publish if the expected invariant misses one.',
    '',
    ...block(table),
  ]
}

function failureSection({ failures }: KeptCampaigns): string[] {
  if (failures.length === 0) return []
  return [
    '## Days that failed',
    '',
    'The first failures. [What campaigns have found](#what-campaigns-have-found) gives the cause of each. After the fix each day was repeated and passed.',
    '',
    ...block(failures.map(({ world, seed, failure }) => `- \`${world}:${seed}\`: ${failure}`)),
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
