/** Whether this is what the operating system says about a file; anything else is a mistake of ours. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
