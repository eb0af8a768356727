import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** What a new process prints that evaluates a strategy and then runs `code`. */
function afterLockdown(code: string): unknown {
  const program = `
    import { z } from 'zod'
    import { evaluateStrategy } from './src/confinement/evaluate-strategy.ts'
    const script = 'const strategy={default:{name:"a",init(){},quote(){},params:{safeParse(){}}}}'
    const definition = await evaluateStrategy('a', script)
    if (!definition.ok) throw new Error(definition.error)
    console.log(JSON.stringify(${code}))`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(run.stderr).toBe('')
  return JSON.parse(run.stdout)
}

test('schemas of the host that are used after a strategy has locked the thread down do not load the fetch client of Node', () => {
  const code = `[
    z.object({ a: z.string() }).parse({ a: 'b' }),
    process.moduleLoadList.some((name) => name.includes('deps/undici')),
  ]`
  expect(afterLockdown(code)).toEqual([{ a: 'b' }, false])
})
