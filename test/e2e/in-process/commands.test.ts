import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { storeFiles } from '../../../src/store/store-files.ts'
import { BUSY_VENUE, MORNING, positionFolder, type PositionFolder } from '../daemon/position-folder.ts'
import { PROGRAM } from '../daemon/program.ts'
import { runHere } from '../daemon/run-here.ts'
import type { Finished } from '../daemon/run-mizani.ts'
import { endDaemons, HTTP_TOKEN, API_KEY, runDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { freePort } from '../../support/free-port.ts'

// One position at one venue from before its first run to after its death, commanded as a person would.

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let venue: SandboxServer
let folder: PositionFolder
let config = ''
let sections: Record<string, unknown> = {}

beforeAll(async () => {
  venue = await startSandbox({ ...BUSY_VENUE, startMs: MORNING, speed: 240, scenario: 'normal', seed: 3 })
  folder = positionFolder(venue.url)
  sections = {
    // A busy machine is no fault of the venue's.
    venue: { requestTimeoutMs: 5_000 },
    // A halted position stays in the market at the safe quote, so that there is something left to take out.
    risk: { onHalt: 'safe' },
    http: { port: await freePort() },
    withdraw: { enabled: true, destinations: [WALLET], maxPerDay: { USDC: 100 } },
  }
  config = folder.configure(sections)
})

afterAll(async () => {
  await endDaemons()
  await venue.close()
  folder.remove()
})

const cli = (...args: string[]) => cliWith({}, ...args)

const cliWith = async (env: Record<string, string>, ...args: string[]) => {
  const { code, out, err } = await runHere([...args, '--config', config], env)
  return { code, out, err, json: () => JSON.parse(out) as Record<string, unknown> }
}

const WITHOUT_SECRETS = { MIZANI_API_KEY: '', MIZANI_HTTP_TOKEN: '' }

describe('bad input', () => {
  test('a wrong command line or configuration exits with code 2 and names what is expected', async () => {
    const broken = folder.write(
      'broken.yaml',
      // At the port of the defaults, and at one that was free a moment ago, the daemon of another test may listen.
      'name: desk-1\nvenu: 5\nhttp: { port: 1 }\n',
    )
    const [unknown, missing, choice, number, keys, json] = await Promise.all([
      runHere(['chek']),
      runHere(['status']),
      runHere(['sandbox', '--scenario', 'norml']),
      runHere(['sandbox', '--port', '70000']),
      runHere(['check', '--config', broken]),
      runHere(['pause', '--config', broken, '--json']),
    ])
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('mean check?') as string })
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('give one of --config') as string })
    expect(choice).toMatchObject({ code: 2, err: expect.stringContaining('devaluation') as string })
    expect(number).toMatchObject({ code: 2, err: expect.stringContaining('from 0 to 65535') as string })
    expect(keys.code).toBe(2)
    expect(keys.err).toMatch(/broken\.yaml:2:1 venu: .*venue/)
    const { exitCode, problems } = JSON.parse(json.out) as { exitCode: number; problems: unknown }
    expect([json.code, exitCode]).toEqual([2, 2])
    expect(problems).toContainEqual(expect.objectContaining({ line: 2, path: 'venu' }))
  })

  test('a venue that is not there, or refuses the key, is exit code 4', async () => {
    const elsewhere = positionFolder(`http://127.0.0.1:${await freePort()}`)
    const away = elsewhere.configure({ http: sections['http'] })
    const [quote, check, deactivate, wrongKey] = await Promise.all([
      runHere(['quote', '--config', away]),
      runHere(['check', '--config', away]),
      runHere(['deactivate', '--config', away]),
      runHere(['check', '--config', config, '--json'], { MIZANI_API_KEY: 'mm_test_of_somebody_else' }),
    ])
    expect(quote).toMatchObject({ code: 4, err: expect.stringContaining('ECONNREFUSED') as string })
    expect(check.code).toBe(4)
    expect(check.out).toMatch(/^fail {2}venue .*venue\.baseUrl/m)
    expect(deactivate).toMatchObject({ code: 4, err: expect.stringContaining('nothing was sent') as string })
    expect(wrongKey.code).toBe(4)
    expect(JSON.parse(wrongKey.out)).toMatchObject({ fail: 1, exitCode: 4 })
    expect(wrongKey.out).not.toContain('mm_test_of_somebody_else')
    expect(existsSync(elsewhere.store)).toBe(false)
    elsewhere.remove()
  })
})

