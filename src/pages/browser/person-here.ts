/** What a tab keeps of one person is not shown to the next one who signs in. */

const personKey = 'proofgate person'

/** `wallet`: the primary wallet of the person who is signed in. */
export function forgetOthers(wallet: string | undefined): void {
  if (wallet === undefined) return
  try {
    const before = sessionStorage.getItem(personKey)
    if (before !== null && before !== wallet) forgetForms()
    sessionStorage.setItem(personKey, wallet)
  } catch {
    // Without storage, nothing is kept.
  }
}

/** Forgets the forms and the progress of links. */
export function forgetForms(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (/^proofgate (?:verify|language|person)/.test(key)) sessionStorage.removeItem(key)
  } catch {
    // Without storage, nothing is kept.
  }
}
