import { fileURLToPath } from 'node:url'

/** Next to the sources in a checkout, next to the bundle in the image. */
const EXAMPLE = import.meta.url.endsWith('.ts') ? '../../../../config/sandbox.yaml' : './config/sandbox.yaml'

/** The configuration of the simulated venue's market, as mizani is shipped with it. */
export function exampleConfig(): string {
  return fileURLToPath(new URL(EXAMPLE, import.meta.url))
}
