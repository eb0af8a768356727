import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { mergeData, placeProblem } from '../../../src/daemon/config/source/merge-data.ts'
import { readConfigText } from '../../../src/daemon/config/load/config-text.ts'

type Tree = { readonly [key: string]: Tree } | string | number | boolean | null | readonly unknown[]

const key = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor')
const leaf = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('x', 'y'),
  fc.array(fc.integer(), { maxLength: 2 }),
)
const { tree } = fc.letrec<{ tree: Tree; value: Tree }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, tie('tree')),
  tree: fc.dictionary(key, tie('value'), { maxKeys: 4, minKeys: 1, noNullPrototype: false }),
}))

/** Every value below a mapping by its path, and every empty mapping: what a person would write by hand. */
function leaves(data: unknown, path: readonly string[] = []): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  if (typeof data !== 'object' || data === null || Array.isArray(data) || Object.keys(data).length === 0)
    return found.set(JSON.stringify(path), Array.isArray(data) ? data : (data ?? null))
  for (const [name, value] of Object.entries(data))
    for (const [at, inner] of leaves(value, [...path, name])) found.set(at, inner)
  return found
}

/** Whether one path is the other or above it. */
function meets(one: string, other: string): boolean {
  const [a, b] = [JSON.parse(one) as string[], JSON.parse(other) as string[]]
  return a.slice(0, b.length).every((step, index) => step === b[index])
}

test('a file over the defaults has each of its own values, and of the defaults those it says nothing about', () => {
  fc.assert(
    fc.property(tree, tree, (defaults, own) => {
      const merged = leaves(mergeData(defaults, own))
      const mine = leaves(own)
      const byHand = new Map(mine)
      for (const [path, value] of leaves(defaults)) {
        if (![...mine.keys()].some((at) => meets(at, path) || meets(path, at))) byHand.set(path, value)
      }
      for (const [path, value] of byHand) if (!isEmptyMapping(value)) expect(merged.get(path)).toEqual(value)
      const extra = [...merged].filter(([path, value]) => !byHand.has(path) && !isEmptyMapping(value))
      expect(extra).toEqual([])
    }),
  )
})

function isEmptyMapping(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

test('merging changes neither of the two', () => {
  fc.assert(
    fc.property(tree, tree, (defaults, own) => {
      const before = JSON.stringify([defaults, own])
      mergeData(defaults, own)
      expect(JSON.stringify([defaults, own])).toBe(before)
    }),
  )
})

test('a problem at any value is placed in the file that the value comes from', () => {
  fc.assert(
    fc.property(tree, tree, (defaults, own) => {
      const texts = [read('own.yaml', own), read('defaults.yaml', defaults)] as const
      const mine = leaves(texts[0].tree.data)
      const merged = mergeData(texts[1].tree.data, texts[0].tree.data)
      for (const at of leaves(merged).keys()) {
        const path = JSON.parse(at) as string[]
        const { file } = placeProblem(texts, { path, at: 'value', message: 'wrong' })
        expect(file).toBe(mine.has(at) ? 'own.yaml' : 'defaults.yaml')
      }
    }),
  )
})

function read(file: string, data: unknown) {
  const text = readConfigText(file, stringify(data))
  if (!text.ok) throw new Error(text.error.map(({ message }) => message).join())
  return text.value
}
