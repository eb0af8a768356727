import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFloorPlan, parseFloorPlan } from './floor-plan.ts'
import {
  checkCircles,
  checkCohesion,
  checkOrder,
  checkSizes,
  folderGraph,
  importGraph,
} from './graph-rules.ts'
import { checkImports, checkUnusedRights, roomOf } from './import-rules.ts'
import { checkLockFile, checkReadme, checkVersions, type LockFile, type Manifest } from './package-rules.ts'
import { checkMessages, checkPhrases } from './phrase-rules.ts'
import { checkShape, KIT } from './shape-rules.ts'
import { checkOwnersTable, checkWrites, parseOwners, slicesOf } from './slice-owners.ts'
import { parseSourceFile, type Violation } from './source-file.ts'
import { checkMentions, checkPath, checkText } from './text-rules.ts'
import { checkWalks, parseWalks } from './walks.ts'
import { checkWords } from './word-rules.ts'

const STATE_FILE = 'src/core/engine/model/state.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim()

const filesUnder = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/'))

const manifest = JSON.parse(read('package.json')) as Manifest
// What the bundle contains is for development only: npm would install it a second time with the package.
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
const rooms = parseFloorPlan(read('src/README.md'))
const sources = [...filesUnder('src', /\.(tsx?|mjs|js)$/), ...filesUnder('strategies', /\.ts$/)].map((path) =>
  parseSourceFile(path, read(path)),
)
const pureRooms = rooms.filter(({ ring }) => ring <= 2).map(({ name }) => name)
const isPure = (path: string) => pureRooms.includes(roomOf(path, rooms) ?? '')
const tracked = git('ls-files')
  .split('\n')
  .filter((path) => existsSync(path) && !/\.(png|ico|woff2?|gz|parquet)$/.test(path))

const lines = (violations: readonly Violation[]) =>
  violations.map(({ path, line, message }) => `${path}:${line} ${message}`)

describe('the floor plan in src/README.md', () => {
  test('has at most 200 lines, so that it is read', () => {
    expect(read('src/README.md').split('\n').length - 1).toBeLessThanOrEqual(200)
  })

  test('every room is a folder with files, every folder is a room, and none imports upwards or in a circle', () => {
    const folders = new Set(
      filesUnder('src', /\.ts$/).flatMap((path) => {
        const [, room = '', ...rest] = path.split('/')
        return rest.length === 0 ? [] : rest.length === 1 ? [room] : [room, `${room}/${rest[0]}`]
      }),
    )
    expect(checkFloorPlan(rooms, [...folders], dependencies)).toEqual([])
  })

  test('every file imports only from the rooms and packages that its room may, and strategies only #kit', () => {
    expect(lines(sources.flatMap((file) => checkImports(file, rooms, dependencies, existsSync)))).toEqual([])
  })

  test('every room imports each of the rooms and packages that its row lists', () => {
    expect(checkUnusedRights(rooms, sources)).toEqual([])
  })

  test('.oxlintrc.json forbids clock, chance, timers, process, promises and any in rings 0 to 2 and the strategies', () => {
    const { overrides } = JSON.parse(read('.oxlintrc.json')) as {
      readonly overrides: readonly { readonly files: readonly string[]; readonly rules: object }[]
    }
    const globs = overrides.flatMap(({ files, rules }) => ('no-restricted-globals' in rules ? files : []))
    const linted = sources.filter(({ path }) => globs.some((glob) => matchesGlob(path, glob)))
    const pure = sources.filter(({ path }) => isPure(path) || path.startsWith('strategies/'))
    expect(linted.map(({ path }) => path)).toEqual(pure.map(({ path }) => path))
    expect(pure.length).toBeGreaterThan(pureRooms.length)
    // No rule of oxlint finds Math under another name, which could hide Math.random, or a place in the file system.
    const hidden = pure.filter(({ text }) => /(=|\(|\.\.\.|,) *Math\b(?![.\w])|\bimport\.meta\b/.test(text))
    expect(hidden.map(({ path }) => path)).toEqual([])
  })
})

describe('the owners of the state in src/README.md', () => {
  const owners = parseOwners(read('src/README.md'))
  const slices = slicesOf(parseSourceFile(STATE_FILE, read(STATE_FILE)))

  test('are named for every slice of the state, once each, and are folders or files that exist', () => {
    expect(slices.size).toBeGreaterThan(30)
    const paths = sources.map(({ path }) => path)
    expect(checkOwnersTable(owners, slices, paths)).toEqual([])
  })

  test('alone assign to their slices, its fields and its lists, wherever the state is in reach', () => {
    const inReach = sources.filter(
      ({ path, text }) => path.startsWith('src/') && /\bEngineState\b|\bTransition\b/.test(text),
    )
    // The treasury is an aggregate of its own: its state is not the engine's.
    const inOwnRooms = sources.filter(({ path }) => isPure(path) && roomOf(path, rooms) !== 'treasury')
    const files = new Set([...inReach, ...inOwnRooms])
    expect(lines([...files].flatMap((file) => checkWrites(file, owners, slices)))).toEqual([])
  })
})

describe('approval', () => {
  test('only risk makes an Approved, and the engine where it takes up what was approved before', () => {
    const makers = sources
      .filter(({ path }) =>
        /import \{[^}]*\bapproved\b[^}]*\} from '[^']*risk\/approved\.ts'/.test(read(path)),
      )
      .map(({ path }) => path)
    const inRisk = sources.filter(({ path }) => /from '\.\/approved\.ts'/.test(read(path)))
    expect(makers).toEqual(['src/core/engine/initial-state.ts'])
    expect(inRisk.every(({ path }) => path.startsWith('src/core/risk/'))).toBe(true)
    expect(inRisk.length).toBeGreaterThan(0)
  })
})

