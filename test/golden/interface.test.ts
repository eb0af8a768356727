import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createMetrics } from '../../src/daemon/telemetry/metrics/metrics.ts'
import { consoleOf } from '../unit/daemon/console/console-fixture.ts'

// What scripts of users read: a name of the last release is still there, or stands here with its new one.

const RENAMED_METRICS: Readonly<Record<string, string>> = {
  mizani_fills_complete: 'mizani_reconciled',
  mizani_unexplained: 'mizani_unreconciled',
}

/** JSON fields by their last name, wherever they stand. */
const RENAMED_FIELDS: Readonly<Record<string, string>> = {
  completeness: 'reconciliation',
  unexplained: 'unreconciled',
  postedSpread: 'spreadCapture',
  believed: 'status',
  deviation: 'imbalance',
}

type Schema = { readonly [key: string]: unknown }
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}
type Body = { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
type Operation = {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: Body
  readonly responses?: Readonly<Record<string, Body>>
}

const recorded = (name: string) => readFileSync(new URL(`0.1.0/${name}`, import.meta.url), 'utf8')

test('every path, parameter and JSON field of the API of 0.1.0 is there, or renamed as listed', async () => {
  const { ask } = await consoleOf()
  const today = new Set(namesOf((await ask('/api/docs/openapi.json')).json() as unknown as Document))
  const before = namesOf(JSON.parse(recorded('openapi.json')) as Document)
  expect(before.length).toBeGreaterThan(300)
  expect(before.filter((name) => !today.has(name) && !today.has(renamed(name)))).toEqual([])
})

test('every metric of 0.1.0 is there with its kind and labels, or renamed as listed', () => {
  const { registry } = createMetrics('any')
  const metrics = registry.getMetricsAsArray() as unknown as readonly {
    readonly name: string
    readonly type: string
    readonly labelNames?: readonly string[]
  }[]
  const today = metrics.map(({ name, type, labelNames = [] }) => [name, type, ...labelNames].join(' '))
  const before = recorded('metrics.txt').trimEnd().split('\n')
  expect(before.length).toBeGreaterThan(30)
  const missing = before.filter((line) => {
    const [name = '', ...others] = line.split(' ')
    return !today.includes(line) && !today.includes([RENAMED_METRICS[name] ?? name, ...others].join(' '))
  })
  expect(missing).toEqual([])
})

function renamed(name: string): string {
  return name.replaceAll(/\w+/g, (word) => RENAMED_FIELDS[word] ?? word)
}

/** `get /api/v1/state 200 quote.bidBps`, `post /api/v1/halt in header idempotency-key` and so on. */
function namesOf(document: Document): readonly string[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody = {}, responses = {} }]) => [
      `${method} ${path}`,
      ...parameters.map((parameter) => `${method} ${path} in ${parameter.in} ${parameter.name}`),
      ...fieldsOf(document, requestBody).map((field) => `${method} ${path} takes ${field}`),
      ...Object.entries(responses).flatMap(([status, body]) =>
        fieldsOf(document, body).map((field) => `${method} ${path} ${status} ${field}`),
      ),
    ]),
  )
}

function fieldsOf(document: Document, { content = {} }: Body): readonly string[] {
  return Object.values(content).flatMap(({ schema }) =>
    schema === undefined ? [] : pathsOf(document, schema, ''),
  )
}

function pathsOf(document: Document, schema: Schema, at: string): readonly string[] {
  const {
    $ref,
    properties = {},
    items,
    additionalProperties,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema as {
    readonly $ref?: string
    readonly properties?: Readonly<Record<string, Schema>>
    readonly items?: Schema
    readonly additionalProperties?: Schema | boolean
    readonly anyOf?: readonly Schema[]
    readonly oneOf?: readonly Schema[]
    readonly allOf?: readonly Schema[]
  }
  const named = $ref === undefined ? undefined : document.components?.schemas?.[$ref.replace(/^.*\//, '')]
  const same = [...anyOf, ...oneOf, ...allOf, ...(named === undefined ? [] : [named])]
  const inside = [items, additionalProperties].filter((one) => typeof one === 'object')
  return [
    ...new Set([
      ...same.flatMap((one) => pathsOf(document, one, at)),
      ...inside.flatMap((one) => pathsOf(document, one, `${at}[]`)),
      ...Object.entries(properties).flatMap(([key, one]) => {
        const path = at === '' ? key : `${at}.${key}`
        return [path, ...pathsOf(document, one, path)]
      }),
    ]),
  ]
}
