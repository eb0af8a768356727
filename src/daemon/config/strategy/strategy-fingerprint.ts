import { createHash } from 'node:crypto'
import { readSources } from '../../confinement/bundle-strategy.ts'
import { ok, type Result } from '../../../base/result.ts'
import { findStrategy } from './find-strategy.ts'
import type { LoadStrategyOptions, StrategyReference } from './load-strategy.ts'

/**
 * Hashes the name, the parameters and the sources of a strategy without running it: the key of cached trial results.
 * A wrapped strategy contributes only its name and parameters. The error names the missing file.
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
