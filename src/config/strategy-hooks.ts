import { registerHooks } from 'node:module'

/** Source in a checkout; in a build the kit lies as a file of its own beside the bundle. */
const KIT_URL = import.meta.url.endsWith('.ts')
  ? new URL('../strategy/kit.ts', import.meta.url).href
  : new URL('./kit.js', import.meta.url).href

const FORMATS: Readonly<Record<string, string>> = { ts: 'module-typescript', js: 'module', mjs: 'module' }

let installed = false

/**
 * Makes '#kit' mean our kit for strategy files anywhere on disk, and hands the generation of a reloaded
 * file on to what it imports, so that a reload never mixes old and new code. Once per thread.
 */
export function installStrategyHooks(): void {
  if (installed) return
  installed = true
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier === '#kit') return { url: KIT_URL, shortCircuit: true }
      const resolved = nextResolve(specifier, context)
      if (isGeneration(specifier)) return { ...resolved, format: formatOf(resolved.url) ?? resolved.format }
      const parent = context.parentURL ?? ''
      if (!isGeneration(parent) || !/^\.{1,2}\//.test(specifier)) return resolved
      const generation = new URL(parent).searchParams.get('gen')
      const url = `${resolved.url}?gen=${generation}`
      return { ...resolved, url, format: formatOf(url) ?? resolved.format }
    },
  })
}

function isGeneration(url: string): boolean {
  return url.startsWith('file:') && /\?gen=\d+$/.test(url)
}

/** Said outright, so that a strategy beside no package.json is neither guessed about nor warned about. */
function formatOf(url: string): string | undefined {
  return FORMATS[/\.(\w+)\?gen=\d+$/.exec(url)?.[1] ?? '']
}
