import { existsSync, readFileSync, unlinkSync } from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { fileURLToPath } from 'node:url'

// Loaded before the daemon, in each of its threads: all positions share one worker, and a core throws once in the event
// that comes after the file MIZANI_TEST_THROWS has its position's name.
os.availableParallelism = () => 1
syncBuiltinESMExports()

const flag = process.env['MIZANI_TEST_THROWS'] ?? ''

type ThrowOnce = (name: string | undefined) => void
const throwOnce: ThrowOnce = (name) => {
  if (!existsSync(flag) || readFileSync(flag, 'utf8') !== name) return
  unlinkSync(flag)
  throw new Error('invariant: the event that this test breaks')
}
Object.assign(globalThis, { throwOnce })

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/src/core/engine/engine.ts')) return loaded
    const whole = readFileSync(fileURLToPath(url), 'utf8')
    const broken = whole.replace(
      'handleEvent(transition, event)\n',
      'globalThis.throwOnce(transition.state.config.name)\n    handleEvent(transition, event)\n',
    )
    if (broken === whole) throw new Error('the core has no line where this test could break it')
    return { ...loaded, source: broken }
  },
})
