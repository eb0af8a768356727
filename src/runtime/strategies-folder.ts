import { fileURLToPath } from 'node:url'

/** The shipped strategies: `strategies/` of the checkout (.ts), or of the image beside the bundle (.js). */
export function strategiesFolder(): string {
  const fromHere = import.meta.url.endsWith('.ts') ? '../../strategies' : './strategies'
  return fileURLToPath(new URL(fromHere, import.meta.url))
}
