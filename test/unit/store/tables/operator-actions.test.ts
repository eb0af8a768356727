import { describe, expect, test } from 'vitest'
import type { Event } from '../../../../src/core/engine/model/event.ts'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import { readActionChain, type ActionChain } from '../../../../src/store/tables/operator-actions.ts'
import { durable, freshFolder, openHere, tableRows, tamper, valueOf } from '../store-fixture.ts'

const T = 1_700_000_000_000
const NAMES = ['anna', 'juma', 'zuri', 'anna']

const command = (who: string, n: number): Event => ({
  type: 'operator',
  t: T + n,
  who,
  why: 'a test',
  command: { name: 'pause' },
})
const action = (who: string, n: number): Observation => ({
  type: 'operator',
  t: T + n,
  who,
  why: 'a test',
  command: 'pause',
  accepted: true,
  answer: 'paused',
})

/** A store in which these people paused, an event each. */
async function storeOf(people: readonly string[] = NAMES, from = 1, folder = freshFolder()): Promise<string> {
  const store = valueOf(await openHere(folder))
  for (const [index, who] of people.entries()) {
    const seq = from + index
    store.append(seq, command(who, seq))
    store.project(seq, [action(who, seq)])
  }
  await durable(store, from + people.length - 1)
  await store.close()
  return folder
}

function chainOf(folder: string): ActionChain {
  const read = readActionChain(folder)
  if (!read.ok) throw new Error(read.error.message)
  return read.value
}

describe('the chain of what operators did', () => {
  test('holds, continues over a restart, and ends in a head that every action moves', async () => {
    const folder = await storeOf()
    const before = chainOf(folder)
    expect(before).toMatchObject({ problems: [], actions: NAMES.map((who) => ({ who })) })
    await storeOf(['juma'], 5, folder)
    const after = chainOf(folder)
    expect(after.problems).toEqual([])
    expect(after.actions).toHaveLength(5)
    expect(after.head).not.toBe(before.head)
    expect(after.actions.map(({ hash }) => hash)).toContain(before.head)
  })

  test('has an action once, however often a restart projects it', async () => {
    const folder = await storeOf(['anna'])
    tamper(folder, "DELETE FROM meta WHERE key = 'projectedSeq'")
    const store = valueOf(await openHere(folder))
    store.project(1, [action('anna', 1)])
    store.append(2, command('juma', 2))
    store.project(2, [action('juma', 2)])
    await durable(store, 2)
    await store.close()
    expect(chainOf(folder).problems).toEqual([])
    expect(tableRows(folder, 'operator_actions')).toHaveLength(2)
  })

  test.each([
    ['another name', "UPDATE operator_actions SET body = replace(body, 'juma', 'anna') WHERE seq = 2"],
    ['another time', 'UPDATE operator_actions SET seq = 9 WHERE seq = 2'],
    ['a row taken out', 'DELETE FROM operator_actions WHERE seq = 2'],
    ['the last row taken out', 'DELETE FROM operator_actions WHERE seq = 4'],
    ['all rows taken out', 'DELETE FROM operator_actions'],
    [
      'a row put in',
      'INSERT INTO operator_actions SELECT 9, n, t, body, previous, hash FROM operator_actions LIMIT 1',
    ],
    [
      'two rows exchanged',
      'UPDATE operator_actions SET seq = CASE seq WHEN 1 THEN -2 WHEN 2 THEN 1 ELSE seq END',
    ],
    [
      'the notices beside it',
      "UPDATE notices SET body = replace(body, 'juma', 'anna') WHERE type = 'operator'",
    ],
  ])('does not hold with %s', async (_what, sql) => {
    const folder = await storeOf()
    tamper(folder, sql)
    expect(chainOf(folder).problems.length).toBeGreaterThan(0)
  })

  test('that was made anew as a whole has another head than the one that was noted', async () => {
    const noted = chainOf(await storeOf()).head
    const forged = chainOf(await storeOf(['juma', 'juma', 'zuri', 'anna']))
    expect(forged.problems).toEqual([])
    expect([forged.head, ...forged.actions.map(({ hash }) => hash)]).not.toContain(noted)
  })

  test('of a store from before there was one begins with its next action', async () => {
    const folder = await storeOf()
    tamper(
      folder,
      `DROP TABLE operator_actions; DELETE FROM meta WHERE key = 'actionsSince';
       DROP TABLE treasury_journal; DROP TABLE treasury_notices;
       DELETE FROM kysely_migration WHERE name >= '0003-operator-actions'; PRAGMA user_version = 2`,
    )
    expect(chainOf(folder)).toMatchObject({ actions: [], problems: [] })
    await storeOf(['zuri'], 5, folder)
    expect(chainOf(folder)).toMatchObject({ actions: [{ who: 'zuri', seq: 5 }], problems: [] })
  })
})
