import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeptResult } from '../campaign/plan.ts'
import { programAt } from '../campaign/program.ts'
import { joinCampaign } from '../campaign/queue.ts'
import { needs } from '../support/needs.ts'
import { postgresSurroundings, startPostgres, type PostgresServer } from '../support/postgres.ts'
import { until } from '../e2e/daemon/until.ts'

const ROOT = join(import.meta.dirname, '../..')
const SCRIPT = join(ROOT, 'scripts/campaign.ts')
const BATCHES = 8
const PLAN = ['--fuzz', String(1_000 * BATCHES)]

type Ended = { readonly code: number | null; readonly text: string }

describe.skipIf(needs('initdb', postgresSurroundings()))('a campaign over a queue', () => {
  const folder = mkdtempSync(join(tmpdir(), 'campaign-queue-'))
  const started: ChildProcess[] = []
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => {
    for (const one of started) one.kill('SIGKILL')
    server.stop()
  })

  function campaign(words: readonly string[]): {
    readonly process: ChildProcess
    readonly ended: Promise<Ended>
  } {
    const child = spawn(process.execPath, [SCRIPT, ...words], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
    const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, text })))
    return { process: child, ended }
  }
  const queue = () => ['--queue', server.url, '--lease-seconds', '1.5']
  async function count(text: string): Promise<number> {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    try {
      const { rows } = await client.query<{ count: number }>(text)
      return rows[0]?.count ?? 0
    } catch (error) {
      // The tables come with the first process.
      if ((error as { readonly code?: string }).code === '42P01') return 0
      throw error
    } finally {
      await client.end()
    }
  }
  const resultsIn = (name: string) =>
    readFileSync(join(folder, name, 'results.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as KeptResult)
      .filter(({ kind }) => kind === 'fuzz')
      .map(({ key, seen, failure }) => ({ key, seen, failure }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))

  test('is lived by anyone who joins with the same program, whatever becomes of one of them, and comes to what a local run comes to', async () => {
    const owner = campaign([...PLAN, '--workers', '0', '--out', join(folder, 'shared'), ...queue()])
    await until(
      'the campaign is open',
      async () => (await count('select count(*)::int from mizani_campaign.sweep')) > 0,
    )
    const here = programAt(ROOT)
    const idle = { size: 1, run: () => Promise.reject(new Error('it lives nothing')), waitMs: 0 }
    const signal = new AbortController().signal
    const choice = { url: server.url, leaseMs: 1_500 }
    expect(await joinCampaign({ ...here, commit: 'bbbbbbbb' }, { ...idle, signal }, choice)).toEqual({
      ok: false,
      error: expect.stringMatching(`${here.commit} there, bbbbbbbb here`),
    })
    const worlds = { ...here.worlds, guard: 'of other faults' }
    expect(await joinCampaign({ ...here, worlds }, { ...idle, signal }, choice)).toEqual({
      ok: false,
      error: expect.stringMatching('other worlds: guard'),
    })
    const victim = campaign(['--join', '--workers', '1', ...queue()])
    await until(
      'it has brought a result',
      async () => (await count('select count(*)::int from mizani_campaign.result')) > 0,
    )
    victim.process.kill('SIGKILL')
    const other = campaign(['--join', '--workers', '1', ...queue()])
    expect(await owner.ended).toEqual({ code: 0, text: expect.stringContaining('it held') })
    expect(await other.ended).toEqual({ code: 0, text: expect.stringContaining('is complete') })
    const local = campaign([...PLAN, '--workers', '1', '--out', join(folder, 'local')])
    expect(await local.ended).toMatchObject({ code: 0 })
    expect(resultsIn('shared')).toHaveLength(BATCHES)
    expect(resultsIn('shared')).toEqual(resultsIn('local'))
  }, 240_000)

  test('is not joined where none is open', async () => {
    const signal = new AbortController().signal
    const idle = { size: 1, run: () => Promise.reject(new Error('it lives nothing')), waitMs: 0, signal }
    expect(await joinCampaign(programAt(ROOT), idle, { url: server.url, leaseMs: 1_500 })).toEqual({
      ok: false,
      error: expect.stringMatching(/no campaign/),
    })
  })
})
