import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TournamentResult } from '../../src/research/tournament/summarise.ts'
import { needs } from '../support/needs.ts'
import { postgresSurroundings, startPostgres, type PostgresServer } from '../support/postgres.ts'
import { PROGRAM, SHORT_LIFE } from './daemon/program.ts'
import { runMizani } from './daemon/run-mizani.ts'
import { until } from './daemon/until.ts'

const SMALL = ['--scenarios', 'normal,toxic-taker', '--seeds', '3', '--training-seeds', '3', '--days', '14']
const PLAYERS = ['--strategies', 'constant,glft']
/** Two scenarios with three training and three test seeds. */
const WORLDS = 12

describe.skipIf(needs('initdb', postgresSurroundings()))('a tournament over a queue', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tournament-queue-'))
  let server: PostgresServer
  let alone: Promise<TournamentResult> | undefined

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => {
    server.stop()
  })

  const out = (name: string) => join(folder, name)
  const words = (name: string, more: readonly string[]) => [
    'tournament',
    '--json',
    '--out',
    out(name),
    ...SMALL,
    ...PLAYERS,
    ...more,
  ]
  const play = async (name: string, more: readonly string[]) => {
    const { code, out: text, err } = await runMizani(words(name, more))
    expect([code, code === 0 ? '' : err]).toEqual([0, ''])
    return JSON.parse(text) as TournamentResult
  }
  /** What a run without a queue comes to, which is run once. */
  const local = () => (alone ??= play('local', ['--workers', '1']))
  const queue = (database: string, workers: number) => [
    '--queue',
    server.url.replace(/postgres$/, database),
    '--lease-seconds',
    '1.5',
    '--workers',
    String(workers),
  ]
  async function asked<Row extends object>(database: string, text: string): Promise<Row[]> {
    const client = new Client({ connectionString: server.url.replace(/postgres$/, database) })
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }
  const makeDatabase = (name: string) => asked('postgres', `create database ${name}`)
  const results = async (database: string) =>
    (
      await asked<{ count: number; workers: number }>(
        database,
        "select count(*)::int, count(distinct worker) filter (where worker <> 'local')::int as workers from mizani_tournament.result",
      )
    )[0]

  test('gives every process the result of a local run, and plays each world once', async () => {
    await makeDatabase('shared')
    const [expected, first, second, watcher] = await Promise.all([
      local(),
      play('first', queue('shared', 1)),
      play('second', queue('shared', 1)),
      play('watcher', queue('shared', 0)),
    ])
    expect(first).toEqual(expected)
    expect(second).toEqual(expected)
    expect(watcher).toEqual(expected)
    expect((await results('shared'))?.count).toBe(WORLDS)
    const keysOf = (name: string) =>
      readFileSync(join(out(name), 'results.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .toSorted()
    expect(keysOf('watcher')).toEqual(keysOf('local'))
  })

  test('whose process is killed is finished by another one, and resumes from what its folder holds', async () => {
    await makeDatabase('killed')
    const victim = spawn(process.execPath, [...SHORT_LIFE, PROGRAM, ...words('victim', queue('killed', 1))], {
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => victim.once('exit', resolve))
    const kept = join(out('victim'), 'results.jsonl')
    await until('it has a result', () => existsSync(kept) && readFileSync(kept, 'utf8').length > 0)
    victim.kill('SIGKILL')
    await ended
    const other = await play('other', queue('killed', 1))
    expect(other).toEqual(await local())
    expect((await results('killed'))?.count).toBe(WORLDS)
    expect(await play('victim', queue('killed', 0))).toEqual(other)
  })

  test('needs threads or a queue, and says where the database cannot be reached', async () => {
    const none = await runMizani(words('none', ['--workers', '0']))
    expect([none.code, `${none.out}${none.err}`]).toEqual([
      2,
      expect.stringContaining('--workers 0 needs --queue'),
    ])
    const nowhere = await runMizani(words('none', ['--queue', 'postgres://desk@127.0.0.1:1/none']))
    expect([nowhere.code, `${nowhere.out}${nowhere.err}`]).toEqual([
      1,
      expect.stringMatching(/--queue: .*ECONNREFUSED/s),
    ])
  })
})
