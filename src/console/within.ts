/** What `asked` answers, or null when it fails (which is reported) or takes longer than `ms`. */
export async function within<T>(
  ms: number,
  asked: () => Promise<T>,
  reportError: (error: unknown) => void,
): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null)
  })
  try {
    const answer = (async () => asked())()
    // When the time is up nobody waits for this any more, and a later failure still has to be heard.
    answer.catch(reportError)
    return await Promise.race([answer, late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
