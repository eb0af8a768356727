import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openMarket } from './open-market.ts'
import { runDaemon } from './running-daemon.ts'

/** The section `treasury:` of a configuration is checked with these; they plan and send nothing. */
const OF_THE_SCHEMA = [
  'treasury/api/settings.ts',
  'treasury/model/keys.ts',
  'treasury/model/place.ts',
  'treasury/policy/calendar/civil-day.ts',
  'treasury/policy/calendar/read-calendar.ts',
  'treasury/statement/bank-format.ts',
]

/** Fastify's own compilers of schemas. The console checks requests with zod and writes answers as JSON. */
const FASTIFY_COMPILERS = /\/node_modules\/(?:ajv|@fastify\/(?:ajv|fast-json-stringify)-compiler)\//

test('the worker of a position without custody, treasury and research loads none of their files', async () => {
  await using market = await openMarket()
  const list = join(market.folder.path, 'loaded.txt')
  const hook = join(market.folder.path, 'hook.mjs')
  writeFileSync(list, '')
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
const load = (url, context, next) => {
  appendFileSync(${JSON.stringify(list)}, (isMainThread ? 'main ' : 'worker ') + url + '\\n')
  return next(url, context)
}
registerHooks({ load })
`,
  )
  await using daemon = runDaemon({
    configs: [market.config],
    // From the sources: the program that the other tests run is one file.
    program: fileURLToPath(new URL('../../../src/main.ts', import.meta.url)),
    env: { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` },
  })
  await market.quoted(60, 70)
  expect((await daemon.get('/metrics')).status).toBe(200)
  const lines = readFileSync(list, 'utf8')
  expect(lines).toContain('/node_modules/fastify/fastify.js')
  expect(lines).not.toMatch(FASTIFY_COMPILERS)
  const loaded = lines.match(/(?<=^worker .*\/src\/)\S+/gm) ?? []
  expect(loaded).toContain('daemon/runtime/worker/trading-worker.ts')
  const optional = loaded.filter((file) => /^(?:custody|treasury|research|simulator)\//.test(file))
  expect([...new Set(optional)].sort()).toEqual(OF_THE_SCHEMA)
})
