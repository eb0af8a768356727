import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sqliteConnection } from '../../../../src/store/connection/sqlite.ts'

test('a connection that is asked a thousand different statements keeps the last ones prepared, and answers each', () => {
  const db = new DatabaseSync(':memory:')
  let prepared = 0
  const counting = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') prepared += 1
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  const connection = sqliteConnection(counting, 'memory')
  const ask = (nth: number) => expect(connection.prepare(`SELECT ${nth} AS n`).get()).toEqual({ n: nth })
  for (let nth = 0; nth < 1_000; nth += 1) ask(nth)
  for (let nth = 990; nth < 1_000; nth += 1) ask(nth)
  expect(prepared).toBe(1_000)
  ask(0)
  expect(prepared).toBe(1_001)
  connection.close()
})
