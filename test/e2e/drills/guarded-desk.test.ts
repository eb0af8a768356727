import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { DrillResult } from '../../../src/drills/model/drill.ts'
import { positionFolder } from '../daemon/position-folder.ts'
import { runHere } from '../daemon/run-here.ts'

const scratch = mkdtempSync(join(tmpdir(), 'mizani-guarded-drill-'))
const folder = positionFolder('http://127.0.0.1:1')
afterAll(() => {
  folder.remove()
  rmSync(scratch, { recursive: true, force: true })
})

test(
  'a desk with a guard is safe within seconds of kill -9, and gets its lease back from a guard that was restarted',
  { timeout: 400_000 },
  async () => {
    const config = folder.configure({
      venue: { apiKey: '!env A_KEY_THAT_NOBODY_SET', requestsPerMinute: 600 },
      risk: { priceCorridor: { min: '2300', max: '2900' } },
      notify: { webhook: { url: '!env ANOTHER_THAT_NOBODY_SET', hmacKey: '!env NOR_THIS' }, groupMs: 5_000 },
      http: { port: 0, token: '!env NOT_SET_EITHER' },
      guard: { url: 'https://guard.example:9465', token: '!env NOBODY_SET_THIS' },
    })
    const learned = { protocolFeeBps: 10, toleranceBps: 5, requestsPerMinute: 600 }
    const like = folder.write('venue.json', profileWith(learned))
    const nights = ['--only', 'daemon-killed,guard-restarted', '--parallel', '2', '--like', like]
    const env = { TMPDIR: scratch }
    const { out, err } = await runHere(['drill', '--config', config, ...nights, '--json'], env)
    expect(err).toMatch(/of 2 drills/)
    const { results } = JSON.parse(out) as { readonly results: readonly DrillResult[] }
    const [killed, restarted] = results
    expect(results.map(({ name, status, why }) => [name, status, why])).toEqual([
      ['daemon-killed', 'passed', null],
      ['guard-restarted', 'passed', null],
    ])
    // Sooner than the supervisor, which is there after ten seconds.
    expect(killed?.safeMs).toBeLessThan(10_000)
    expect(killed?.told.map(({ severity }) => severity)).toContain('critical')
    expect(killed?.noticed).toContain('has been silent')
    expect(restarted?.safeMs).toBeGreaterThan(10_000)
    expect(restarted?.noticeMs).toBeLessThan(10_000)

    expect(readdirSync(scratch)).toEqual([])
    const left = readdirSync('/proc').filter((pid) => commandOf(pid).includes(scratch))
    expect(left).toEqual([])
  },
)

function profileWith(learned: object): string {
  const unknown = { bidFormula: null, feeFrom: null, dialect: null, publicRequestsPerMinute: null }
  const about = { version: 1, position: 'desk-1', from: null, to: null, events: 0, traits: [] }
  return JSON.stringify({ ...about, sandbox: { ...unknown, ...learned } })
}

/** The command line of a process; empty where there is none any more. */
function commandOf(pid: string): string {
  const file = `/proc/${pid}/cmdline`
  return /^\d+$/.test(pid) && existsSync(file) ? readFileSync(file, 'utf8') : ''
}
