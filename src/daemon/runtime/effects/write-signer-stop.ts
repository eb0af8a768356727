import type { Ms } from '../../../base/time.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { openSharedSigning } from './shared-signing.ts'
import { openSignerFile, type WalletConfig } from './wallet-signer.ts'

type Write = () => Promise<Result<null, string>>

/**
 * Sets the time from which the signer signs nothing; null lifts the stop. With a store in PostgreSQL it is also written there, for signers
 * on other machines. A stop is written locally first, which needs no connection, and lifted remotely first, so a failure leaves
 * more signers stopped rather than fewer. Resolves with why it is not written everywhere; null = written everywhere.
 */
export async function writeSignerStop(wallet: WalletConfig, stopAt: Ms | null): Promise<string | null> {
  const here: Write = () => writeFile(wallet, stopAt)
  const everywhere: Write = () => writeRow(wallet, stopAt)
  const first = await (stopAt === null ? everywhere : here)()
  if (!first.ok) return `nothing was changed: ${first.error}`
  const second = await (stopAt === null ? here : everywhere)()
  if (second.ok) return null
  return stopAt === null
    ? `other machines sign again, but this one does not: ${second.error}; run this command again`
    : `the signer of THIS machine is stopped; those of other machines are NOT: ${second.error}; run this command again once PostgreSQL answers`
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

/** Writes the stop to PostgreSQL; does nothing if the store is a folder. */
async function writeRow(
  { config, settings }: WalletConfig,
  stopAt: Ms | null,
): Promise<Result<null, string>> {
  const shared = openSharedSigning(config, settings, () => 0)
  const written = (await shared?.setStopAt(stopAt)) ?? ok(null)
  await shared?.close()
  return written
}