describe('before the first run', () => {
  test('there is nothing to show or to pause, and asking leaves no store behind', async () => {
    const [status, pause, activate, replay, shown] = await Promise.all([
      cli('status'),
      cli('pause'),
      cli('activate', '--json'),
      cli('replay', '--json'),
      cli('export', '--what', 'fills'),
    ])
    expect(status).toMatchObject({ code: 1, err: expect.stringContaining('no daemon answers') as string })
    expect(pause).toMatchObject({ code: 1, err: expect.stringContaining('has never run') as string })
    expect(activate.code).toBe(3)
    expect(activate.json()).toMatchObject({ exitCode: 3, accepted: false, via: 'nobody' })
    expect([replay.code, replay.json()['exitCode'], shown.code]).toEqual([1, 1, 1])
    expect(existsSync(folder.store)).toBe(false)
  })

  test('check finds everything ready, and quote reads both sides with their formula', async () => {
    const [check, quote] = await Promise.all([cli('check', '--json'), cli('quote', '--json')])
    expect([check.code, check.json()['fail']]).toEqual([0, 0])
    expect(check.json()['findings']).toContainEqual(
      expect.objectContaining({
        name: 'store',
        status: 'ok',
        detail: expect.stringContaining('will be created') as string,
      }),
    )
    expect(quote.code).toBe(0)
    expect(quote.json()['sides']).toMatchObject([
      { side: 'bid', spreadBps: 500, formula: 'in / (mid * (1 + bid))' },
      { side: 'ask', spreadBps: 500, formula: 'in * mid * (1 - ask)' },
    ])
  })

  test('a withdrawal asks first, is bound by the configuration, and works without a daemon', async () => {
    const order = (amount: string, to = WALLET) => [
      'withdraw',
      '--token',
      'USDC',
      '--amount',
      amount,
      '--to',
      to,
    ]
    const [unasked, elsewhere, tooMuch] = await Promise.all([
      cli(...order('5')),
      cli(...order('5', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'), '--yes'),
      cli(...order('100.000001'), '--yes'),
    ])
    expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining('add --yes') as string })
    expect(elsewhere).toMatchObject({ code: 3, err: expect.stringContaining('not among') as string })
    expect(tooMuch).toMatchObject({ code: 3, err: expect.stringContaining('allows 100 USDC') as string })
    expect(venue.model.state.ours.wallet.USDC).toBe(12_000_000_000n)

    const sent = await cli(...order('5'), '--yes', '--json')
    expect([sent.code, sent.json()]).toMatchObject([0, { accepted: true, via: 'venue', amount: '5' }])
    const again = await cli(...order('96'), '--yes')
    expect(again).toMatchObject({ code: 3, err: expect.stringContaining('would make 101') as string })
    expect(venue.model.state.ours.wallet.USDC).toBe(11_995_000_000n)
    const ledger = await cli('export', '--what', 'ledger')
    expect(ledger.out).toContain('"kind":"withdrawal"')
  })
})

