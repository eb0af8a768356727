import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** What a new process prints that evaluates a strategy and then runs `code`. */
function afterLockdown(code: string): unknown {
  const program = `
    import { z } from 'zod'
    import { evaluateStrategy } from './src/daemon/confinement/evaluate-strategy.ts'
    import { kitScript } from './src/daemon/confinement/kit-script.ts'
    const kit = await kitScript()
    const script = 'const strategy={default:{name:"a",init(){},quote(){},params:{safeParse(){}}}}'
    const definition = await evaluateStrategy('a', script, kit)
    if (!definition.ok) throw new Error(definition.error)
    console.log(JSON.stringify(${code}))`
  const run = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
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

test('a further compartment keeps no copy of the text of the kit', () => {
  const code = `await (async () => {
    const used = () => (gc(), gc(), process.memoryUsage().heapUsed)
    const [kept, more] = [[definition], 10]
    for (let n = 0; n < 2; n++) kept.push(await evaluateStrategy('warm', script, kit))
    const before = used()
    for (let n = 0; n < more; n++) kept.push(await evaluateStrategy('b' + n, script, kit))
    return [(used() - before) / more, kit.length, kept.length]
  })()`
  const [bytesEach = Infinity, kitBytes = 0] = afterLockdown(code) as number[]
  // What is a compartment's own: the objects of the kit, some 590 KB beside its text of 300 KB.
  expect(bytesEach).toBeLessThan(590_000 + kitBytes / 2)
})
