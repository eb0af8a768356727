import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkEnvironment } from '../../../../../src/research/diagnosis/check/environment.ts'
import { DAY_MS } from '../../../../../src/base/time.ts'
import type { CheckResult } from '../../../../../src/venue/check-result.ts'
import { load, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-home-'))

/** What `mizani check` finds on this machine with these lines instead of those of the example. */
async function found(
  http: string,
  log = '{ level: info }',
  baseUrl = 'https://venue.example',
  apiKey = '!env MIZANI_API_KEY',
): Promise<readonly CheckResult[]> {
  const yaml = VALID.replace(/^( +baseUrl:) \S+/m, `$1 ${baseUrl}\n  allowPlainHttp: true`)
    .replace(/^http: .*$/m, `http: ${http}`)
    .replace(/^log: .*$/m, `log: ${log}`)
    .replace(/^( +apiKey:) .*$/m, `$1 ${apiKey}`)
    .replace('path: ./data', `path: ${join(folder, 'store')}`)
  const config = await load(yaml)
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  const findings: CheckResult[] = []
  for await (const finding of checkEnvironment(config.value, async () => false)) findings.push(finding)
  return findings
}

describe('mizani check of this machine', () => {
  test.each([
    ['{ host: 0.0.0.0, port: 0 }', true],
    ['{ host: 0.0.0.0, port: 0, token: !env MIZANI_HTTP_TOKEN }', false],
    ['{ host: 127.0.0.2, port: 0 }', false],
    ['{ host: localhost, port: 0 }', false],
  ])('warns of a daemon that no one could halt: http %s', async (http, isWarned) => {
    const token = (await found(http)).find(({ name }) => name === 'token')
    expect(token?.status).toBe(isWarned ? 'warn' : undefined)
  })

  test.each([
    ['http://venue.example', true],
    ['https://venue.example', false],
    ['http://127.0.0.1:8787', false],
    ['http://[::1]:8787', false],
  ])('warns of a key that crosses the network readable: %s', async (baseUrl, isWarned) => {
    const findings = await found('{ port: 0 }', '{ level: info }', baseUrl)
    expect(findings.find(({ name }) => name === 'encryption')?.status).toBe(isWarned ? 'warn' : undefined)
  })

  test.each([
    [0o600, undefined],
    [0o640, 'warn'],
    [0o604, 'warn'],
  ])('warns of a key that other users can read: mode %o', async (mode, status) => {
    const key = join(folder, `key-${mode}`)
    writeFileSync(key, 'mm_live_0123456789abcdef', { mode })
    chmodSync(key, mode)
    const findings = await found('{ port: 0 }', '{ level: info }', 'https://venue.example', `!file ${key}`)
    const file = findings.find(({ name }) => name === 'secret file')
    expect([file?.status, file?.hint]).toEqual([status, status && `chmod 600 ${key}`])
  })

  test.each([
    [89, 'ok'],
    [91, 'warn'],
  ])('reports the drills of %d days ago with status %s', async (days, status) => {
    const store = join(folder, 'store')
    mkdirSync(store, { recursive: true })
    const at = new Date(Date.now() - days * DAY_MS).toISOString()
    const drill = { name: 'leak', at, passed: true, noticeMs: 1, safeMs: 2, costUsd: 0 }
    writeFileSync(join(store, 'drills.json'), JSON.stringify([drill]))
    const drills = (await found('{ port: 0 }')).find(({ name }) => name === 'drills')
    rmSync(store, { recursive: true })
    expect(drills?.status).toBe(status)
    expect(drills?.detail).toContain(`${days}d`)
    expect((await found('{ port: 0 }')).some(({ name }) => name === 'drills')).toBe(false)
  })

  test.each([
    [join(folder, 'mizani.log'), 'ok'],
    ['mizani.log', 'ok'],
    [folder, 'fail'],
    [join(folder, 'not-there', 'mizani.log'), 'fail'],
  ])('says whether the log can be written to %s', async (file, status) => {
    const log = (await found('{ port: 0 }', `{ file: '${file}' }`)).find(({ name }) => name === 'log')
    expect(log?.status).toBe(status)
  })
})
