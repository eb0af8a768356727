import { execFileSync } from 'node:child_process'
import { encodeJson } from '../../src/base/codec.ts'
import type { WorldOptions } from './world-options.ts'

/** All that is needed to see a failure again: the seed, the commit, how to run it alone, every option. */
export function describeWorld(options: WorldOptions): string {
  const { seed } = options
  return [
    `world of seed ${seed} at commit ${commit()}`,
    `alone: MIZANI_WORLD_SEED=${seed} npx vitest run test/world -t 'seed ${seed}:'`,
    `options: ${encodeJson(options)}`,
  ].join('\n')
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown (not a git checkout)'
  }
}
