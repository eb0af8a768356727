import { createHash } from 'node:crypto'
import { readSources } from '../../confinement/bundle-strategy.ts'
import { ok, type Result } from '../../../base/result.ts'
import { findStrategy } from './find-strategy.ts'
import type { LoadStrategyOptions, StrategyReference } from './load-strategy.ts'

/**
 * A hash over the name, the parameters and the sources of a strategy, without running any of it: the key under
 * which results of a trial are kept. A wrapped strategy counts with its name and parameters only. The error names the
 * file that is missing.
 */
export function strategyFingerprint(
  { use, params }: StrategyReference,
  { folder, baseFolder }: Pick<LoadStrategyOptions, 'folder' | 'baseFolder'>,
): Result<string, string> {
  const found = findStrategy(use, folder, baseFolder)
  if (!found.ok) return found
  const sources = readSources(found.value)
  if (!sources.ok) return sources
  const text = JSON.stringify([use, params, sources.value])
  return ok(createHash('sha256').update(text).digest('hex'))
}
