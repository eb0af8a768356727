/** One line of the LP's own bank statement. */
export type BankLine = {
  /** YYYY-MM-DD, by the bank's date. */
  readonly day: string
  /** Base units of NTZS: positive = credited to the account. */
  readonly amount: bigint
  readonly reference: string
  /** The bank's whole description, on one line. */
  readonly text: string
  /** Its line number in the file, from 1. */
  readonly line: number
}

/** A line number of the file, from 1, and its problem or peculiarity. */
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
  /** Rows that are understood but move no shillings of ours: undated ones, and accounts in another currency. */
  readonly leftOut: readonly FileProblem[]
  /** Empty for a CSV file. */
  readonly accounts: readonly BankAccount[]
}

/** A busy account has thousands of lines a month; a larger file is something else. */
export const MOST_CHARACTERS = 10_000_000
