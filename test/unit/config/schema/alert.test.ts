import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { formatProblem } from '../../../../src/config/source/problem.ts'
import { ENV, load, problemsOf, VALID } from '../config-fixture.ts'

const PING = 'https://hc.example/ping/a-secret-uuid'

async function alertOf(yaml: string) {
  const result = await load(yaml, {}, { ...ENV, PING })
  if (!result.ok) throw new Error(result.error.map(formatProblem).join('\n'))
  return result.value
}

describe('the section about who watches the daemon', () => {
  test('names no service by default, and has one minute and no suffixes where it names one', async () => {
    expect((await alertOf(VALID)).alert).toEqual({ heartbeat: null })
    const { alert } = await alertOf(`${VALID}alert: { heartbeatUrl: !env PING }\n`)
    expect(alert.heartbeat).toMatchObject({ everyMs: 60_000, suffixes: false })
    expect(alert.heartbeat?.url.reveal()).toBe(PING)
  })

  test('shows its address nowhere', async () => {
    const config = await alertOf(`${VALID}alert: { heartbeatUrl: !env PING, heartbeatSuffixes: true }\n`)
    expect(inspect(config, { depth: 10 }) + JSON.stringify(config.alert)).not.toContain('a-secret-uuid')
  })

  test.each([
    [`heartbeatUrl: ${PING}`, {}, 'alert.heartbeatUrl: secret in plain text: use !env NAME or !file PATH'],
    ['heartbeatUrl: !env PING', { PING: 'hc.example' }, 'is no address; http(s)://host/path'],
    ['heartbeatUrl: !env PING', { PING: 'https://anna:x@hc.example/a' }, 'is no address'],
    ['heartbeatUrl: !env PING', { PING: '' }, 'environment variable PING is empty'],
    ['heartbeatUrl: !env PING, heartbeatEveryMs: 10', { PING }, 'alert.heartbeatEveryMs'],
  ])('refuses %s', async (section, env, message) => {
    const problems = await problemsOf(`${VALID}alert: { ${section} }\n`, { ...ENV, ...env })
    expect(problems.join('\n')).toContain(message)
    expect(problems.join('\n')).not.toContain('anna')
  })
})
