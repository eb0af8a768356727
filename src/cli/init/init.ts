import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, type OutputFormat, print } from '../output/print.ts'
import { ask, type InitOptions } from './ask.ts'
import { configText, isKeyFile, packageRoot, SANDBOX_URL, strategyTexts, templateText } from './templates.ts'

const CONFIG = 'mizani.yaml'
/** The versions that this version was tested with. */
const TOOLS = { typescript: '7.0.2', '@types/node': '24.19.2' } as const

/** Writes a configuration and a strategy folder. Nothing that exists is overwritten. */
export async function init(folder: string, options: InitOptions & OutputFormat): Promise<void> {
  const root = resolve(folder)
  if (existsSync(join(root, CONFIG)))
    return fail(
      options,
      EXIT_CODE.usage,
      `${join(folder, CONFIG)} exists; nothing was written. Edit it, or name another folder`,
    )
  const packageText = packageOf(root)
  if (packageText === null)
    return fail(
      options,
      EXIT_CODE.usage,
      `${join(folder, 'package.json')} is not a JSON object; nothing was written`,
    )
  const asked = await ask(options)
  if (asked === null) return fail(options, EXIT_CODE.failed, 'nothing was written: the questions were left')
  const answers = isKeyFile(asked.key) ? { ...asked, key: fromFolder(root, asked.key) } : asked
  const strategy = strategyTexts('trend')
  const files = [
    [CONFIG, configText(answers)],
    ['strategies/trend.ts', strategy.code],
    ['strategies/trend.test.ts', strategy.test],
    ['tsconfig.json', templateText('tsconfig.json')],
    ['.gitignore', `node_modules\ndata\n${ignored(answers.key)}`],
  ] as const
  const [written, kept]: [string[], string[]] = [[], []]
  try {
    await mkdir(join(root, 'strategies'), { recursive: true })
    for (const [name, text] of files) ((await writeNew(join(root, name), text)) ? written : kept).push(name)
    await writeFile(join(root, 'package.json'), packageText)
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    const so = written.length === 0 ? 'nothing was written' : `only ${written.join(', ')} were written`
    return fail(options, EXIT_CODE.failed, `${root} cannot be written (${code ?? message}); ${so}`)
  }
  written.push('package.json')
  const isSandbox = answers.venue === SANDBOX_URL
  const lines = [
    `written to ${root}: ${written.join(', ')}`,
    ...(kept.length > 0 ? [`left as they were: ${kept.join(', ')}`] : []),
    '',
    'Next:',
    ...(folder === '.' ? [] : [`  cd ${folder}`]),
    '  npm install              the types of the strategy kit, and TypeScript',
    '  npm test                 test the strategy',
    ...(isSandbox ? ['  npx mizani sandbox       the simulated venue, in another terminal'] : []),
    ...(isSandbox && answers.key === 'MIZANI_API_KEY' ? ['  export MIZANI_API_KEY=mm_test_sandbox'] : []),
    '  npx mizani check         test the configuration against the venue; changes nothing',
    '  npx mizani run           run the daemon',
  ]
  print(options, lines.join('\n'), { folder: root, written, kept })
}

/** The configuration names files from its own folder, the command line from the present one. */
function fromFolder(root: string, file: string): string {
  if (isAbsolute(file)) return file
  const path = relative(root, resolve(file))
  return path.startsWith('..') ? path : `./${path}`
}

/** A key in the folder must not reach a repository. */
function ignored(key: string): string {
  return key.startsWith('./') ? `${key.slice(1)}\n` : ''
}

async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' })
    return true
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'EEXIST') return false
    throw thrown
  }
}

/**
 * Returns the folder's `package.json` with what strategies need: ES modules, `#kit`, this mizani and TypeScript. What it
 * has already stays. Null = the present one cannot be read.
 */
function packageOf(root: string): string | null {
  const file = join(root, 'package.json')
  const present = existsSync(file) ? parsed(readFileSync(file, 'utf8')) : { private: true }
  if (present === null) return null
  const { scripts, imports, dependencies, devDependencies, ...others } = present
  const hasMizani = [dependencies, devDependencies].some((list) => record(list)['mizani'] !== undefined)
  const whole = {
    ...others,
    type: 'module',
    imports: { '#kit': 'mizani', ...record(imports) },
    scripts: { test: 'node --test', types: 'tsc --noEmit', ...record(scripts) },
    dependencies: {
      ...(hasMizani ? {} : { mizani: `file:${relative(root, packageRoot())}` }),
      ...record(dependencies),
    },
    devDependencies: { ...TOOLS, ...record(devDependencies) },
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

type NewStrategyOptions = OutputFormat & { readonly folder: string }

/** Writes a strategy that uses an indicator of the kit, and its test. Nothing that exists is overwritten. */
export async function newStrategy(name: string, options: NewStrategyOptions): Promise<void> {
  const { folder } = options
  const { code: text, test } = strategyTexts(name)
  const files = [
    [join(folder, `${name}.ts`), text],
    [join(folder, `${name}.test.ts`), test],
  ] as const
  const present = files.find(([file]) => existsSync(file))
  if (present !== undefined)
    return fail(options, EXIT_CODE.usage, `${present[0]} exists; nothing was written. Choose another name`)
  try {
    await mkdir(folder, { recursive: true })
    for (const [file, content] of files) await writeFile(file, content, { flag: 'wx' })
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    return fail(
      options,
      EXIT_CODE.failed,
      `${folder} cannot be written (${code ?? message}); name another --folder`,
    )
  }
  const written = files.map(([file]) => file)
  const lines = [
    `written: ${written.join(', ')}`,
    '',
    'Next:',
    '  npm test                 test it',
    '  npx mizani backtest --config mizani.yaml --tape TAPE --strategy STRATEGY',
    '                           STRATEGY: its path from the folder of mizani.yaml, with ./ before it',
  ]
  print(options, lines.join('\n'), { written })
}