describe('while the daemon runs', () => {
  test('the commands go through it', async () => {
    const daemon = runDaemon({ configs: [config] })
    await until('it trades', async () => (await daemon.state()).fills.total >= 3, {
      otherwise: daemon.output,
    })
    expect((await cli('status', '--json')).json()).toMatchObject({
      name: 'desk-1',
      running: true,
      tradingState: 'ACTIVE',
    })
    const [table, check, withdraw, wrongToken] = await Promise.all([
      cli('status'),
      cli('check'),
      cli('withdraw', '--token', 'USDC', '--amount', '1', '--to', WALLET, '--yes'),
      runHere(['halt', '--config', config], { MIZANI_HTTP_TOKEN: 'a-guess' }),
    ])
    expect(table.out).toMatch(/^desk-1 +ACTIVE +in the market/m)
    expect(table.out).not.toContain('\u001B')
    expect(check).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ok +daemon /m) as string,
    })
    expect(withdraw).toMatchObject({ code: 3, err: expect.stringContaining('deactivate first') as string })
    expect(wrongToken).toMatchObject({ code: 2, err: expect.stringContaining('set http.token') as string })

    const pause = await cli('pause', '--reason', 'lunch', '--json')
    expect([pause.code, pause.json()]).toMatchObject([
      0,
      { accepted: true, via: 'daemon', position: 'desk-1' },
    ])
    const paused = await daemon.state()
    expect([paused.paused, paused.reasons.join()]).toEqual([true, expect.stringContaining('lunch')])
    expect((await cli('resume')).code).toBe(0)
    expect((await daemon.state()).paused).toBe(false)
  })

  test('a quote is explained from what the store holds, and from the moment that the explanation prints', async () => {
    const explained = await cli('explain', '--json')
    expect(explained).toMatchObject({ code: 0, err: '' })
    const { inputs, wanted, from } = explained.json() as { inputs: object; wanted: object; from: string }
    expect(from).toContain('the store in')
    const moment = join(folder.path, 'moment.json')
    writeFileSync(moment, JSON.stringify(inputs))
    const [again, text, curve] = await Promise.all([
      cli('explain', '--json', '--at', moment),
      cli('explain'),
      cli('curve', '--at', moment, '--points', '3', '--json'),
    ])
    expect(again.json()).toMatchObject({ inputs, wanted, from: moment })
    expect(text.out).toMatch(/^half-spread +\+\d/m)
    expect(text.out).toMatch(/^write +(none|PATCH|not before|first)/m)
    const { points } = curve.json() as { points: { inventory: number; askBps: number | null }[] }
    expect(points.map(({ inventory }) => inventory)).toEqual([-1, 0, 1])
    const asks = points.map(({ askBps }) => askBps ?? 501)
    expect(asks).toEqual(asks.toSorted((a, b) => a - b))
  })

  test('the books are exported as they stand, to stdout and to a file that is whole or not there', async () => {
    const out = join(folder.path, 'fills.csv')
    const [lines, file, nowhere] = await Promise.all([
      cli('export', '--what', 'fills'),
      cli('export', '--what', 'fills', '--format', 'csv', '--out', out, '--json'),
      cli('export', '--what', 'quotes', '--out', join(folder.path, 'no', 'such', 'folder'), '--json'),
    ])
    const rows = lines.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly id: string })
    const known = new Set(venue.model.state.ours.fills.map(({ id }) => id))
    expect(rows.length).toBeGreaterThanOrEqual(3)
    expect(rows.filter(({ id }) => !known.has(id))).toEqual([])
    const [header, ...written] = readFileSync(out, 'utf8').trimEnd().split('\r\n')
    expect(header).toMatch(/^id,side,/)
    expect(file.json()).toMatchObject({ what: 'fills', rows: written.length })
    expect([nowhere.code, nowhere.json()['error']]).toEqual([1, expect.stringContaining('cannot be written')])
  })

  test('a reader that leaves is no failure', async () => {
    const { child, ended } = start(['export', '--what', 'ledger', '--config', config])
    child.stdout.destroy()
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

  test('a watched status is a line a look where there is no terminal, and ends with Ctrl-C', async () => {
    const { child, ended } = start(['status', '--watch', '--config', config])
    const [first] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill('SIGINT')
    expect(String(first)).toMatch(/^\d{4}-\d\d-\d\dT.* \| ACTIVE \| bid \d+ ask \d+ bps/)
    expect((await ended).code).toBe(0)
  })

  test('a replay changes nothing, and a halt survives the daemon', async () => {
    expect(await cli('replay')).toMatchObject({ code: 0, out: expect.stringMatching(/^verdict/m) as string })
    expect((await cli('halt', '--reason', 'looks odd')).code).toBe(0)
    const { pid } = JSON.parse(readFileSync(storeFiles(folder.store).holder, 'utf8')) as {
      readonly pid: number
    }
    process.kill(pid, 'SIGKILL')
    await until('the store is free', async () => (await cli('status', '--json')).json()['running'] === false)
    expect((await cliWith(WITHOUT_SECRETS, 'check')).err).toContain('MIZANI_API_KEY')
    const status = await cliWith(WITHOUT_SECRETS, 'status')
    expect(status.out).toMatch(/^DAEMON NOT RUNNING, .*\d{4}.* UTC\n.*unknown.*\nno guard .*\ndesk-1 +HALTED/)
    expect(status.out).toContain('looks odd')
  })
})

