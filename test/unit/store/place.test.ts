import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  folderOf,
  parsePlace,
  storePlaceKey,
  placeOption,
  placeText,
  schemaOf,
} from '../../../src/store/place.ts'

const inPostgres = (url: string) => ({ url, position: 'desk-1', folder: '/data' })

test('a place is named for people without its user and its password', () => {
  const texts = [
    'postgres://mizani:geheim@db.example:6432/desks',
    'postgres://db.example',
    'postgres:///desks?host=/run/postgresql',
    '',
  ].map((url) => placeText(inPostgres(url)))
  expect(texts).toEqual([
    'PostgreSQL at db.example:6432/desks, position desk-1',
    'PostgreSQL at db.example/its default database, position desk-1',
    'PostgreSQL at /run/postgresql/desks, position desk-1',
    'PostgreSQL, position desk-1',
  ])
  expect(placeText('/data')).toBe('/data')
})

test('a place in PostgreSQL has a schema of its position, and a folder for what stays on the machine', () => {
  const place = inPostgres('postgres://db/desks')
  expect([schemaOf(place), folderOf(place), folderOf('/here')]).toEqual(['mizani_desk-1', '/data', '/here'])
})

test('two places are one store exactly where their keys are equal', () => {
  const place = inPostgres('postgres://db/desks')
  expect(storePlaceKey({ ...place, folder: '/elsewhere' })).toBe(storePlaceKey(place))
  expect(storePlaceKey({ ...place, position: 'desk-2' })).not.toBe(storePlaceKey(place))
  expect(storePlaceKey('/data')).toBe('/data')
})

test("an option names a folder, or a database's URL with the position in it", () => {
  expect(parsePlace('./data')).toEqual({ ok: true, value: './data' })
  expect(parsePlace('postgresql://m@db/desks?position=desk-1&sslmode=verify-full')).toEqual({
    ok: true,
    value: { url: 'postgresql://m@db/desks?sslmode=verify-full', position: 'desk-1', folder: '.' },
  })
  const plain = parsePlace('postgres://db/desks?position=desk-1&allowPlain=true')
  expect(plain).toMatchObject({ ok: true, value: { url: 'postgres://db/desks', allowPlain: true } })
  if (plain.ok) expect(parsePlace(placeOption(plain.value))).toEqual(plain)
  expect(parsePlace('postgres://db/desks')).toMatchObject({ ok: false })
  const open = parsePlace('postgres://db/desks?position=x&sslmode=no-verify')
  expect(open).toMatchObject({ ok: false, error: expect.stringContaining('sslmode=verify-full') })
  expect(parsePlace('postgres://db:port/desks?position=x')).toMatchObject({ ok: false })
})

test('whatever is typed is a folder, a place in PostgreSQL or an error, and never an exception', () => {
  const url = fc.string().map((text) => `postgres:${text}`)
  fc.assert(
    fc.property(fc.oneof(fc.string(), url, fc.webUrl()), (text) => {
      const place = parsePlace(text)
      if (!place.ok) expect(place.error).toMatch(/postgres:\/\/HOST\/DATABASE\?position=NAME|verify-full/)
      else if (typeof place.value === 'string') expect(place.value).toBe(text)
      else expect(place.value.position).not.toBe('')
    }),
  )
})
