import type { ImportGraph } from './graph-rules.ts'

const HEADING = '## Walks'

/** The walks of a Markdown text: each a chain of files under src/, as `a.ts` -> `b.ts` -> `c.ts`. */
export function parseWalks(markdown: string): readonly (readonly string[])[] {
  const [, after] = markdown.split(`${HEADING}\n`)
  if (after === undefined) throw new Error(`src/README.md has no heading '${HEADING}'`)
  const [section = ''] = after.split('\n## ')
  const chains = section.match(/`[\w./-]+\.ts`(?:\s*->\s*`[\w./-]+\.ts`)+/g) ?? []
  return chains.map((chain) => [...chain.matchAll(/`([^`]+)`/g)].map(([, file = '']) => `src/${file}`))
}

/** Steps that no reader can take: a file that is not there, or that does not import the next one directly or through one other. */
export function checkWalks(walks: readonly (readonly string[])[], graph: ImportGraph): readonly string[] {
  return walks.flatMap((walk) =>
    walk.flatMap((file, step) => {
      const targets = graph.get(file)
      if (targets === undefined) return [`${file} is no file`]
      const next = walk[step + 1]
      if (next === undefined || targets.includes(next)) return []
      const isNear = targets.some((between) => graph.get(between)?.includes(next))
      return isNear ? [] : [`${file} does not lead to ${next}`]
    }),
  )
}
