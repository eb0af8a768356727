/**
 * Where a worker's file is. In a checkout it is a `.ts` file at the path `name` (relative, without its ending) from the
 * module that starts it, whose `import.meta.url` is `from`; in the image all workers lie beside the bundle as `.js`.
 */
export function workerUrl(from: string, name: string): URL {
  if (from.endsWith('.ts')) return new URL(`${name}.ts`, from)
  return new URL(`./${name.slice(name.lastIndexOf('/') + 1)}.js`, from)
}