describe('the shape of the code', () => {
  test('timers of the daemon start in base/threads/timing.ts, where a throw ends no thread', () => {
    const shell = /^src\/(base\/http|custody\/chain|daemon\/(?!console\/page|confinement)|store)\//
    const raw = /(?<![.\w])set(?:Timeout|Interval)\((?!resolve|\))/
    const found = sources.filter(({ path, text }) => shell.test(path) && raw.test(text))
    expect(found.map(({ path }) => path)).toEqual([])
  })

  test('openVenueClient alone opens the client of the venue, so that one function decides which venue it is', () => {
    const outside = sources.filter(({ path }) => !/^src\/(venue|simulator)\//.test(path))
    const found = outside.filter(({ text }) => /\bcreateVenueClient\b|\bVENUES\[[^\]]*\]\.open\b/.test(text))
    expect(found.map(({ path }) => path)).toEqual(['src/daemon/runtime/effects/connect-venue.ts'])
  })

  test('files export something and nothing of another file, and a strategy is called like its file', () => {
    expect(
      lines(
        sources.flatMap((file) =>
          file.path === KIT || file.path === 'src/index.ts' ? [] : checkShape(file),
        ),
      ),
    ).toEqual([])
  })

  test('no folder or file is called utils, helpers, common or misc', () => {
    expect(lines(tracked.flatMap((path) => checkPath(path)))).toEqual([])
  })
})

