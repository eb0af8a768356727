import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { TEST_ACCOUNTS } from '../../../src/simulator/sandbox/chain/addresses.ts'
import { needs } from '../../support/needs.ts'
import { until } from '../daemon/until.ts'

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const SOME_FILLS = /\| fills [1-9]/

describe.skipIf(needs('anvil'))('mizani start --self-custody', () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  const pids: number[] = []
  afterAll(() => {
    for (const pid of pids) endIfAlive(pid)
  })

  function start() {
    const child = spawn(process.execPath, [MAIN, 'start', '--self-custody'], { cwd: folder })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => (text += data.toString()))
    }
    return { child, text: () => text }
  }

  test('signs, is filled, takes up its market after kill -9, and ends with books that agree', async () => {
    const first = start()
    await until('fills', () => SOME_FILLS.test(first.text()), { withinMs: 120_000, otherwise: first.text })
    const venue = JSON.parse(readFileSync(join(folder, 'data/demo/venue.json'), 'utf8')) as {
      url: string
      chainUrl: string
      pid: number
      folder: string
    }
    pids.push(venue.pid)
    first.child.kill('SIGKILL')
    const second = start()
    await until('fills of the second life', () => SOME_FILLS.test(second.text()), {
      withinMs: 120_000,
      otherwise: second.text,
    })
    expect(second.text()).toContain('resumes the market')
    second.child.kill('SIGINT')
    await until('the end', () => second.child.exitCode !== null, { otherwise: second.text })
    expect(second.child.exitCode).toBe(0)
    expect(second.text()).toMatch(/ledger {5}.* same \d+ fills/)
    await until('the chain is gone', () =>
      fetch(venue.chainUrl).then(
        () => false,
        () => true,
      ),
    )
    // The key is nowhere in the clear, and its password is for its owner only.
    for (const name of readdirSync(venue.folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(venue.folder, name)
      // The link to the socket of a killed daemon leads nowhere.
      if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue
      expect([name, readFileSync(path).includes(TEST_ACCOUNTS.maker.key.slice(2))]).toEqual([name, false])
    }
    expect(statSync(join(venue.folder, 'maker.password')).mode & 0o777).toBe(0o600)
  }, 300_000)

  test('takes no speed, for a chain has none', async () => {
    const child = spawn(process.execPath, [MAIN, 'start', '--self-custody', '--speed', '60'], { cwd: folder })
    let said = ''
    child.stderr.on('data', (data: Buffer) => (said += data.toString()))
    await until('the end', () => child.exitCode !== null)
    expect([child.exitCode, said]).toEqual([
      2,
      'time on a chain is real time: --self-custody takes no --speed\n',
    ])
  })
})

function endIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ESRCH')
  }
}
