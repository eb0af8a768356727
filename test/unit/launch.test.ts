import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'

/** Starts the launcher in a Node that believes to be another version on another platform. */
function launch(version: string, platform: string, arch: string) {
  const disguise = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
    Object.defineProperty(process, 'platform', { value: '${platform}' })
    Object.defineProperty(process, 'arch', { value: '${arch}' })`
  const run = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(disguise)}`, 'src/launch.mjs', 'start'],
    { encoding: 'utf8' },
  )
  return { status: run.status, stdout: run.stdout, stderr: run.stderr }
}

test('on a platform with a Node from npm ci, an old Node exits with 2 and one line that names npm ci', () => {
  const run = launch('20.20.2', 'linux', 'x64')
  expect(run).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) as string })
  expect(run.stderr).toContain('this is Node 20.20.2')
  expect(run.stderr).toContain('`npm ci`, which brings Node 24 along')
  expect(run.stderr).toContain('`npx mizani ...`')
})

test('on any other platform, an old Node exits with the advice to install Node 24', () => {
  const run = launch('22.1.0', 'darwin', 'arm64')
  expect(run).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) as string })
  expect(run.stderr).toContain('install Node 24')
})

describe('what a start has compiled', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  /** A checkout of the launcher and a program, which prints its answer from the main thread and from a worker. */
  function checkout(answer: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'mizani-launch-'))
    folders.push(folder)
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    cpSync('src/launch.mjs', join(folder, 'src/launch.mjs'))
    writeFileSync(
      join(folder, 'src/main.ts'),
      `import { isMainThread, Worker } from 'node:worker_threads'
       import { answer } from './answer.ts'
       console.log(isMainThread ? 'main' : 'worker', answer, process.env.NODE_COMPILE_CACHE ?? 'no cache')
       if (isMainThread) new Worker(new URL(import.meta.url))`,
    )
    writeAnswer(folder, answer)
    return folder
  }

  function writeAnswer(folder: string, answer: string): void {
    writeFileSync(join(folder, 'src/answer.ts'), `export const answer: string = '${answer}'`)
  }

  function run(folder: string) {
    // Where coverage is measured the runner forbids Node to keep compiled code.
    const { NODE_COMPILE_CACHE: _ours, NODE_DISABLE_COMPILE_CACHE: _forbidden, ...env } = process.env
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/launch.mjs'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    return { status, lines: stdout.trim().split('\n'), stderr }
  }

  const cacheOf = (folder: string): string => join(folder, 'node_modules/.cache/mizani/compiled')
  const filesOf = (folder: string): readonly string[] =>
    readdirSync(cacheOf(folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(cacheOf(folder), name))
      .filter((file) => statSync(file).isFile())
  const answers = (folder: string, answer: string) => ({
    status: 0,
    lines: [`main ${answer} ${cacheOf(folder)}`, `worker ${answer} ${cacheOf(folder)}`],
    stderr: '',
  })

  test('is kept beside the packages of the checkout by version of Node, for worker threads too', () => {
    const folder = checkout('one')
    expect(run(folder)).toEqual(answers(folder, 'one'))
    expect(filesOf(folder).length).toBeGreaterThan(1)
    expect(readdirSync(cacheOf(folder))).toEqual([expect.stringContaining(process.version) as string])
    const before = filesOf(folder)
    expect(run(folder)).toEqual(answers(folder, 'one'))
    expect(filesOf(folder)).toEqual(before)
  })

  test('is not used once the source has changed', () => {
    const folder = checkout('one')
    run(folder)
    writeAnswer(folder, 'two')
    expect(run(folder)).toEqual(answers(folder, 'two'))
    expect(run(folder)).toEqual(answers(folder, 'two'))
  })

  test('is compiled again where its files are damaged, cut off or empty', () => {
    const folder = checkout('one')
    run(folder)
    for (const bytes of ['', 'x', 'damaged '.repeat(1_000)]) {
      for (const file of filesOf(folder)) writeFileSync(file, bytes)
      expect(run(folder)).toEqual(answers(folder, 'one'))
    }
    for (const file of filesOf(folder)) {
      const bytes = readFileSync(file)
      bytes[bytes.length >> 1]! ^= 1
      writeFileSync(file, bytes)
    }
    expect(run(folder)).toEqual(answers(folder, 'one'))
  })

  test('is not kept where that folder cannot be made, and the program runs without it', () => {
    const folder = checkout('one')
    writeFileSync(join(folder, 'node_modules'), 'a file')
    expect(run(folder)).toEqual({
      status: 0,
      lines: ['main one no cache', 'worker one no cache'],
      stderr: '',
    })
  })
})
