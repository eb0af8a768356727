const TOKEN = 'mizani-token'
const WHO = 'mizani-who'

/**
 * What this tab remembers until it is closed: the token, and who gives the commands. Session storage only:
 * another tab, a later day or another page of this host does not find it.
 */
export const session = {
  token: (): string | null => sessionStorage.getItem(TOKEN),
  who: (): string => sessionStorage.getItem(WHO) ?? '',
  keepToken(token: string): void {
    sessionStorage.setItem(TOKEN, token)
  },
  keepWho(who: string): void {
    sessionStorage.setItem(WHO, who)
  },
  forgetToken(): void {
    sessionStorage.removeItem(TOKEN)
  },
}
