import { readFileSync } from 'node:fs'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import { openVerifier } from '../../research/close/proof/verifier.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { printable } from '../../base/printable.ts'
import { fail, type OutputFormat, print } from '../output/print.ts'
import { type VerifiedFolder, verifyFolders } from '../../research/close/verify/verify-folders.ts'

type VerifyCloseOptions = OutputFormat & { readonly signers?: string; readonly authority?: string }

/** Verifies the closes of a folder, or of each folder in it, without a store. */
export function verifyClose(folder: string, options: VerifyCloseOptions): void {
  const signers = readGiven(options.signers)
  if (!signers.ok) return fail(options, EXIT_CODE.usage, signers.error)
  const authority = readGiven(options.authority)
  if (!authority.ok) return fail(options, EXIT_CODE.usage, authority.error)
  const verified = verifyFolders(folder, openVerifier(signers.value, authority.value))
  if (!verified.ok) return fail(options, EXIT_CODE.usage, verified.error)
  const all = verified.value
  if (all.every(({ days, problems }) => days.length === 0 && problems.length === 0))
    return fail(options, EXIT_CODE.failed, `there is no close in ${folder}`)
  const lines = all.flatMap((one) => linesOf(one, signers.value !== null))
  print(options, lines.map(printable).join('\n'), all.map(shown))
  if (all.some(({ problems }) => problems.length > 0)) process.exitCode = EXIT_CODE.failed
}

function readGiven(path: string | undefined): Result<Buffer | null, string> {
  try {
    return ok(path === undefined ? null : readFileSync(path))
  } catch (error) {
    return err(`${path} cannot be read (${errorText(error)})`)
  }
}

function linesOf(
  { folder, position, days, problems, corrections }: VerifiedFolder,
  isChecked: boolean,
): readonly string[] {
  const lines = days.map(({ day, close, signedBy, signer, timestampAt, isTimestampVerified }) => {
    const signature =
      signedBy === null
        ? 'not signed'
        : signer === null
          ? `signed by ${signedBy}${isChecked ? ', which is not an allowed key' : ', unchecked: --signers verifies the owner of the key'}`
          : `signed by ${signer} (${signedBy})`
    const stamp =
      timestampAt === null
        ? ''
        : `; time-stamped ${timestampAt}, ${isTimestampVerified ? 'verified' : 'unchecked: --authority checks by whom'}`
    return `${day}  ${close?.document.status ?? 'NOT READABLE'}; ${signature}${stamp}`
  })
  const last = days.at(-1)?.close ?? null
  const result =
    problems.length === 0
      ? `${position ?? folder}: ${days.length} closes hold, the last one is ${last?.sha256 ?? ''}`
      : `${position ?? folder}: THE CLOSES DO NOT HOLD\n${problems.join('\n')}`
  return [...lines, ...corrections.map((one) => `correction of ${one}`), ...result.split('\n')]
}

function shown({ days, ...rest }: VerifiedFolder): object {
  return {
    ...rest,
    holds: rest.problems.length === 0,
    days: days.map(({ close, unfilled: _judged, ...day }) => ({
      ...day,
      status: close?.document.status ?? null,
      sha256: close?.sha256 ?? null,
    })),
  }
}
