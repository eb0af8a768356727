import { expect, test } from 'vitest'
import { z } from 'zod'
import { fleetSection } from '../../../../../src/daemon/config/schema/fleet.ts'
import { configSchema } from '../../../../../src/daemon/config/schema/schema.ts'
import { KEY_RULES } from '../../../../../src/daemon/config/load/config-text.ts'
import type { PathStep } from '../../../../../src/daemon/config/source/problem.ts'
import { SecretReference } from '../../../../../src/daemon/config/source/secret.ts'

/** Returns paths of the configuration's fields, one of each schema, that accept a value and satisfy a condition on the result. */
function pathsOf(input: unknown, accepts: (output: unknown) => boolean): ReadonlySet<string> {
  const found = new Set<string>()
  z.toJSONSchema(configSchema.safeExtend({ fleet: fleetSection }), {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, path }) {
      const { data } = z.safeParse(zodSchema, input)
      const isAny = zodSchema._zod.def.type === 'unknown'
      if (!isAny && accepts(data)) found.add(JSON.stringify(keysOf(path)))
    },
  })
  return found
}

/** Returns the keys and indexes in the path of a JSON Schema. */
function keysOf(path: readonly PathStep[]): readonly PathStep[] {
  const [step, key, ...rest] = path
  if (step === undefined) return []
  if (step === 'properties') return [key!, ...keysOf(rest)]
  if (step === 'items') return [0, ...keysOf(path.slice(1))]
  if (step === 'additionalProperties') return ['any', ...keysOf(path.slice(1))]
  return keysOf(path.slice(step === 'anyOf' ? 2 : 1))
}

const REFERENCE = new SecretReference('env', 'KEY')
const SECRETS = pathsOf(REFERENCE, (output) => output instanceof SecretReference)
const TEXTS = pathsOf('https://rpc.example', (output) => typeof output === 'string')
const DATABASES = pathsOf('postgres://db/mizani', (output) => typeof output === 'string')
const AMOUNTS = pathsOf('2500', (output) => typeof output === 'bigint')

test.each([
  ['a secret', SECRETS, 10, (path: string) => !TEXTS.has(path) && !DATABASES.has(path), KEY_RULES.isSecret],
  [
    'a possible secret',
    SECRETS,
    3,
    (path: string) => TEXTS.has(path) || DATABASES.has(path),
    KEY_RULES.mayBeSecret,
  ],
  ['money', AMOUNTS, 30, () => true, KEY_RULES.isMoney],
])('every field that the schema accepts as %s is read as one', (_, paths, atLeast, isOfKind, isReadAs) => {
  const expected = [...paths].filter(isOfKind)
  expect(expected.length).toBeGreaterThanOrEqual(atLeast)
  expect(expected.filter((path) => !isReadAs(JSON.parse(path) as PathStep[]))).toEqual([])
})
