import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { fleetFiles, readServed } from '../../../../src/cli/assistant/positions.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mizani-assistant-'))
})

function write(name: string, more = ''): string {
  const file = join(folder, name)
  const text = `name: ${name.replace('.yaml', '')}
venue: { baseUrl: 'https://venue.example', apiKey: !env NOT_SET_ANYWHERE }
strategy: { use: fixed-spread }
store: { path: ${join(folder, 'data')} }
${more}`
  writeFileSync(file, text)
  return file
}

describe('the positions that an assistant is shown', () => {
  test('are named by their files, and no secret but the read token is looked for', () => {
    const files = [
      write('a.yaml', 'http: { port: 9500, token: !env ALSO_NOT_SET, readToken: !env READER }'),
      write('b.yaml'),
    ]
    const served = readServed(files, { READER: 'reading' })
    expect(served).toMatchObject({
      ok: true,
      value: {
        positions: [{ name: 'a', file: files[0] }, { name: 'b' }],
        http: { host: '127.0.0.1', port: 9_500 },
        readToken: 'reading',
      },
    })
  })

  test('a token of its own in the environment comes before that of the configuration', () => {
    const file = write('a.yaml', 'http: { readToken: !env READER }')
    expect(readServed([file], { MIZANI_READ_TOKEN: 'own' })).toMatchObject({ value: { readToken: 'own' } })
    expect(readServed([write('c.yaml')], {})).toMatchObject({ value: { readToken: null } })
  })

  test('a read token that is not there, a broken file and no file at all are errors that name the place', () => {
    const file = write('a.yaml', 'http: { readToken: !env READER }')
    expect(readServed([file], {})).toMatchObject({
      ok: false,
      error: expect.stringContaining('http.readToken: environment variable READER'),
    })
    expect(readServed([write('b.yaml', 'nonsense: 1')], {})).toMatchObject({
      ok: false,
      error: expect.stringContaining('nonsense'),
    })
    expect(readServed([], {})).toMatchObject({ ok: false })
  })

  test('a store in PostgreSQL is the one that is named, and without its secret none exists: the folder is not taken for it', () => {
    const file = write('pair.yaml')
    const text = readFileSync(file, 'utf8').replace('store: {', 'store: { postgres: !env STORE,')
    writeFileSync(file, text)
    const url = 'postgres://reader:pass@db.example/desks?sslmode=verify-full'
    expect(readServed([file], { STORE: url })).toMatchObject({
      value: { positions: [{ store: { ok: true, value: `${url}&position=pair` } }] },
    })
    expect(readServed([file], {})).toMatchObject({
      ok: true,
      value: { positions: [{ store: { ok: false, error: expect.stringContaining('STORE') } }] },
    })
  })

  test('a fleet is every file of its folder but the defaults', () => {
    write('a.yaml')
    write('defaults.yaml')
    write('b.yaml')
    expect(fleetFiles(folder)).toEqual({ ok: true, value: [join(folder, 'a.yaml'), join(folder, 'b.yaml')] })
    expect(fleetFiles(join(folder, 'none'))).toMatchObject({
      ok: false,
      error: expect.stringContaining('ENOENT'),
    })
  })
})
