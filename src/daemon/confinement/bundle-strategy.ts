import type { BuildFailure, BuildOptions, Plugin } from 'esbuild'
import { basename, dirname, extname, relative, resolve } from 'node:path'
import { err, ok, type Result } from '../../base/result.ts'
import { readFileSync } from 'node:fs'

/** The names that '#kit' exports as values. A test compares them with the module. */
export const KIT_NAMES = [
  'FEWEST_FILLS',
  'addTerm',
  'avellanedaStoikovQuotes',
  'bestQuote',
  'bestReply',
  'createRivalWatch',
  'dayProfile',
  'defineStrategy',
  'ema',
  'emptyRoutingEvidence',
  'glftRule',
  'glftSpreads',
  'independentLooks',
  'isTimeZone',
  'learnedTakers',
  'likelyRouting',
  'localTime',
  'observeFills',
  'poolQuote',
  'poolTerms',
  'priorTakers',
  'quadraticClosure',
  'readDayProfile',
  'realisedVolatility',
  'switchOff',
  'takerMix',
  'undercutWorth',
  'watchRivals',
  'weighedTakers',
  'z',
  'zScore',
] as const

/**
 * One script that leaves its exports in a variable. Async functions are lowered to calls of `Promise`, which a
 * compartment does not have: a strategy runs only during a call.
 */
const SCRIPT = {
  bundle: true,
  write: false,
  format: 'iife',
  platform: 'neutral',
  target: 'node24',
  supported: { 'async-await': false, 'async-generator': false, 'for-await': false },
  // Drops comments: SES refuses any text that looks like a dynamic import.
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'silent',
  tsconfigRaw: '{}',
} as const satisfies BuildOptions

const CODE = { '.ts': 'ts', '.js': 'js', '.mjs': 'js' } as const

let building = 0

/** Bundles the file and its imports into one script, whose value is in the variable `strategy`. */
export async function bundleStrategy(
  file: string,
  sources: readonly Source[],
): Promise<Result<string, string>> {
  const own = { globalName: 'strategy', entryPoints: [file], plugins: [onlyThese(sources)] }
  // The script's last line, by which errors refer to lines of the sources.
  const script = await built({ ...SCRIPT, ...own, sourcemap: 'inline', sourcesContent: false })
  return script.ok ? ok(script.value.replace(INLINE_MAP, withoutFolders)) : script
}

const INLINE_MAP = /(?<=^\/\/# sourceMappingURL=data:application\/json;base64,)\S+/m

/** Reduces the sources of a map to their file names, so that the script is the same on every machine. */
function withoutFolders(map: string): string {
  const parsed = JSON.parse(Buffer.from(map, 'base64').toString()) as { readonly sources: readonly string[] }
  const sources = parsed.sources.map((source) => source.replace(/^strategy:.*\//, 'strategy:/'))
  return Buffer.from(JSON.stringify({ ...parsed, sources })).toString('base64')
}

/** Bundles the kit with its own zod, without translations; its exports are in the variable `kit`. */
export async function bundleKit(file: string): Promise<Result<string, string>> {
  return built({ ...SCRIPT, globalName: 'kit', entryPoints: [file], plugins: [withoutTranslations] })
}

/** Bundles the process that evaluates strategies as one module with its packages. */
export async function bundleProcess(file: string): Promise<Result<string, string>> {
  return built({ ...SCRIPT, format: 'esm', platform: 'node', supported: {}, entryPoints: [file] })
}

async function built(options: BuildOptions): Promise<Result<string, string>> {
  const { build, stop } = await import('esbuild')
  building += 1
  try {
    const { outputFiles } = await build(options)
    return ok(outputFiles?.[0]?.text ?? '')
  } catch (thrown) {
    const [first] = (thrown as Partial<BuildFailure>).errors ?? []
    if (first === undefined) throw thrown
    const { text, location } = first
    const where =
      location === null
        ? ''
        : ` (${basename(location.file)}, line ${location.line}, column ${location.column + 1})`
    return err(`${text}${where}`)
  } finally {
    building -= 1
    // The bundler is a separate process that a daemon needs for a moment every few weeks.
    if (building === 0) await stop()
  }
}

/** Resolves '#kit' and relative imports to the sources already read and refuses everything else. esbuild opens no file. */
function onlyThese(sources: readonly Source[]): Plugin {
  const texts = new Map(sources.map(({ file, text }) => [file, text]))
  return {
    name: 'only these sources',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point') return { path, namespace: 'strategy' }
        if (kind !== 'import-statement') return refused(path, 'while it runs')
        if (path === '#kit') return { path, namespace: 'kit' }
        if (!/^\.{1,2}\//.test(path))
          return refused(path, "; a strategy may import '#kit' and code files beside it")
        const file = resolve(dirname(importer), path)
        if (texts.has(file) && extname(file) in CODE) return { path: file, namespace: 'strategy' }
        return refused(path, '; use a code file, named with its ending .ts, .js or .mjs')
      })
      build.onLoad({ filter: /.*/, namespace: 'strategy' }, ({ path }) => ({
        contents: texts.get(path) ?? '',
        loader: CODE[extname(path) as keyof typeof CODE],
      }))
      build.onLoad({ filter: /.*/, namespace: 'kit' }, () => ({
        contents: `export const { ${KIT_NAMES.join(', ')} } = kit`,
        loader: 'js',
      }))
    },
  }
}

function refused(path: string, why: string) {
  return { errors: [{ text: `it imports '${path}'${why.startsWith(';') ? '' : ' '}${why}` }] }
}

const withoutTranslations: Plugin = {
  name: 'without translations',
  setup(build) {
    build.onResolve({ filter: /locales\/index\.(c?js)$/ }, ({ path }) => ({ path, namespace: 'nothing' }))
    build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'export {}', loader: 'js' }))
  },
}

/** `name` is relative to the strategy's folder, so that a hash does not depend on the location of a checkout. */
export type Source = { readonly file: string; readonly name: string; readonly text: string }

const RELATIVE_IMPORT = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g
const MAX_FILES = 100

/** Returns the file and, transitively, its relative imports, sorted by name. */
export function readSources(file: string): Result<readonly Source[], string> {
  const seen = new Map<string, Source>()
  const open = [file]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue
    if (seen.size >= MAX_FILES)
      return err(`it imports more than ${MAX_FILES} files; a strategy is one file that imports '#kit'`)
    try {
      const text = readFileSync(next, 'utf8')
      seen.set(next, { file: next, name: relative(dirname(file), next), text })
      for (const match of text.matchAll(RELATIVE_IMPORT)) open.push(resolve(dirname(next), match[2] ?? ''))
    } catch (thrown) {
      const code = (thrown as { code?: string }).code ?? 'unreadable'
      return err(
        `${relative(dirname(file), next)} cannot be read (${code}); repair the import or the file's rights`,
      )
    }
  }
  return ok([...seen.values()].sort((a, b) => (a.name < b.name ? -1 : 1)))
}
