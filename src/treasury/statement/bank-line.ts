/** One line of the statement of the LP's own bank account. */
export type BankLine = {
  /** YYYY-MM-DD, as the bank has it. */
  readonly day: string
  /** Base units of NTZS: positive = came to the account. */
  readonly amount: bigint
  readonly reference: string
  /** All that the bank writes of it, in one line. */
  readonly text: string
  /** Its place in the file, from 1. */
  readonly line: number
}

/** A place of the file, from 1, and what is wrong or special there. */
export type FileProblem = { readonly line: number; readonly message: string }

/** An account of a file that states balances, base units of NTZS. */
type BankAccount = {
  readonly account: string
  readonly opening: bigint
  readonly closing: bigint
}

/** A bank file that was read completely. */
export type BankFile = {
  readonly lines: readonly BankLine[]
  /** Rows that are understood and move no shillings of ours: undated ones, and accounts in another currency. */
  readonly leftOut: readonly FileProblem[]
  /** Empty for a CSV file. */
  readonly accounts: readonly BankAccount[]
}

/** A month of a busy account has thousands of lines; a file beyond this is another kind of file. */
export const MOST_CHARACTERS = 10_000_000
