import { posix } from 'node:path'
import type { Violation } from './source-file.ts'

// One letter in brackets, so that these patterns do not accuse themselves.
const UNFINISHED = /\b(T[O]DO|F[I]XME|X[X]X)\b/
const HOMES = /(?<![\w.])\/(home\/(?!node\b)|Users\/|root\/)\w|\b[A-Z]:\\Users\\/
const REGISTRIES =
  /\bregistry\.(np[m]js|yar[n]pkg)\.|\/\/[^/\s"'@]*\b(registry|artifactory|nexus|verdaccio)\b[^/\s"']*\//
// `src/a/b.ts` stands for any file.
const PLACEHOLDER = /\/[a-z]((\.test)?\.ts|\.md)$/
const CATCH_ALL = /^(utils?|helpers?|common|misc)$/

/** What no tracked text says: unfinished work, a place on somebody's machine, a package registry. */
export function checkText(path: string, text: string, machinePaths: readonly string[]): readonly Violation[] {
  return text.split('\n').flatMap((line, index) => {
    const problems = [
      UNFINISHED.test(line) ? 'unfinished work: do it, or write it down where people look' : null,
      HOMES.test(line) ? 'a path of one machine' : null,
      machinePaths.some((machinePath) => line.includes(machinePath)) ? 'the path of a checkout' : null,
      REGISTRIES.test(line) ? 'the host of a package registry' : null,
    ]
    return problems.flatMap((message) => (message === null ? [] : [{ path, line: index + 1, message }]))
  })
}

/** A folder or file called utils says nothing about what is in it. */
export function checkPath(path: string): readonly Violation[] {
  const names = path.split('/').map((name) => posix.parse(name).name)
  const bad = names.find((name) => CATCH_ALL.test(name))
  return bad === undefined ? [] : [{ path, line: 1, message: `'${bad}' says nothing about what is in it` }]
}

/** Files of source, test and docs that a text names and that are not there: from the root, or in code spans of src/README.md from src/. */
export function checkMentions(
  path: string,
  text: string,
  exists: (path: string) => boolean,
): readonly Violation[] {
  return text.split('\n').flatMap((line, index) => {
    const rooted =
      line.match(
        /(?<![\w./-])((src|test|scripts|bench)\/[a-z\d./-]+\.(tsx?|mjs)|docs\/[a-z\d./-]+\.md)\b/g,
      ) ?? []
    const inSrc = path === 'src/README.md' ? (line.match(/(?<=`)[a-z-]+\/([\w/-]+\.ts)?(?=`)/g) ?? []) : []
    const named = [...rooted, ...inSrc.map((name) => (exists(name) ? name : `src/${name}`))]
    return named
      .filter((name) => !exists(name) && !PLACEHOLDER.test(name))
      .map((name) => ({ path, line: index + 1, message: `names ${name}, which is not there` }))
  })
}