describe('the import graph, file by file', () => {
  const inside = sources.filter(({ path }) => path.startsWith('src/'))
  const graph = importGraph(inside)

  test('has no circle, type-only imports included, and no small file that one other file alone imports', () => {
    expect(graph.size).toBeGreaterThan(300)
    expect(lines([...checkCircles(graph), ...checkCohesion(inside, graph)])).toEqual([])
  })

  test('has no circle of folders beside each other', () => {
    expect(lines(checkCircles(folderGraph(graph)))).toEqual([])
  })

  test('has the ten folders in the order of src/README.md: each imports only those before it', () => {
    const [, table = ''] = /^## Folders\n([^]*?)^## /m.exec(read('src/README.md')) ?? []
    const order = [...table.matchAll(/^\| `([a-z]+)\/`/gm)].map(([, name]) => `src/${name}`)
    const inside = new Set([...graph.keys()].map((path) => path.split('/').slice(0, 2).join('/')))
    expect(order.toSorted()).toEqual([...inside].filter((path) => /^src\/[^.]+$/.test(path)).toSorted())
    expect(checkOrder(order, folderGraph(graph))).toEqual([])
  })

  test('has the folders of the engine in the order of src/README.md', () => {
    const [, list = ''] =
      /folders of `engine` are a list,[^:]*: ([\w,\s]+)\./.exec(read('src/README.md')) ?? []
    const order = list.split(/,\s+/).map((name) => `src/core/engine/${name}`)
    const inside = new Set([...graph.keys()].map((path) => path.split('/').slice(0, 4).join('/')))
    expect(order.toSorted()).toEqual(
      [...inside].filter((path) => /^src\/core\/engine\/[^.]+$/.test(path)).toSorted(),
    )
    expect(checkOrder(order, folderGraph(graph))).toEqual([])
  })

  test('is spread over folders of at most twenty files, of which at most a dozen have over 400 lines', () => {
    expect(lines(checkSizes(inside))).toEqual([])
  })

  test('has every step of the walks that src/README.md describes', () => {
    const walks = parseWalks(read('src/README.md'))
    expect(walks.length).toBeGreaterThan(10)
    expect(checkWalks(walks, graph)).toEqual([])
  })

  test('exports no name made of a word that was retired', () => {
    expect(lines(inside.flatMap((file) => checkWords(file)))).toEqual([])
  })
})

describe('the tests', () => {
  test('are left out only by needs(tool), which reports the reason, or by skip with a reason', () => {
    const silent = /\b(skipIf|runIf)\((?!!?needs\()|\{ (skip|only): true\b|\bskip\(\)/
    const files = filesUnder('test', /\.test\.ts$/).filter((path) => !path.startsWith('test/tidy/'))
    expect(files.filter((path) => silent.test(read(path)))).toEqual([])
  })
})

describe('what people read', () => {
  test('names only files of source, tests and docs that exist', () => {
    const isRead = (path: string) =>
      path.endsWith('.md') ? path !== 'CHANGELOG.md' : /^src\/.*\.tsx?$/.test(path)
    const texts = tracked.filter(isRead)
    expect(lines(texts.flatMap((path) => checkMentions(path, read(path), existsSync)))).toEqual([])
  })

  test('leaves through functions that escape what commands a terminal', () => {
    // The last one writes rows that csvLine and printableJson have escaped.
    const owners = [
      'cli/output/print',
      'daemon/guard/process/guard-worker',
      'daemon/guard/notices/report',
      'cli/inspect/export',
    ]
    const writers = sources.filter(({ path }) =>
      /\bprocess\.std(out|err)\.write\b|\bconsole\.\w+\(['"`]/.test(read(path)),
    )
    const others = writers
      .map(({ path }) => path)
      .filter((path) => !owners.some((owner) => path === `src/${owner}.ts`))
    expect(others).toEqual(['src/launch.mjs'])
  })

  test('has no retired phrase: neither README and docs, nor the messages of the program', () => {
    const texts = ['README.md', 'src/README.md', ...filesUnder('docs', /\.md$/)]
    expect(lines(texts.flatMap((path) => checkPhrases(path, read(path))))).toEqual([])
    expect(lines(sources.flatMap((file) => checkMessages(file)))).toEqual([])
  })
})

describe('what is tracked', () => {
  test('no text leaves work unfinished or names a checkout, a home folder or a package registry', () => {
    const origin = git('config', '--get', '--default', '', 'remote.origin.url').replace('file://', '')
    const machinePaths = [process.cwd(), ...(isAbsolute(origin) ? [origin.replace(/\/\.git$/, '')] : [])]
    expect(lines(tracked.flatMap((path) => checkText(path, read(path), machinePaths)))).toEqual([])
  })

  test('package.json has exact versions only, and the lock file hashes without hosts', () => {
    expect(checkVersions(manifest)).toEqual([])
    expect(checkLockFile(JSON.parse(read('package-lock.json')) as LockFile)).toEqual([])
  })

  test("README shows the newcomer's two commands", () => {
    expect(checkReadme(existsSync('README.md') ? read('README.md') : null)).toEqual([])
  })
})
