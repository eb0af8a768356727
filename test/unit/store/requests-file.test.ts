import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addRequest, readRequests, REQUESTS_WINDOW_MS } from '../../../src/store/requests-file.ts'
import { freshFolder } from './store-fixture.ts'
import { valueOf } from '../venue/read-answer.ts'

const T = 1_000_000

describe('requests of commands', () => {
  test('of several processes at once are never more than the key allows, with what the daemon sent', async () => {
    const file = join(freshFolder(), 'requests.json')
    const known = [T - 70_000, T - 500, T - 100]
    const asked = await Promise.all(
      Array.from({ length: 8 }, async () =>
        valueOf<number, string>(await addRequest(file, () => T, 6, known)),
      ),
    )
    expect(asked.filter((wait) => wait === 0)).toHaveLength(4)
    const waits = asked.filter((wait) => wait > 0)
    expect(waits).toEqual([1, 2, 3, 4].map(() => REQUESTS_WINDOW_MS - 500))
    const later = T + REQUESTS_WINDOW_MS - 500
    expect(valueOf<number, string>(await addRequest(file, () => later, 6, known))).toBe(0)
    expect(readRequests(file, later)).toHaveLength(5)
  })

  test('that cannot be written are an error for the caller, who sends all the same', async () => {
    const file = join(freshFolder(), 'requests.json')
    mkdirSync(`${file}.new`)
    expect(await addRequest(file, () => T, 6, [])).toMatchObject({ ok: false })
  })

  test('are empty where the file is missing, torn, of someone else, or of another clock', () => {
    const file = join(freshFolder(), 'requests.json')
    expect(readRequests(file, T)).toEqual([])
    for (const text of ['', '[1000000,', '{}', 'null', '["1000000", null, 1e99, -5, 1000001]']) {
      writeFileSync(file, text)
      expect(readRequests(file, T)).toEqual([])
    }
  })
})