describe('after kill -9', () => {
  test("the books and the operators' commands can be read without any secret", async () => {
    const rows = await cliWith(WITHOUT_SECRETS, 'export', '--what', 'ledger')
    expect([rows.code, rows.out.split('\n').length > 1]).toEqual([0, true])
    const audit = await cliWith(WITHOUT_SECRETS, 'audit')
    expect([audit.code, audit.out]).toEqual([0, expect.stringContaining('looks odd')])
  })

  test('the journal gives the same digest twice, and the one that was stored', async () => {
    const [once, twice] = await Promise.all([
      cli('replay', '--json'),
      cliWith(WITHOUT_SECRETS, 'replay', '--json'),
    ])
    expect([once.code, twice.code]).toEqual([0, 0])
    expect(once.json()['digest']).toMatch(/^[0-9a-f]{64}$/)
    expect(once.json()).toEqual(twice.json())
  })

  test('without a daemon no position is activated, and `deactivate` is sent and confirmed every time', async () => {
    const before = await books()
    expect(before.isActive).toBe(true)
    const [activate, pause] = [await cli('activate'), await cli('pause', '--json')]
    expect(activate).toMatchObject({ code: 3, err: expect.stringContaining('quotes unmonitored') as string })
    expect([pause.code, pause.json()]).toMatchObject([4, { via: 'store', accepted: true }])
    const deactivate = await cli('deactivate', '--json')
    expect([deactivate.code, deactivate.json()]).toMatchObject([0, { via: 'venue', accepted: true }])
    expect(deactivate.json()['answer']).toMatch(/confirmed by .*[\d.]+ NTZS/)
    expect(await books()).toMatchObject({ isActive: false, quote: { bidBps: 500, askBps: 500 } })
    expect(deactivate.json()['answer']).toContain('balances are reconciled')
    const again = await cli('deactivate')
    expect([again.code, again.out]).toMatchObject([0, expect.stringContaining('confirmed')])
  })

  test('a word without a daemon is found in force at the next look', async () => {
    const resume = await cli('resume', '--json')
    expect(resume.json()['answer']).toContain('looks odd')
    const status = (await cli('status', '--json')).json()
    expect(status).toMatchObject({ running: false, paused: false, isActive: false })
    expect(status['tradingState']).not.toBe('HALTED')
  })

  test('decisions that differ from what was stored are found, with the stretch they part in', async () => {
    const db = new DatabaseSync(storeFiles(folder.store).database)
    const { seq } = db.prepare('SELECT max(seq) AS seq FROM snapshots').get() as { readonly seq: number }
    db.prepare('UPDATE snapshots SET digest = ? WHERE seq = ?').run('f'.repeat(64), seq)
    db.close()
    const replayed = await cli('replay')
    expect(replayed.code).toBe(1)
    expect(replayed.out).toMatch(
      new RegExp(`^verdict +DIFFERENT .* between event \\d+ and event ${seq}$`, 'm'),
    )
  })
})

describe('the sandbox', () => {
  test('says where it listens first, and ends when no one asks it anything any longer or a signal comes', async () => {
    const [lonely, asked] = [
      start(['sandbox', '--port', '0', '--linger-ms', '50']),
      start(['sandbox', '--port', '0']),
    ]
    for (const { child } of [lonely, asked]) {
      const [first] = (await once(child.stdout, 'data')) as [Buffer]
      expect(String(first)).toMatch(/^listening http:\/\/127\.0\.0\.1:\d+\n/)
    }
    asked.child.kill('SIGTERM')
    expect([(await lonely.ended).code, (await asked.ended).code]).toEqual([0, 0])
  })

  test('a port in use is reported with the remedy', async () => {
    const { code, err } = await runHere(['sandbox', '--port', new URL(venue.url).port])
    expect([code, err]).toEqual([2, expect.stringContaining('--port 0')])
  })
})

function start(args: readonly string[]) {
  const env = { ...process.env, MIZANI_API_KEY: API_KEY, MIZANI_HTTP_TOKEN: HTTP_TOKEN }
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<Pick<Finished, 'code' | 'err'>>((resolve) => {
    child.once('exit', (code) => resolve({ code: code ?? -1, err }))
  })
  return { child, ended }
}

/** The venue's own view of the position, brought up to now. */
async function books(): Promise<{ readonly isActive: boolean; readonly quote: object }> {
  return (await (await fetch(`${venue.url}/sandbox/state`)).json()) as Awaited<ReturnType<typeof books>>
}
