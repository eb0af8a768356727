import { expect, test } from 'vitest'
import { parseUnique } from '../../../../src/base/http/body.ts'

test.each([
  ['{"a":1,"b":2,"a":3}', 'a'],
  ['{"a":{"b":1,"b":2}}', 'b'],
  ['[{"a":1},{"a":1,"x":[1,{"q":2}],"a" : 3}]', 'a'],
  ['{"a\\"b":1,"a\\u0022b":2}', 'a"b'],
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}', null],
  ['{"a":"x\\":1,\\"a","b":"{\\"a\\":1}"}', null],
  ['[1,"a","a"]', null],
  ['"a"', null],
])('a field that %s has twice in one object is %j', (json, name) => {
  const parsed = parseUnique(json)
  expect(parsed.ok ? null : parsed.error).toBe(name === null ? null : `JSON with two fields ${name}`)
})
