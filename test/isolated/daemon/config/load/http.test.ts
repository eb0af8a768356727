import { describe, expect, test } from 'vitest'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { changed, ENV, load, problemsOf } from '../../../../unit/daemon/config/config-fixture.ts'

const LINE = 'http: { host: 127.0.0.1, port: 9464, token: !env MIZANI_HTTP_TOKEN }'
const http = (text: string) => changed(LINE, `http: { ${text} }`)
const LONG = 'a-token-of-24-characters'
const env = {
  ...ENV,
  READ: 'r'.repeat(24),
  ANNA: LONG,
  JUMA: 'j'.repeat(24),
  SHORT: 'only-23-characters-long',
}

describe('the tokens of the HTTP server', () => {
  test('are read with their names and rights, and none of them shows in the configuration', async () => {
    const yaml = http(
      'readToken: !env READ, tokens: [{ name: anna, token: !env ANNA, may: [read, withdraw] }, ' +
        '{ name: juma, token: !env JUMA, may: [read, approve] }]',
    )
    const loaded = await load(yaml, {}, env)
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
    const { readToken, tokens, token } = loaded.value.http
    expect([token, readToken?.reveal()]).toEqual([null, env.READ])
    expect(tokens.map(({ name, may, token: secret }) => [name, may, secret.reveal()])).toEqual([
      ['anna', ['read', 'withdraw'], LONG],
      ['juma', ['read', 'approve'], env.JUMA],
    ])
    expect(encodeJson(loaded.value.http)).not.toContain(LONG)
  })

  test.each([
    [
      'a short token away from loopback',
      'host: 0.0.0.0, token: !env SHORT',
      'http.token: the token has fewer',
    ],
    [
      'a short token of a person',
      'host: 192.0.2.1, tokens: [{ name: a, token: !env SHORT, may: [read] }]',
      'http.tokens[0].token: the token has fewer than 24 characters',
    ],
    ['a short read token', "host: '::', readToken: !env SHORT", 'http.readToken: the token has fewer'],
    [
      'one token for two people',
      'tokens: [{ name: a, token: !env ANNA, may: [read] }, { name: b, token: !env ANNA, may: [approve] }]',
      'http.tokens[1].token: the same token as another one',
    ],
    [
      'one name for two tokens',
      'tokens: [{ name: a, token: !env ANNA, may: [read] }, { name: a, token: !env JUMA, may: [approve] }]',
      'http.tokens: two tokens have one name',
    ],
    [
      'a name that the journal has for http.token',
      'tokens: [{ name: operator, token: !env ANNA, may: [read] }]',
      'http.tokens[0].name: the name of http.token',
    ],
    [
      'a token in plain text',
      'tokens: [{ name: a, token: letmeinletmeinletmein, may: [read] }]',
      'http.tokens[0].token: secret in plain text',
    ],
    [
      'a right that does not exist',
      'tokens: [{ name: a, token: !env ANNA, may: [everything] }]',
      'http.tokens[0].may[0]: ',
    ],
  ])('%s is refused', async (_what, text, problem) => {
    const problems = await problemsOf(http(text), env)
    expect(problems.join('\n')).toContain(problem)
    expect(problems.join('\n')).not.toMatch(new RegExp(`${env.SHORT}|letmein`))
  })

  test.each(['127.0.0.1', 'localhost', '127.8.8.8'])('a short token is taken on %s', async (host) => {
    expect((await load(http(`host: '${host}', token: !env SHORT`), {}, env)).ok).toBe(true)
  })
})
