import { walk, type Node, type SourceFile, type Violation } from './source-file.ts'

/** Phrases of this project's past, as people read them, and what is written today. */
export const RETIRED_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bin a box\b/i, 'simulated venue'],
  [/\bpreten(d(s|ed|ing)?|ce)\b/i, 'simulated'],
  [/\bas fast as life\b/i, '60x real time'],
  [/\byesterday,? again\b/i, 'backtesting'],
  [/\bfor ever\b/i, 'until when, or without a limit'],
  [/\btak(es?|ing) turns\b/i, 'round-robin'],
  [/\b(whose|their|his|our) turn\b/i, 'which provider the venue picks'],
  [/\bGAP\b/, 'reconciliation break'],
  // A column of the store keeps the name it is written with.
  [/(?<!-)\bunexplained\b(?!-| AS )/i, 'unreconciled'],
  [/\bt(ell|ells|elling|old) people\b/i, 'notify'],
  [/\b(was|were|been|is|are) (not )?told\b/i, 'who notifies, reports or sends'],
  [/\bbelieved beforehand\b/i, 'the prior'],
  [/\bnobody says why\b/i, 'no reason is given'],
  [/\bowed\b/i, 'outstanding'],
  [/\bpromised\b/i, 'committed'],
  [/\bcareful to supposing\b/i, 'conservative to model-based'],
  [/\b(that|which) are none\b/i, 'invalid'],
  [/\bto be had\b/i, 'available'],
  [/\b(it|nothing) is said\b/i, 'who reports what'],
  [/\bsaid by absence\b/i, 'has no series'],
  [/\bwhat stands (at the venue )?(is|was)\b/i, 'the live quote'],
  [/\bwhat it promises\b/i, 'guarantees'],
  [/\bwould be right\b/i, 'expected ..., must be ... or use ...'],
]

// The row of the guarantee keeps the title under which its test stands in reports.
const TITLES = ['A signed order is owed until the chain shows its end']

/** No retired phrase stands in a Markdown text outside of code spans and links. */
export function checkPhrases(path: string, markdown: string): readonly Violation[] {
  return markdown.split('\n').flatMap((line, index) => problemsIn(path, index + 1, withoutCode(line)))
}

/** No retired phrase stands in a string, template or page text of a source file. One word alone is a code. */
export function checkMessages(file: SourceFile): readonly Violation[] {
  const found: Violation[] = []
  walk(file.program, (node) => {
    const text = textIn(node)
    if (text?.trim().includes(' ') === true)
      found.push(...problemsIn(file.path, file.lineOf(node.start), text))
  })
  return found
}

function textIn(node: Node): string | null {
  const value = node['value']
  if (node.type === 'Literal' || node.type === 'JSXText') return typeof value === 'string' ? value : null
  if (node.type !== 'TemplateLiteral') return null
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]
  return quasis.map(({ value: { cooked } }) => cooked).join('0')
}

function withoutCode(line: string): string {
  return TITLES.reduce((text, title) => text.replace(title, ''), line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '`'))
}

function problemsIn(path: string, line: number, text: string): readonly Violation[] {
  return RETIRED_PHRASES.flatMap(([phrase, today]) => {
    const [found] = phrase.exec(text) ?? []
    return found === undefined ? [] : [{ path, line, message: `'${found}' is retired, write: ${today}` }]
  })
}
