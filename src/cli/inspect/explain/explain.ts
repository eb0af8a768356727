import { EXIT_CODE } from '../../../base/exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { fail, type OutputFormat, print, printStoreError } from '../../output/print.ts'
import { askInThread } from '../../../research/diagnosis/explain/ask-in-thread.ts'
import { decideOn, type Explanation } from '../../../research/diagnosis/explain/decide.ts'
import { type MomentOptions, readSituation } from '../../../research/diagnosis/explain/read-situation.ts'
import { renderExplanation } from './render-explanation.ts'

type ExplainOptions = OutputFormat & MomentOptions & { readonly config: string }

/** Prints the quote of a moment term by term, risk's approval of it, and whether a write would follow. Changes nothing. */
export async function explain(options: ExplainOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { offline: true })
  if (config === null) return
  await printStoreError(options, async () => {
    const read = await readSituation(config, options)
    if (!read.ok) return fail(options, EXIT_CODE.usage, read.error)
    const { situation } = read.value
    const asked = await askInThread(config, [situation])
    if (!asked.ok) return fail(options, EXIT_CODE.failed, asked.error)
    const [wanted] = asked.value
    if (wanted === undefined) return
    const decided = decideOn(wanted, read.value, config)
    const explanation = { ...read.value, strategy: config.strategy.use, wanted, decided }
    print(options, renderExplanation(explanation), documentOf(explanation))
  })
}

function documentOf({ situation, from, strategy, wanted, decided }: Explanation): object {
  const { approval, rules, move } = decided
  const { kind, bidBps, askBps, safety, because } = approval.target
  return {
    from,
    strategy,
    inputs: situation,
    wanted,
    rules: rules.map(({ rule, limit, actual, message, effect }) => ({
      rule,
      limit,
      actual,
      message,
      effect,
    })),
    clamps: approval.clamps,
    refusal: approval.refusal,
    approved: { kind, bidBps, askBps, safety, because, tradingState: approval.state },
    standing: situation.standing,
    move,
  }
}
