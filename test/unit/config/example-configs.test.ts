import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { configJsonSchema } from '../../../src/config/config-json-schema.ts'
import { formatProblem } from '../../../src/config/format-problem.ts'
import { loadConfig } from '../../../src/config/load-config.ts'

const CONFIG = new URL('../../../config', import.meta.url).pathname
const STRATEGIES = new URL('../../../strategies', import.meta.url).pathname
const ENV = { MIZANI_API_KEY: 'k', MIZANI_HTTP_TOKEN: 't' }
const files = readdirSync(CONFIG).filter((file) => file.endsWith('.yaml'))

test('the examples that the README names are there', () => {
  expect(files).toEqual(
    expect.arrayContaining(['live.example.yaml', 'sandbox.yaml', 'schedule.example.yaml']),
  )
})

test.each(files)('%s is accepted and points editors to the schema', async (file) => {
  const path = join(CONFIG, file)
  expect(readFileSync(path, 'utf8').split('\n')[0]).toBe(
    '# yaml-language-server: $schema=./mizani.schema.json',
  )
  const loaded = await loadConfig(path, ENV, { strategiesFolder: STRATEGIES })
  expect(loaded.ok ? [] : loaded.error.map(formatProblem)).toEqual([])
})

test('the committed JSON Schema is what the schema says today (scripts/config-schema.ts writes it)', () => {
  const committed = readFileSync(join(CONFIG, 'mizani.schema.json'), 'utf8')
  expect(committed).toBe(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
})

test('the live example names every key there is', () => {
  const tagged = [{ tag: '!env', resolve: (text: string) => text }]
  const example: unknown = parseDocument(readFileSync(join(CONFIG, 'live.example.yaml'), 'utf8'), {
    customTags: tagged,
  }).toJS()
  expect(missingKeys(configJsonSchema(), example, '')).toEqual([])
})

type Schema = { readonly properties?: Readonly<Record<string, Schema>> }

function missingKeys(schema: Schema, value: unknown, at: string): readonly string[] {
  // Of the optional mappings per token any choice will do.
  if (at.endsWith('.limits') || at.endsWith('.maxPerDay')) return []
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const here = (value as Readonly<Record<string, unknown>>)[key]
    return here === undefined ? [`${at}.${key}`] : missingKeys(inner, here, `${at}.${key}`)
  })
}
