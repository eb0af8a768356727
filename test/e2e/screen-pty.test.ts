import { spawn, execFileSync, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { positionFolder, type PositionFolder } from './daemon/position-folder.ts'
import { TEST_ENV } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'
import { needs } from '../support/needs.ts'
import { terminalEmulator, type TerminalEmulator } from '../support/terminal-emulator.ts'
import { exampleView } from '../unit/daemon/telemetry/example-view.ts'

// `mizani status --watch` on a real pseudo-terminal, which `script` makes, against something that answers as
// a daemon does. What it writes is shown by the emulator.

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

type Session = {
  readonly child: ChildProcess
  readonly terminal: TerminalEmulator
  readonly daemon: { body: object | null }
  readonly bytes: () => string
  /** Of the program itself, not of `script`. */
  readonly pid: () => number
  readonly resize: (columns: number, rows: number) => void
  readonly ended: Promise<unknown>
}

const cleanups: (() => void)[] = []

afterAll(() => {
  for (const cleanup of cleanups) cleanup()
})

/** Answers every question with `body`; null = not at all. */
async function fakeDaemon(name: string): Promise<{ body: object | null; readonly port: number }> {
  const fake = { body: exampleView({ name }) as object | null, port: 0 }
  const server = createServer((_request, response) => {
    if (fake.body === null) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(fake.body))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  fake.port = (server.address() as AddressInfo).port
  return fake
}

async function position(
  name: string,
): Promise<{ daemon: { body: object | null }; folder: PositionFolder; config: string }> {
  const folder = positionFolder('http://127.0.0.1:9', name)
  cleanups.push(folder.remove)
  const daemon = await fakeDaemon(name)
  return { daemon, folder, config: folder.configure({ http: { port: daemon.port } }) }
}

async function watch(env: Record<string, string> = {}, others: readonly string[] = []): Promise<Session> {
  const { daemon, folder, config } = await position('desk-1')
  const configs = [config, ...others].map((file) => `--config ${file}`).join(' ')
  const [ttyFile, pidFile] = [join(folder.path, 'tty'), join(folder.path, 'pid')]
  const program = `stty cols 100 rows 30; tty > ${ttyFile}; echo $$ > ${pidFile}; exec ${process.execPath} ${MAIN} status --watch ${configs}`
  const child = spawn('script', ['-qec', program, '/dev/null'], {
    env: { ...process.env, ...TEST_ENV, TERM: 'xterm', NO_COLOR: '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const terminal = terminalEmulator(100, 30)
  let bytes = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    bytes += text
    if (env['TERM'] !== 'dumb') terminal.write(text)
  })
  const ended = new Promise((done) => child.once('close', done))
  await until('the status is shown', () => bytes.includes('ACTIVE'), {
    withinMs: 20_000,
    otherwise: () => bytes,
  })
  return {
    child,
    terminal,
    daemon,
    bytes: () => bytes,
    pid: () => Number(readFileSync(pidFile, 'utf8')),
    resize(columns, rows) {
      terminal.resize(columns, rows)
      const tty = readFileSync(ttyFile, 'utf8').trim()
      execFileSync('stty', ['-F', tty, 'cols', String(columns), 'rows', String(rows)])
    },
    ended,
  }
}

const givenBack = (terminal: TerminalEmulator) => [terminal.page(), terminal.cursor().shown]

describe.skipIf(needs('script'))('a status on a real pseudo-terminal', { concurrent: true }, () => {
  test('is drawn, redrawn within a moment of a new size, and left with q', async () => {
    const { child, daemon, terminal, resize, ended } = await watch()
    expect(terminal.page()).toBe('other')
    expect(terminal.screen()[0]).toMatch(/^desk-1 +ACTIVE/)
    expect(terminal.styleAt(0, 13)).toContain('32')
    // No look brings a new drawing now, so what comes is the answer to the new size.
    daemon.body = null
    resize(60, 10)
    await until(
      'it is as high as the window',
      () => terminal.screen().at(-1)?.includes('more lines') === true,
      {
        withinMs: 4_000,
        otherwise: () => terminal.screen().join('\n'),
      },
    )
    child.stdin?.write('q')
    expect(await ended).toBe(0)
    expect(givenBack(terminal)).toEqual(['first', true])
  })

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('gives the terminal back on %s', async (signal) => {
    const { terminal, pid, ended } = await watch()
    expect(givenBack(terminal)).toEqual(['other', false])
    process.kill(pid(), signal)
    expect(await ended).toBe(0)
    expect(givenBack(terminal)).toEqual(['first', true])
  })

  test('hears Ctrl-C and Ctrl-D as keys, and gives the terminal back', async () => {
    for (const key of ['\u0003', '\u0004']) {
      const { child, terminal, ended } = await watch()
      child.stdin?.write(key)
      expect(await ended).toBe(0)
      expect(givenBack(terminal)).toEqual(['first', true])
    }
  })

  test('comes back by itself where Ctrl-Z stops nothing', async () => {
    // `script` has no shell that could go on with a stopped job, so the system does not stop it.
    const { child, bytes, terminal, ended } = await watch()
    const before = bytes().length
    child.stdin?.write('\u001A')
    await until('it is drawn anew', () => /\?1049l[^]*\?1049h/.test(bytes().slice(before)))
    child.stdin?.write('q')
    expect(await ended).toBe(0)
    expect(givenBack(terminal)).toEqual(['first', true])
  })

  test('gives the terminal back before an error is reported, so that the error stays to be read', async () => {
    const { daemon, terminal, ended } = await watch()
    // A daemon of another version, whose view lacks what this program draws.
    daemon.body = { name: 'desk-1', now: 0, tradingState: 'ACTIVE' }
    expect(await ended).not.toBe(0)
    expect(givenBack(terminal)).toEqual(['first', true])
    expect(terminal.screen().join('\n')).toContain('TypeError')
  })

  test('shows several positions as a list, and a digit opens one of them', async () => {
    const { config } = await position('desk-2')
    const { child, terminal, ended } = await watch({}, [config])
    expect(terminal.screen().map((line) => line.slice(0, 19))).toEqual([
      '1 desk-1     ACTIVE',
      '2 desk-2     ACTIVE',
      expect.stringMatching(/^ +a dig/) as string,
    ])
    child.stdin?.write('2')
    await until('the second is open', () => /^desk-2 +ACTIVE/.test(terminal.screen()[0] ?? ''))
    child.stdin?.write('0')
    await until('the list is back', () => terminal.screen()[0]?.startsWith('1 desk-1') === true)
    child.stdin?.write('q')
    expect(await ended).toBe(0)
  })

  test('is plain lines with TERM=dumb', async () => {
    const { bytes, pid, ended } = await watch({ TERM: 'dumb' })
    process.kill(pid(), 'SIGTERM')
    await ended
    expect(bytes()).toMatch(/^\d{4}-.* \| ACTIVE \| .*\r\n/)
    expect(bytes()).not.toContain('\u001B')
  })
})
