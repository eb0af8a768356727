import { describe, expect, test } from 'vitest'
import { formatProblem } from '../../../../../src/daemon/config/source/problem.ts'
import { changed, ENV, load, problemsOf } from '../../../../unit/daemon/config/config-fixture.ts'

describe('a problem as text', () => {
  test('names the file and shows the line with a caret under the place', async () => {
    const loaded = await load(changed('onExit', 'onexit'))
    expect(loaded.ok).toBe(false)
    if (loaded.ok) return
    const [problem] = loaded.error
    if (problem === undefined) throw new Error('a problem was expected')
    expect(formatProblem({ ...problem, file: 'live.yaml' })).toBe(
      [
        'live.yaml:11:76 quote.onexit: unknown key; did you mean onExit?',
        '  11 | quote: { requoteThresholdBps: 2, minRequoteIntervalMs: 2000, safeBps: 500, onexit …',
        `     | ${' '.repeat(75)}^`,
      ].join('\n'),
    )
  })

  test('tells all mistakes at once, in the order of the file', async () => {
    const problems = await problemsOf(
      changed('mode: live', 'mode: lief').replace('safeBps: 500', 'safeBps: 5').replace('level', 'lvel'),
    )
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['2:7', '11:71', '15:8'])
  })

  test('tells a missing secret and a wrong parameter together', async () => {
    const problems = await problemsOf(changed('halfSpreadBps: 60', 'halfSpreadBps: 5'), {
      MIZANI_HTTP_TOKEN: 'x',
    })
    expect(problems.map((problem) => problem.split(':').slice(0, 2).join(':').split(' ')[0])).toEqual([
      '6:16',
      '8:50',
    ])
  })

  test.each([
    ['as a plain value', changed('!env MIZANI_API_KEY', ENV.MIZANI_API_KEY)],
    ['below its key', changed('!env MIZANI_API_KEY', `\n    ${ENV.MIZANI_API_KEY}`)],
    [
      'in a block',
      changed('!env MIZANI_API_KEY           # or !file /run/secrets/mm_key', `|\n    ${ENV.MIZANI_API_KEY}`),
    ],
    ['under a mistyped key', changed('apiKey: !env MIZANI_API_KEY', `apikey: ${ENV.MIZANI_API_KEY}`)],
    ['in an open quote', changed('!env MIZANI_API_KEY', `"${ENV.MIZANI_API_KEY}`)],
    ['as the name of a variable', changed('!env MIZANI_API_KEY', `!env ${ENV.MIZANI_API_KEY}`)],
    ['as the name of a file', changed('!env MIZANI_API_KEY', `!file ${ENV.MIZANI_API_KEY}`)],
  ])('never shows a secret that stands %s', async (_where, text) => {
    const loaded = await load(text)
    expect(loaded.ok).toBe(false)
    if (loaded.ok) return
    const all = loaded.error.map(formatProblem).join('\n')
    expect(all).not.toContain(ENV.MIZANI_API_KEY)
    expect(all).not.toContain('4f9a8b7c')
  })

  test.each([
    ['a user and a password', 'https://hidden:opensesame@venue.example'],
    ['a password with a space', '"https://hidden opensesame@venue.example"'],
    ['a query', 'https://venue.example?user=opensesame'],
    ['a path, before another mistake of its line', 'https://venue.example/opensesame, baseUlr: x'],
  ])('never shows what an address has beside its host: %s', async (_what, address) => {
    const loaded = await load(`venue: { baseUrl: ${address}, apiKey: !env MIZANI_API_KEY }\nmode: lief`)
    if (loaded.ok) throw new Error('problems were expected')
    const all = loaded.error.map(formatProblem).join('\n')
    expect(all).toMatch(/venue.ba/)
    expect(all).not.toMatch(/hidden|opensesame/)
  })

  test('shows an address that is a host and nothing else', async () => {
    const loaded = await load("mode: 'https://venue.example:8443' # not a mode")
    expect(loaded.ok ? '' : loaded.error.map(formatProblem).join('\n')).toContain(
      'https://venue.example:8443',
    )
  })

  test('says that a file is missing, a folder, or not text', async () => {
    const binary = await problemsOf(new Uint8Array([0xff, 0xfe, 0x00, 0x41]))
    expect(binary).toEqual(['1:1 (file): not UTF-8 text; save the file as UTF-8'])
  })
})
