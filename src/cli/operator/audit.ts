import { readActionChain } from '../../store/tables/operator-actions.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { printable } from '../../base/printable.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'

type AuditOptions = OutputFormat & { readonly config: string; readonly head?: string }

/** Prints the operators' commands, oldest first, and whether their hash chain is intact. */
export async function audit(options: AuditOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { offline: true })
  if (config === null) return
  const read = readActionChain(config.store.place)
  if (!read.ok) return fail(options, EXIT_CODE.failed, read.error.message, { kind: read.error.kind })
  const { actions, head, problems: found } = read.value
  const isNoted =
    options.head === undefined || [head, ...actions.map(({ hash }) => hash)].includes(options.head)
  const problems = isNoted
    ? found
    : [...found, `no row has the hash ${options.head ?? ''}: the noted head is not in this chain`]
  const lines = actions.map(({ t, seq, who, command, accepted, answer, why }) =>
    printable(
      `${new Date(t).toISOString()}  ${seq}  ${who}: ${command} ${accepted ? 'accepted' : 'refused'} (${why}); ${answer}`,
    ),
  )
  const verdict =
    problems.length === 0
      ? `${actions.length} actions, the chain is intact; its head is ${head}`
      : `THE CHAIN IS BROKEN:\n${problems.join('\n')}`
  print(options, [...lines, verdict].join('\n'), { position: config.core.name, actions, head, problems })
  if (problems.length > 0) process.exitCode = EXIT_CODE.failed
}
