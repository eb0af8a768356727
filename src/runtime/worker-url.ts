/**
 * Where a worker's file is, beside the module that starts it: `.ts` in a checkout, `.js` in the image.
 * `from` is the caller's `import.meta.url`, `name` a relative path without its ending.
 */
export function workerUrl(from: string, name: string): URL {
  return new URL(`${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from)
}
