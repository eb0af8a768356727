import { readFile } from 'node:fs/promises'
import { err, ok, type Result } from '../base/result.ts'

export type PageFile = { readonly type: string; readonly body: Buffer }

const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'main.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
} as const
type Name = keyof typeof TYPES

/** What is asked of esbuild, which a checkout has and an installation may lack. */
type Bundler = {
  readonly build: (options: object) => Promise<{
    readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[]
  }>
}

let made: Promise<ReadonlyMap<string, PageFile>> | null = null

/**
 * The page's files by name: as they were built beside the bundle, or, in a checkout, bundled in memory when
 * they are first asked for. Rejects with a sentence where that cannot be done; the next call tries again.
 */
export function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  made ??= make().catch((error: unknown) => {
    made = null
    throw error
  })
  return made
}

async function make(): Promise<ReadonlyMap<string, PageFile>> {
  const bodies = import.meta.url.endsWith('.ts') ? await bundled() : await built()
  return new Map(
    (Object.keys(TYPES) as Name[]).map((name) => [name, { type: TYPES[name], body: bodies[name] }]),
  )
}

async function built(): Promise<Record<Name, Buffer>> {
  const read = (name: Name) => readFile(new URL(`./console-page/${name}`, import.meta.url))
  const [page, script, style] = await Promise.all([read('index.html'), read('main.js'), read('style.css')])
  return { 'index.html': page, 'main.js': script, 'style.css': style }
}

async function bundled(): Promise<Record<Name, Buffer>> {
  const source = new URL('./page/', import.meta.url)
  const esbuild = await bundler()
  if (!esbuild.ok) throw new Error(esbuild.error)
  const { outputFiles } = await esbuild.value.build({
    entryPoints: { main: new URL('main.tsx', source).pathname, style: new URL('style.css', source).pathname },
    bundle: true,
    write: false,
    outdir: 'console-page',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    logLevel: 'silent',
  })
  const output = (ending: string) =>
    Buffer.from(outputFiles.find(({ path }) => path.endsWith(ending))?.contents ?? [])
  return {
    'index.html': await readFile(new URL('index.html', source)),
    'main.js': output('main.js'),
    'style.css': output('style.css'),
  }
}

async function bundler(): Promise<Result<Bundler, string>> {
  try {
    // By a name that a bundler does not follow: the bundle has the page built and needs no esbuild.
    const name = 'esbuild'
    return ok((await import(name)) as Bundler)
  } catch {
    return err(
      'the page is not built and esbuild, which builds it, is not installed: `npm install`, or `npm run build` and start from dist/',
    )
  }
}
