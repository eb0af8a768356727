import { fileURLToPath } from 'node:url'

/** Next to the sources in a checkout, or next to the bundle in the image. */
const EXAMPLE = import.meta.url.endsWith('.ts') ? '../../../../config/sandbox.yaml' : './config/sandbox.yaml'

/** Returns the shipped configuration for the simulated venue's market. */
export function exampleConfig(): string {
  return fileURLToPath(new URL(EXAMPLE, import.meta.url))
}
