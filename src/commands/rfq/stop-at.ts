import type { Ms } from '../../base/time.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { openSharedSigning } from '../../runtime/effects/shared-signing.ts'
import { openSignerFile, type WalletConfig } from '../../runtime/effects/wallet-signer.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail, printOutcome, type OutputFormat } from '../output/print.ts'
import { NO_SELF_CUSTODY } from './list.ts'

export type RfqStopAtOptions = OutputFormat & { readonly config: string }

/**
 * Writes into the signer's own file when it stops. A daemon that runs reads it before its next signature; nothing has
 * to answer for that, not even the daemon. With a store in PostgreSQL it is written there too, for the signers of other machines.
 */
export async function rfqStopAt(when: string, options: RfqStopAtOptions): Promise<void> {
  const stopAt = momentOf(when)
  if (stopAt === undefined)
    return fail(
      options,
      EXIT_CODE.usage,
      `${when}: now, never or a time like 2026-11-18T06:40:00Z would be right`,
    )
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  const { rfq: settings, name } = config.core
  if (settings === null || config.rfq === null) return fail(options, EXIT_CODE.refused, NO_SELF_CUSTODY)
  const wallet = { config, settings, rfq: config.rfq }
  const problem = await writeStop(stopAt, [() => writeFile(wallet, stopAt), () => writeRow(wallet, stopAt)])
  if (problem !== null) return fail(options, EXIT_CODE.failed, problem)
  const answer =
    stopAt === null
      ? 'the signer signs again, within its limits'
      : `the signer signs no order and raises no allowance from ${new Date(stopAt).toISOString()} on; it still takes orders back. What it signed before can be filled until it expires: \`rfq cancel-all\` ends that sooner`
  const outcome = {
    command: 'rfq stop-at',
    position: name,
    via: 'store',
    exitCode: EXIT_CODE.ok,
    answer,
  } as const
  printOutcome(options, outcome, { stopAt })
}

type Write = () => Promise<Result<null, string>>

/**
 * A stop is written here first, where nothing has to answer for it; it is lifted elsewhere first, so that a failure leaves more
 * stopped, and not less. Gives why not all of it is written; null = it is.
 */
async function writeStop(stopAt: Ms | null, [here, everywhere]: [Write, Write]): Promise<string | null> {
  const first = await (stopAt === null ? everywhere : here)()
  if (!first.ok) return `nothing was changed: ${first.error}`
  const second = await (stopAt === null ? here : everywhere)()
  if (second.ok) return null
  return stopAt === null
    ? `other machines sign again, and this one does not: ${second.error}; run this again`
    : `the signer of THIS machine stops; those of other machines do NOT: ${second.error}; run this again once PostgreSQL answers`
}

function writeFile(wallet: WalletConfig, stopAt: Ms | null): Promise<Result<null, string>> {
  const file = openSignerFile(wallet, 'note')
  if (!file.ok) return Promise.resolve(file)
  try {
    file.value.setStopAt(stopAt)
    return Promise.resolve(ok(null))
  } catch (error) {
    return Promise.resolve(err((error as Error).message))
  } finally {
    file.value.close()
  }
}

/** Of the position in PostgreSQL; nothing where the store is a folder. */
async function writeRow(
  { config, settings }: WalletConfig,
  stopAt: Ms | null,
): Promise<Result<null, string>> {
  const shared = openSharedSigning(config, settings, () => 0)
  const written = (await shared?.setStopAt(stopAt)) ?? ok(null)
  await shared?.close()
  return written
}

/** Undefined for what is no moment; null = never. */
function momentOf(text: string): Ms | null | undefined {
  if (text === 'never') return null
  if (text === 'now') return Date.now()
  const at = Date.parse(text)
  return /^\d{4}-\d\d-\d\d/.test(text) && Number.isFinite(at) ? at : undefined
}
