import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { parseArgs } from 'node:util'
import { MUTATION_ROOMS, type MutationRoom, roomNamed } from '../test/mutation/rooms.ts'
import {
  LEAST_SCORE,
  type MutationRecord,
  type MutationReport,
  type RoomScore,
  scoreOf,
  withScoreTable,
} from '../test/mutation/score.ts'
import { reportFiles, strykerOptions } from '../test/mutation/stryker-options.ts'

// `npm run mutation -- [--room NAME]... [--changed] [--base REF] [--concurrency N] [--force] [--record]`: changes what holds the
// money one expression at a time and demands that a test fails. Whole it takes some ten minutes; `--changed` takes the files
// that differ from `--base`. A second run tries again only what its tests or its code have changed since.

const ROOT = join(import.meta.dirname, '..')
const TOOL = join(ROOT, 'test/mutation')
const SEED = '1'

const { values } = parseArgs({
  options: {
    room: { type: 'string', multiple: true },
    changed: { type: 'boolean', default: false },
    base: { type: 'string', default: 'main' },
    concurrency: { type: 'string', default: '2' },
    force: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})
const concurrency = Number(values.concurrency)
if (!Number.isSafeInteger(concurrency) || concurrency < 1) fail('--concurrency is a whole number above 0')
if (values.record && values.changed) fail('--record writes the score of whole rooms: leave --changed out')
const rooms = values.room?.map(roomOrFail) ?? MUTATION_ROOMS
process.chdir(ROOT)
install()
mkdirSync('reports/mutation', { recursive: true })

const scores: Record<string, RoomScore> = {}
let isBroken = false
const changed = values.changed ? changedFiles(values.base) : null
for (const room of rooms) {
  const files = changed?.filter((file) => matchesGlob(file, `${room.source}/**/*.ts`)) ?? null
  if (files?.length === 0) continue
  const score = measure(room, files)
  scores[room.name] = score
  isBroken ||= files === null && score.score < LEAST_SCORE
  const { mutants, killed, timedOut, survived } = score
  const counts = `${killed} of ${mutants} killed, ${timedOut} timed out, ${survived} survived`
  process.stdout.write(`${room.name}: ${score.score} % (${counts}); ${reportFiles(room.name).html}\n`)
}
if (Object.keys(scores).length === 0)
  process.stdout.write(`no file of these rooms differs from ${values.base}\n`)
if (values.record) record()
if (isBroken) fail(`a room is below ${LEAST_SCORE} %`, 1)

function fail(message: string, code = 2): never {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

function roomOrFail(name: string): MutationRoom {
  try {
    return roomNamed(name)
  } catch (error) {
    return fail((error as Error).message)
  }
}

/** The tool's packages stay out of the product's: they are installed once, beside its configuration. */
function install(): void {
  if (versionOf(join(TOOL, 'node_modules/@stryker-mutator/core')) === wantedVersion()) return
  process.stderr.write('installing Stryker into test/mutation\n')
  const { status } = spawnSync('npm', ['ci', '--prefix', TOOL, '--no-audit', '--no-fund'], {
    stdio: 'inherit',
  })
  if (status !== 0) fail('npm ci --prefix test/mutation failed', 1)
}

function wantedVersion(): string {
  const { devDependencies } = readJson(join(TOOL, 'package.json')) as {
    devDependencies: Record<string, string>
  }
  return devDependencies['@stryker-mutator/core'] ?? fail('test/mutation/package.json names no Stryker')
}

function versionOf(folder: string): string | null {
  try {
    return (readJson(join(folder, 'package.json')) as { version: string }).version
  } catch {
    return null
  }
}

function changedFiles(base: string): readonly string[] {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).split('\n')
  const paths = [
    ...git('diff', '--name-only', '--diff-filter=d', '--merge-base', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return [...new Set(paths)]
}

function measure(room: MutationRoom, files: readonly string[] | null): RoomScore {
  const options = strykerOptions(room, { files, concurrency, force: values.force })
  const config = `reports/mutation/${room.name}.config.json`
  writeFileSync(config, JSON.stringify(options, null, 2))
  // The report of an earlier run would pass for that of a run that ends before it has one.
  rmSync(reportFiles(room.name).json, { force: true })
  const stryker = join(TOOL, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const { status } = spawnSync(process.execPath, [stryker, 'run', config], {
    stdio: 'inherit',
    env: { ...process.env, MIZANI_PROPERTY_SEED: SEED, MIZANI_MUTATION_ROOM: room.name },
  })
  // 1 is also what a score under the threshold gives: then there is a report of this run.
  const hasReport = existsSync(reportFiles(room.name).json)
  if ((status !== 0 && status !== 1) || !hasReport)
    fail(`Stryker ended with ${status ?? 'a signal'}${hasReport ? '' : ' and wrote no report'}`, 1)
  return scoreOf(readJson(reportFiles(room.name).json) as MutationReport)
}

function record(): void {
  const before = readJson('docs/mutation.json') as MutationRecord
  const now: MutationRecord = {
    date: new Date().toISOString().slice(0, 10),
    seed: SEED,
    versions: {
      stryker: wantedVersion(),
      vitest: versionOf(join(ROOT, 'node_modules/vitest')) ?? 'unknown',
      node: process.versions.node,
    },
    rooms: { ...before.rooms, ...scores },
  }
  writeFileSync('docs/mutation.json', `${JSON.stringify(now, null, 2)}\n`)
  writeFileSync('docs/mutation.md', withScoreTable(readFileSync('docs/mutation.md', 'utf8'), now))
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
