import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { runHere } from '../daemon/run-here.ts'
import { until } from '../daemon/until.ts'

const MAIN = join(fileURLToPath(new URL('../../../', import.meta.url)), 'src/main.ts')

describe.skipIf(needs('anvil'))('mizani sandbox --chain', () => {
  test('the command prints both addresses, and ends with its chain on SIGTERM', async () => {
    const { child, out, lines } = started(['--json'])
    await until('a line', () => lines().length === 1)
    const said = JSON.parse(lines()[0] ?? '') as { listening: string; chain: string }
    expect(Object.keys(said)).toEqual(['listening', 'chain'])
    expect(await chainId(said.chain)).toBe('0x2105')
    const state = await fetch(`${said.listening}/sandbox/state`).then((answer) => answer.json())
    expect(state).toMatchObject({ chain: said.chain })
    child.kill('SIGTERM')
    await until('the end', () => child.exitCode !== null)
    expect(child.exitCode).toBe(0)
    expect(await chainId(said.chain)).toBe(null)
    expect(out()).toEqual({ out: `${JSON.stringify(said)}\n`, err: '' })
  })

  test('killed with -9 it leaves no chain behind', async () => {
    const { child, lines } = started([])
    await until('two lines', () => lines().length === 2)
    const chain = /^chain (\S+)$/.exec(lines()[1] ?? '')?.[1] ?? ''
    expect(await chainId(chain)).toBe('0x2105')
    child.kill('SIGKILL')
    await until('the chain is gone', async () => (await chainId(chain)) === null, { withinMs: 5_000 })
  })

  test('with its own speed or start it is refused in one line', async () => {
    for (const [option, value] of [
      ['--speed', '60'],
      ['--start', '2026-01-01T00:00:00Z'],
    ] as const) {
      const { code, out, err } = await runHere(['sandbox', '--chain', option, value])
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(`leave out ${option}`)
    }
  })

  test('without anvil it says what to do, and without its port whose fault that is', async () => {
    const lost = await runHere(['sandbox', '--chain', '--port', '0'], { MIZANI_ANVIL: '/nowhere/anvil' })
    expect(lost).toEqual({
      code: 1,
      out: '',
      err: 'MIZANI_ANVIL names /nowhere/anvil, which is not a program\n',
    })
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    const { port } = blocker.address() as { port: number }
    const taken = await runHere(['sandbox', '--chain', '--port', String(port)])
    expect([taken.code, taken.out]).toEqual([2, ''])
    expect(taken.err).toMatch(/another process/)
    blocker.close()
  })
})

function started(args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [MAIN, 'sandbox', '--chain', '--port', '0', ...args])
  let out = ''
  let err = ''
  child.stdout?.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (err += data.toString()))
  return { child, out: () => ({ out, err }), lines: () => out.split('\n').slice(0, -1) }
}

/** Null where no one answers. */
async function chainId(url: string): Promise<string | null> {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return ((await answer.json()) as { result: string }).result
  } catch {
    return null
  }
}
